// A chapter cut into blocks, for its translation. A block is {kind, line, lines}; one with words of the chapter's own has
// also {words, values, digest}: what a translator sees, with {{1}}, {{2}} … in place of the expressions in `values`, and the
// digest of it. Everything else (code, commands, widgets, formulas, answers, conditions, numbers in tables) has no words: it
// exists once, and stands in every language where it stands in English.
import {createHash} from 'node:crypto';

export const digestOf = (words) => createHash('sha256').update(words).digest('hex').slice(0, 7);

const isDirective = (line) => /^\{\{\w+\s+.*\}\}\s*$/.test(line);
const isFence = (line) => line.startsWith('```');
const isSpecial = (line) =>
  /^#{1,4} /.test(line) ||
  isDirective(line) ||
  line.startsWith(':::') ||
  line.trim() === '$$' ||
  isFence(line);

// What begins at line `at`: its kind, and the line after its last.
function spanOf(lines, at) {
  const line = lines[at];
  const upTo = (isEnd, what) => {
    const end = lines.findIndex((one, i) => i > at && isEnd(one));
    if (end < 0) throw new Error(`${what} is never closed`);
    return end + 1;
  };
  if (/^#{1,4} /.test(line)) return ['heading', at + 1];
  if (isDirective(line)) return ['directive', at + 1];
  const container = /^::: (\w+)/.exec(line)?.[1];
  if (container === 'question' || container === 'figure')
    return [container, upTo((one) => one.trim() === ':::', ':::')];
  if (container === 'fold') return ['fold', at + 1];
  if (line.startsWith(':::')) return ['frame', at + 1];
  if (line.trim() === '$$') return ['formula', upTo((one) => one.trim() === '$$', '$$')];
  if (isFence(line)) return ['sketch', upTo(isFence, '```')];
  const end = lines.findIndex((one, i) => i > at && (one.trim() === '' || isSpecial(one)));
  const all = lines.slice(at, end < 0 ? lines.length : end);
  return [all.every((one) => one.startsWith('|')) ? 'table' : 'paragraph', at + all.length];
}

// Text without code, maths and placeholders: the prose in it.
export const bare = (text) =>
  text
    .replace(/`+[^`]*`+/g, ' ')
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .replace(/\$[^$]*\$/g, ' ')
    .replace(/\]\([^)\s]*\)/g, '] ');
export const hasWords = (text) => /\p{L}{2,}/u.test(bare(text));

// The cells of a row of a table, as they are written; a bar in code or in an expression is none.
export function cellsOf(row) {
  const cells = [''];
  for (const [piece] of row.trim().matchAll(/`+[^`]*`+|\{\{[^}]*\}\}|\$[^$]*\$|\\\||[^]/g))
    if (piece === '|') cells.push('');
    else cells[cells.length - 1] += piece;
  return cells.slice(1, -1).map((cell) => cell.trim());
}
export const rowOf = (cells) => `| ${cells.join(' | ')} |`;

const FIGURE_WORDS = /^(caption|title|unit|x-title|y-title|rows): *(.*)$/;
// A symbol of a unit is the same in every language.
const isSaid = ([, key, text]) => (key === 'unit' ? /\p{L}{4,}/u.test(text) : hasWords(text));
const LABEL = /^(ceiling: *)?([^=:]+?) = (.+)$/;
const OPTION = /^- (.+) \| when (.+)$/;

// The parts of a block that have words, in their order: {text, at}, where `at` says what they are.
const PARTS = {
  heading: ({lines}) => [lines[0]],
  paragraph: ({lines}) => [lines.join('\n')],
  fold: ({lines}) => [lines[0].replace(/^::: fold */, '')],
  sketch: ({lines}) => [lines.slice(1, -1).join('\n')],
  table({lines}) {
    const rows = [lines[0], ...lines.slice(2)].map((row) =>
      cellsOf(row).map((cell) => (hasWords(cell) ? cell : '=')),
    );
    while (rows.length > 0 && rows.at(-1).every((cell) => cell === '=')) rows.pop();
    return rows.map((cells) => rowOf(cells));
  },
  question({lines}) {
    const inner = lines.slice(1, -1).filter((line) => !/^(answer|unit|choices):/.test(line));
    return inner.map((line) => line.replace(OPTION, '- $1'));
  },
  figure({lines}) {
    const isBars = /^::: figure bars/.test(lines[0]);
    return lines.slice(1, -1).flatMap((line) => {
      const said = FIGURE_WORDS.exec(line);
      if (said) return isSaid(said) ? [line] : [];
      const label = isBars && LABEL.exec(line);
      return label ? [`- ${label[2]}`] : [];
    });
  },
};

// Expressions become {{1}}, {{2}} …
function numbered(text) {
  const values = [];
  const words = text.replace(/\{\{= *[^]*?\}\}/g, (value) => `{{${values.push(value)}}}`);
  return {words, values};
}

// Every block of a chapter, in its order.
export function blocksOf(text) {
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at].trim() === '') {
      ++at;
      continue;
    }
    const [kind, end] = spanOf(lines, at);
    const block = {kind, line: at + 1, lines: lines.slice(at, end)};
    const {words, values} = numbered(PARTS[kind]?.(block).join('\n') ?? '');
    const isWorded = kind === 'sketch' ? hasWords(words) : words !== '';
    blocks.push(isWorded ? {...block, words, values, digest: digestOf(words)} : block);
    at = end;
  }
  return blocks;
}

// The values back in their places.
const filled = (text, values) =>
  text.replace(/\{\{(\d+)\}\}/g, (_, number) => {
    if (!values[number - 1]) throw new Error(`there is no {{${number}}}`);
    return values[number - 1];
  });

const anchorOf = (line, slug) => `{#${slug(line.replace(/^#+ /, ''))}}`;

const WRITTEN = {
  heading({lines}, text, slug) {
    const level = /^#+ /.exec(lines[0])[0];
    if (!text.startsWith(level)) throw new Error(`the heading begins with "${level}"`);
    return [level === '# ' ? text : `${text} ${anchorOf(lines[0], slug)}`];
  },
  paragraph: (_, text) => text.split('\n'),
  fold: (_, text) => [`::: fold ${text}`],
  sketch: ({lines}, text) => [lines[0], ...text.split('\n'), lines.at(-1)],
  table({lines}, text) {
    const [head, rule, ...rows] = lines;
    const given = text.split('\n').map(cellsOf);
    if (given.length > rows.length + 1)
      throw new Error(`the table has ${rows.length + 1} rows with its head, not ${given.length}`);
    const row = (line, i) => {
      const cells = cellsOf(line);
      if ((given[i]?.length ?? 0) > cells.length)
        throw new Error(`row ${i + 1} of the table has ${cells.length} cells`);
      const written = cells.map((cell, column) => {
        const words = given[i]?.[column] ?? '=';
        if (words !== '=') return words;
        if (hasWords(cell)) throw new Error(`a cell of the table is left in English: ${cell}`);
        return cell;
      });
      return rowOf(written);
    };
    return [row(head, 0), rule, ...rows.map((line, i) => row(line, i + 1))];
  },
  question({lines}, text) {
    const options = [...text.matchAll(/^- (.+)$/gm)].map(([, option]) => option);
    const ask = text.split(/^(?:- |because:)/m)[0].trimEnd();
    const because = /^because: *([^]*)$/m.exec(text)?.[1].trimEnd();
    if (!ask || !because) throw new Error('a question has what it asks, and a line because: …');
    if (options.length !== lines.filter((line) => OPTION.test(line)).length)
      throw new Error(
        `the question has ${lines.filter((line) => OPTION.test(line)).length} lines "- …"`,
      );
    const kept = lines.slice(1, -1).flatMap((line) => {
      const option = OPTION.exec(line);
      if (option) return [`- ${options.shift()} | when ${option[2]}`];
      return /^(answer|unit|choices):/.test(line) ? [line] : [];
    });
    return [lines[0], ask, ...kept, `because: ${because}`, lines.at(-1)];
  },
  figure({lines}, text) {
    const given = text.split('\n').filter((line) => line.trim() !== '');
    const isBars = /^::: figure bars/.test(lines[0]);
    const next = (pattern, what) => {
      const found = pattern.exec(given.shift() ?? '');
      if (!found) throw new Error(`the figure's words are, in this order: ${what}`);
      return found[1];
    };
    const written = lines.slice(1, -1).map((line) => {
      const said = FIGURE_WORDS.exec(line);
      if (said && isSaid(said))
        return `${said[1]}: ${next(new RegExp(`^${said[1]}: *(.+)$`), `${said[1]}: …`)}`;
      const label = isBars && !said && LABEL.exec(line);
      if (!label) return line;
      const words = next(/^- (.+)$/, `- ${label[2]}`);
      return `${label[1] ?? ''}${words === '=' ? label[2] : words} = ${label[3]}`;
    });
    if (given.length > 0) throw new Error(`the figure has no such words: ${given[0]}`);
    return [lines[0], ...written, lines.at(-1)];
  },
};

// The lines of a block whose translation is `text`; "=" is the block as it is in English. `slug` makes an anchor of an
// English heading. Throws when the text has not the block's form.
export function written(block, text, slug) {
  if (text === '=') return block.lines;
  return filled(WRITTEN[block.kind](block, text, slug).join('\n'), block.values).split('\n');
}

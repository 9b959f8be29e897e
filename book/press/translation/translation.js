// A chapter in another language: chapters/LANGUAGE/NN_name.md holds, for each block of the English chapter that has words,
// a line `<!-- digest -->` and the words in that language. Here the two become a chapter as it would have been written in that
// language, and whatever is wrong with the translation, or out of date, is said.
import {slug} from '../slug.js';
import {blocksOf, written} from './blocks.js';
import {inlineProblems} from './compare.js';

const MARK = /^<!-- ([0-9a-f]{7}) -->\s*$/;
const REMARK = /^<!--.*-->\s*$/;

// A sketch may begin with spaces.
const withoutEmptyEnds = (lines) => lines.join('\n').replace(/^\s*\n|\s+$/g, '');

// The entries of a translator's file: [{digest, line, text}]; `problems` when there is text that belongs to no block.
export function entriesOf(text) {
  const entries = [],
    problems = [];
  text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .forEach((line, i) => {
      const digest = MARK.exec(line)?.[1];
      if (digest) entries.push({digest, line: i + 1, lines: []});
      else if (REMARK.test(line)) return;
      else if (entries.length > 0) entries.at(-1).lines.push(line);
      else if (line.trim() !== '')
        problems.push({line: i + 1, says: 'text before the first <!-- digest -->'});
    });
  return {
    entries: entries.map(({lines, ...entry}) => ({...entry, text: withoutEmptyEnds(lines)})),
    problems,
  };
}

// What a text looks like, so that an old translation is paired with a block of its own kind only.
const shapeOf = (text) =>
  /^#+ /.test(text)
    ? 'heading'
    : text.startsWith('|')
      ? 'table'
      : /^because:/m.test(text)
        ? 'question'
        : /^caption:/m.test(text)
          ? 'figure'
          : 'text';

// For each English block its entry, or none: [{block?, entry?}]. What has only changed its place is found by its digest.
export function paired(blocks, entries) {
  const inOrder = pairedInOrder(blocks, entries);
  const free = inOrder.filter(({block}) => !block).map(({entry}) => entry);
  const same = ({digest}) => free.findIndex((one) => one.digest === digest);
  const pairs = inOrder
    .filter(({block}) => block)
    .map(({block, entry}) => {
      const isMoved = entry?.digest !== block.digest && same(block) >= 0;
      if (!isMoved) return {block, entry};
      if (entry) free.push(entry);
      return {block, entry: free.splice(same(block), 1)[0]};
    });
  return [...pairs, ...free.map((entry) => ({entry}))];
}

// In one order: the longest common subsequence of digests, and between two that agree, entries and blocks of one shape in turn.
function pairedInOrder(blocks, entries) {
  const isSame = (i, j) => blocks[i].digest === entries[j].digest;
  const longest = Array.from({length: blocks.length + 1}, () => Array(entries.length + 1).fill(0));
  for (let i = blocks.length - 1; i >= 0; --i)
    for (let j = entries.length - 1; j >= 0; --j)
      longest[i][j] = isSame(i, j)
        ? longest[i + 1][j + 1] + 1
        : Math.max(longest[i + 1][j], longest[i][j + 1]);
  const pairs = [];
  let apart = {blocks: [], entries: []};
  const settle = () => {
    for (const block of apart.blocks) {
      const at = apart.entries.findIndex((one) => shapeOf(one.text) === shapeOf(block.words));
      pairs.push({block, entry: at < 0 ? undefined : apart.entries.splice(at, 1)[0]});
    }
    pairs.push(...apart.entries.map((entry) => ({entry})));
    apart = {blocks: [], entries: []};
  };
  for (let i = 0, j = 0; i < blocks.length || j < entries.length;) {
    if (i < blocks.length && j < entries.length && isSame(i, j)) {
      settle();
      pairs.push({block: blocks[i++], entry: entries[j++]});
    } else if (j >= entries.length || (i < blocks.length && longest[i + 1][j] >= longest[i][j + 1]))
      apart.blocks.push(blocks[i++]);
    else apart.entries.push(entries[j++]);
  }
  settle();
  return pairs;
}

// What stands around a block that is not up to date; headings and the sentence below the title stay bare.
const framed = (state, lines, block) =>
  state === 'fresh' || block.kind === 'heading' || block.kind === 'fold' || /^\*[^*]/.test(lines[0])
    ? lines
    : [`::: ${state}`, ...lines, ':::'];

// {text, lineOf, problems, queue}. `text`: the chapter in the other language. `lineOf`: the line of the translation that a line
// of it is from. `problems`: [{line, says}], what is wrong with what was translated. `queue`: [{state, line, digest, words}],
// the work for a translator: a block is `stale` when the English has changed since, `missing` when nobody translated it, and
// `gone` when there is no such block any more. `glossary`: words that a translation has to use, or must not.
export function translated(english, translation, glossary) {
  const blocks = blocksOf(english);
  const {entries, problems} = entriesOf(translation);
  const queue = [];
  const found = new Map();
  for (const {block, entry} of paired(
    blocks.filter((one) => one.digest),
    entries,
  )) {
    if (!block) queue.push({state: 'gone', line: entry.line, digest: entry.digest, words: ''});
    else found.set(block, entry);
  }
  const out = [],
    lineOf = [];
  const put = (lines, line) => {
    out.push(...lines, '');
    lineOf.push(...lines.map(() => line), line);
  };
  let last = 1;
  for (const block of blocks) {
    const entry = found.get(block);
    last = entry?.line ?? last;
    if (!block.digest) {
      put(block.lines, last);
      continue;
    }
    const isDone = entry && entry.text !== '' && entry.text !== block.words;
    const isFresh = isDone && entry.digest === block.digest;
    const told = isDone ? said(block, entry, glossary) : {problems: []};
    if (isFresh) problems.push(...told.problems.map((says) => ({line: entry.line + 1, says})));
    if (isFresh && told.lines) put(told.lines, entry.line + 1);
    else {
      // An old text is shown as long as it still has the block's form.
      const state = isDone ? 'stale' : 'missing';
      if (!isFresh) queue.push({state, line: last, ...block, was: entry?.digest});
      const isOld = state === 'stale' && told.lines && told.problems.length === 0;
      put(
        framed(isOld ? 'stale' : 'missing', isOld ? told.lines : bareHeading(block), block),
        last,
      );
    }
  }
  return {text: `${out.join('\n')}\n`, lineOf, problems, queue};
}

const bareHeading = (block) =>
  block.kind === 'heading' && !block.lines[0].startsWith('# ')
    ? [`${block.lines[0]} {#${slug(block.lines[0].replace(/^#+ /, ''))}}`]
    : block.lines;

// In code that is only shown, everything but its remarks is code in every language; which term stands where, nobody asks.
function isCode(problem, {kind, words}) {
  if (kind !== 'sketch') return false;
  const stranger = /^(\S+) is not in the glossary$/.exec(problem)?.[1];
  const code = words.replace(/\/\/.*$/gm, '').match(/[A-Za-z][\w+#]*/g) ?? [];
  return stranger ? code.includes(stranger) : /^"[^"]+" is called /.test(problem);
}

// The lines of a translated block, if it has the block's form, and what is wrong with its words.
function said(block, entry, glossary) {
  const all = entry.text === '=' ? [] : inlineProblems(block.words, entry.text, glossary);
  const problems = all.filter((one) => !isCode(one, block));
  try {
    return {lines: written(block, entry.text, slug), problems};
  } catch (error) {
    return {problems: [...problems, error.message]};
  }
}

// A file for a translator to begin with, or to go on with: every block with its digest, in English where nobody has
// translated it; what stands between the blocks and has no words, as a remark. Old translations stay where they are, with the
// digest that they have.
export function prepared(english, translation = '') {
  const blocks = blocksOf(english);
  const entries = entriesOf(translation).entries;
  const found = new Map(
    paired(
      blocks.filter((one) => one.digest),
      entries,
    ).map(({block, entry}) => [block, entry]),
  );
  return (
    blocks
      .map((block) => {
        const entry = found.get(block);
        if (!block.digest)
          return block.kind === 'directive'
            ? `<!-- ${block.lines[0].replaceAll('--', '- -')} -->`
            : '';
        return `<!-- ${entry?.digest ?? block.digest} -->\n${entry?.text || block.words}`;
      })
      .filter(Boolean)
      .join('\n\n') + '\n'
  );
}

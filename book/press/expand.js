// A chapter's Markdown with everything of the course's own taken out: what is left is plain Markdown for Doxygen, with
// tokens that stand for finished HTML. Tokens are words that Doxygen passes on as they are; pages.js puts the HTML back.
import {escape} from '../drawing/html.js';
import {widgets} from '../widgets/all.js';
import {staticWidget} from '../widgets/frame/frame.js';
import {CARDS, FRAMES, formulaHtml, notesHtml, sketchHtml, terminalHtml} from './blocks.js';
import {codeFigure} from './code.js';
import {mistakesHtml, topicsHtml} from './coverage.js';
import {exerciseHtml} from './exercises.js';
import {figureHtml} from './figures.js';
import {inlineHtml, linked, pieceHtml, piecesOf} from './inline.js';
import {questionHtml} from './questions.js';
import {slug} from './slug.js';
import {Withheld, withheldHtml} from './withheld.js';

// chapters/zh/01_banks.md:3
export const placeOf = ({code, file}, line) => `chapters/${code ? `${code}/` : ''}${file}:${line}`;

// What Doxygen calls a page: its labels begin with a letter, and "index" is taken.
export const label = ({code, name}) => `page-${code ? `${code}-` : ''}${name}`;

// `"a b" c=d "e"` as words and settings.
export function argumentsOf(text) {
  const words = [];
  const settings = {};
  const pattern = /\s*(?:(\w+)=(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+))/y;
  while (text.slice(pattern.lastIndex).trim() !== '') {
    const match = pattern.exec(text);
    if (!match) throw new Error(`cannot be read: ${text}`);
    if (match[1]) settings[match[1]] = match[2] ?? match[3];
    else words.push(match[4] ?? match[5]);
  }
  return {words, settings};
}

// {{name rest}}, on a line of its own.
const DIRECTIVES = {
  code(rest) {
    const [path, ...what] = rest.split(/\s+/);
    return codeFigure(path, what.join(' ') || undefined);
  },
  run: terminalHtml,
  widget(rest, page) {
    const {words, settings} = argumentsOf(rest);
    const widget = widgets[words[0]];
    if (!widget)
      throw new Error(`no widget ${words[0]}; there are ${Object.keys(widgets).join(', ')}`);
    page.widgets.push(widget.name);
    return staticWidget(widget, settings);
  },
  exercise: exerciseHtml,
  contents: () => CARDS,
  topics: topicsHtml,
  mistakes: mistakesHtml,
};

// ::: name rest, lines, and ::: at the end.
const BLOCKS = {
  question: (rest, body, page) => questionHtml(body, page),
  figure: figureHtml,
};

// Everything known about a page. `problems`: what is wrong, as "chapters/file:line: sentence"; `html`: what its tokens
// stand for.
function newPage(file, language) {
  return {
    file,
    code: language?.code, // none: English
    name: file.replace(/\.md$/, ''),
    line: 0,
    title: '',
    lead: '',
    sections: [],
    links: [],
    origins: [],
    notes: [],
    exercises: [],
    widgets: [],
    commands: [],
    problems: [],
    questions: 0,
    figures: 0,
    html: [],
    markdown: '',
  };
}

// Walks over a chapter's lines and writes Markdown to `out`.
class Expansion {
  constructor(file, text, {language, lineOf}) {
    this.page = newPage(file, language);
    this.lineOf = lineOf;
    Object.defineProperty(this.page, 'language', {value: language}); // of no use in pages.json
    this.lines = text.replace(/\r\n/g, '\n').split('\n');
    this.out = [];
    this.paragraph = [];
    this.begun = 0; // the line where the paragraph begins
  }

  // The place of a line, in the file that somebody wrote.
  at(line) {
    return placeOf(this.page, this.lineOf?.[line - 1] ?? line);
  }

  token(html) {
    return `TOKEN${this.page.html.push(html) - 1}NEKOT`;
  }

  block(html) {
    this.out.push(`\n${this.token(html)}\n`);
  }

  // A problem ends what stands in its line, and no more: the rest of the chapter is still read.
  guarded(line, work) {
    this.page.line = line;
    try {
      return work();
    } catch (error) {
      if (error instanceof Withheld) this.block(withheldHtml());
      else this.page.problems.push(`${this.at(line)}: ${error.message}`);
    }
  }

  // What the text may not have, since Doxygen would read it as its own, becomes a token.
  plain(text) {
    // A link within the page names it, since Doxygen takes a bare #anchor for one of its own.
    const links = text.replace(/\]\(([^)\s]+)\)/g, (_, target) => {
      const address = linked(target, this.page).replace(/^#/, `${this.page.name}.html#`);
      return `](${address})`;
    });
    return links.replace(/<[^>\s][^>]*>|[<>@\\%&~]|#(?=\w)|::/g, (special, at, whole) => {
      const before = whole.slice(0, at);
      if (special === '>' && /(^|\n)$/.test(before)) return special; // a quotation
      if (special === '#' && /\]\([^)\s]*$/.test(before)) return special; // a link's anchor
      return this.token(escape(special));
    });
  }

  // Doxygen knows emphasis only beside letters, so it is done here.
  emphasised(text) {
    const around = (name) => (_, inner) =>
      `${this.token(`<${name}>`)}${inner}${this.token(`</${name}>`)}`;
    return text
      .replace(/\*\*(?=\S)([^*]+?\S|\S)\*\*/g, around('strong'))
      .replace(/\*(?=\S)([^*]*?\S)\*/g, around('em'));
  }

  markdown(source) {
    const pieces = piecesOf(source).map((piece) =>
      piece.kind === 'text' ? this.plain(piece.text) : this.token(pieceHtml(piece, this.page)),
    );
    return this.emphasised(pieces.join(''));
  }

  // Ends a paragraph, list or table: its margin notes stand right after it.
  flush() {
    if (this.paragraph.length === 0) return;
    const before = this.page.notes.length;
    const inner = this.guarded(this.begun, () => this.markdown(this.paragraph.join('\n'))) ?? '';
    this.paragraph = [];
    const notes = notesHtml(this.page.notes.slice(before), before + 1);
    if (notes.length > 0) this.block('<div class="noted">');
    this.out.push(inner);
    if (notes.length > 0) this.block(`${notes.join('')}</div>`);
  }

  heading(level, written) {
    const {page} = this;
    const [, title, given] = /^([^]*?)(?: \{#([\w-]+)\})?$/.exec(written);
    if (level === 1) {
      if (page.title) throw new Error('a second # title');
      page.title = title;
      return;
    }
    if (!page.title) throw new Error('the first line should be "# Title"');
    const anchor = given ?? slug(title);
    if (page.sections.some((section) => section.anchor === anchor))
      throw new Error(`a second heading makes the anchor #${anchor}`);
    page.sections.push({level, title: inlineHtml(title, page), anchor});
    const id = `${label(page)}--${anchor}`;
    this.out.push('', `${'#'.repeat(level)} ${this.markdown(title)} {#${id}}`, '');
  }

  directive(name, rest) {
    const work = DIRECTIVES[name];
    if (!work)
      throw new Error(`no directive ${name}; there are ${Object.keys(DIRECTIVES).join(', ')}`);
    this.block(work(rest, this.page));
  }

  // The three below begin at line `i` and return the line where they end.

  container(i, name, rest) {
    const end = this.endOfContainer(i);
    this.guarded(i + 1, () => {
      if (BLOCKS[name]) this.block(BLOCKS[name](rest, this.lines.slice(i + 1, end), this.page));
      else if (FRAMES[name]) this.framed(i + 1, end, FRAMES[name](inlineHtml(rest, this.page)));
      else {
        const known = [...Object.keys(BLOCKS), ...Object.keys(FRAMES)];
        throw new Error(`no block ${name}; there are ${known.join(', ')}`);
      }
    });
    return end;
  }

  formula(i) {
    const end = this.lines.indexOf('$$', i + 1);
    if (end < 0) throw new Error('$$ is never closed');
    this.guarded(i + 1, () => this.block(formulaHtml(this.lines.slice(i + 1, end).join('\n'))));
    return end;
  }

  // A sketch in characters, the only thing that may be pasted.
  sketch(i) {
    const end = this.lines.indexOf('```', i + 1);
    if (end < 0) throw new Error('``` is never closed');
    this.guarded(i + 1, () => {
      if (this.lines[i] !== '```text')
        throw new Error(
          'code and output are quoted, not pasted: {{code …}} or {{run …}}; ```text is for sketches',
        );
      this.block(sketchHtml(this.lines.slice(i + 1, end).join('\n')));
    });
    return end;
  }

  framed(from, to, [before, after]) {
    this.block(before);
    this.walk(from, to);
    this.block(after);
  }

  // The line of the ::: that ends a block begun at `begin`; blocks may stand in folds.
  endOfContainer(begin) {
    let depth = 1;
    for (let i = begin + 1; i < this.lines.length; ++i) {
      if (/^::: \w/.test(this.lines[i])) ++depth;
      else if (this.lines[i].trim() === ':::' && --depth === 0) return i;
    }
    throw new Error('::: is never closed');
  }

  // The lines [from, to).
  walk(from, to) {
    for (let i = from; i < to; ++i) {
      const special = this.special(i);
      if (!special) continue;
      this.flush();
      i = this.guarded(i + 1, special) ?? i;
    }
    this.flush();
  }

  // What to do about line `i` when it is no text; text goes to the paragraph.
  special(i) {
    const line = this.lines[i];
    const heading = /^(#{1,4}) (.+)$/.exec(line);
    const directive = /^\{\{(\w+)\s+(.*?)\s*\}\}\s*$/.exec(line);
    const container = /^::: (\w+) ?(.*)$/.exec(line);
    if (heading) return () => this.heading(heading[1].length, heading[2].trim());
    if (directive) return () => this.directive(directive[1], directive[2]);
    if (container) return () => this.container(i, container[1], container[2].trim());
    if (line.trim() === '$$') return () => this.formula(i);
    if (line.startsWith('```')) return () => this.sketch(i);
    if (line.trim() === '') return () => void this.out.push('');
    if (this.isLead(line))
      return () => void (this.page.lead = inlineHtml(line.trim().slice(1, -1), this.page));
    if (this.paragraph.length === 0) this.begun = i + 1;
    this.paragraph.push(line);
    return undefined;
  }

  // The sentence in italics below the title.
  isLead(line) {
    const {page} = this;
    return (
      page.title && !page.lead && page.sections.length === 0 && /^\*[^*].*\*$/.test(line.trim())
    );
  }

  finished() {
    const {page} = this;
    this.walk(0, this.lines.length);
    if (!page.title) page.problems.push(`${this.at(1)}: there is no # title`);
    const body = this.out.join('\n').replace(/\n{3,}/g, '\n\n');
    page.markdown = `# ${escape(page.title)} {#${label(page)}}\n\n${body}\n`;
    return page;
  }
}

// `language`: that of the text, if it is not English; `lineOf`: the line of its file that a line of the text is from.
export const expand = (file, text, {language, lineOf} = {}) =>
  new Expansion(file, text, {language, lineOf}).finished();

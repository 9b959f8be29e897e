// What the source documents teach, and what they get wrong, with its place in the book: chapters/topics.csv and
// chapters/mistakes.csv. Checked against the chapters' text, and printed by {{topics}} and {{mistakes}}.
//
// topics.csv    place: page#section; says: phrases, with ; between, all of which that section has to contain
// mistakes.csv  entry: a section of errata.md; measured: an expression that the entry quotes, with its unit, or "wrong: FILE",
//               a variant that makes the same mistake and that the grader fails, or "none: why there is nothing to measure"
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {element as e, escape} from '../drawing/html.js';
import {chapters} from './folders.js';
import {inlineHtml, linked, valueHtml} from './inline.js';
import {slug} from './slug.js';
import {parseCsv} from './tables.js';
import {chaptersIn} from './translation/languages.js';
import {commentOf} from './variants.js';

const listOf = (name) => {
  const path = join(chapters, name);
  return existsSync(path) ? parseCsv(readFileSync(path, 'utf8')) : []; // another course may have none
};
export const readLists = () => ({topics: listOf('topics.csv'), mistakes: listOf('mistakes.csv')});

// The text of each section of a chapter by its anchor: up to the next heading of its level, or of a higher one.
export function sectionsOf(text) {
  const sections = new Map();
  const open = [];
  for (const line of text.split('\n')) {
    const heading = /^(#{2,4}) (.+?)(?: \{#([\w-]+)\})?$/.exec(line);
    if (heading) {
      const level = heading[1].length;
      while (open.length > 0 && open.at(-1).level >= level) open.pop();
      const section = {level, anchor: heading[3] ?? slug(heading[2]), lines: []};
      sections.set(section.anchor, section.lines);
      open.push(section);
    }
    for (const section of open) section.lines.push(line);
  }
  return new Map([...sections].map(([anchor, lines]) => [anchor, lines.join('\n')]));
}

function topicProblems(row, line, sections) {
  const at = `chapters/topics.csv:${line}: `;
  const [page, anchor] = row.place.split('#');
  const known = sections.get(`${page}.md`);
  if (!known) return [`${at}"${row.topic}" has no place: there is no page ${page || '""'}`];
  const text = known.get(anchor);
  if (text === undefined)
    return [`${at}${page} has no section #${anchor}; it has ${[...known.keys()].join(', ')}`];
  const phrases = row.says
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
  if (phrases.length === 0) return [`${at}"${row.topic}" names no phrase to look for`];
  return phrases
    .filter((phrase) => !text.toLowerCase().includes(phrase.toLowerCase()))
    .map((phrase) => `${at}"${row.topic}": ${row.place} does not say "${phrase}"`);
}

// The checks that a wrong variant fails, as its comment says and `course check` proves.
function checksFailed({measured}) {
  return /^\/\/ wrong: ([^:]+):/.exec(commentOf(measured.slice('wrong: '.length)))?.[1];
}

function mistakeProblems(row, line, errata) {
  const at = `chapters/mistakes.csv:${line}: `;
  const text = errata.get(row.entry);
  if (text === undefined) return [`${at}errata.md has no entry #${row.entry}`];
  if (/^none: \S/.test(row.measured)) return [];
  if (row.measured.startsWith('wrong: '))
    return checksFailed(row)
      ? []
      : [`${at}${row.measured} is no variant that begins with "// wrong: "`];
  const quoted = [...text.matchAll(/\{\{=\s*(.*?)\s*(?::\s*\d)?\s*\}\}/g)].map((one) => one[1]);
  return quoted.includes(row.measured)
    ? []
    : [`${at}the entry #${row.entry} does not quote ${row.measured || 'a measurement'}`];
}

// Entries are the sections of errata.md that have none of their own inside.
const isEntry = (text) => text.startsWith('### ');

// Problems of the lists against the chapters, [{file, text}], as "chapters/file:line: sentence".
export function coverageProblems(files, {topics, mistakes}) {
  const sections = new Map(files.map(({file, text}) => [file, sectionsOf(text)]));
  const errata = sections.get('errata.md') ?? new Map();
  const unlisted = [...errata]
    .filter(([anchor, text]) => isEntry(text) && !mistakes.some((row) => row.entry === anchor))
    .map(([anchor]) => `chapters/mistakes.csv:1: the entry #${anchor} of errata.md is not listed`);
  return [
    ...topics.flatMap((row, i) => topicProblems(row, i + 2, sections)),
    ...mistakes.flatMap((row, i) => mistakeProblems(row, i + 2, errata)),
    ...unlisted,
  ];
}

const scrolled = (label, head, rows) =>
  e(
    'div',
    {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label},
    e(
      'table',
      {},
      e(
        'thead',
        {},
        e(
          'tr',
          {},
          head.map((title) => e('th', {}, title)),
        ),
      ),
      e(
        'tbody',
        {},
        rows.map((cells) =>
          e(
            'tr',
            {},
            cells.map((cell) => e('td', {}, cell)),
          ),
        ),
      ),
    ),
  );

// The text of a chapter in a language; all are read once.
const inLanguage = new Map();
function textOf(name, language) {
  if (!language) return readFileSync(join(chapters, `${name}.md`), 'utf8');
  if (!inLanguage.has(language.code)) {
    const english = readdirSync(chapters)
      .filter((file) => file.endsWith('.md'))
      .map((file) => ({file, text: textOf(file.slice(0, -3))}));
    inLanguage.set(language.code, chaptersIn(language, english));
  }
  return inLanguage.get(language.code).find(({file}) => file === `${name}.md`).text;
}

// Where a topic is, as "Chapter 2, One word longer", or with the page's own title.
function placeHtml({place}, page) {
  const [name, anchor] = place.split('#');
  const text = textOf(name, page.language);
  const titleOf = (line) => inlineHtml(line.replace(/^#+ | \{#[\w-]+\}$/g, ''), page);
  const section = sectionsOf(text).get(anchor);
  if (!section) throw new Error(`${name} has no section #${anchor}`);
  const whose = /^\d/.test(name)
    ? e('span', {}, `Chapter ${Number(name.slice(0, 2))}`)
    : titleOf(text.split('\n')[0]);
  const address = linked(`${name}.md#${anchor}`, page);
  const comma = page.language?.wide ? '\uff0c' : ', ';
  return e('a', {href: address}, `${whose}${comma}${titleOf(section.split('\n')[0])}`);
}

// {{topics 001}}: the topics of one document, each with links to its places.
export function topicsHtml(document, page) {
  const rows = readLists().topics.filter((row) => row.document === document);
  if (rows.length === 0) throw new Error(`topics.csv has nothing of a document ${document}`);
  const titles = [...new Set(rows.map((row) => row.topic))];
  return scrolled(
    `topics of document ${document}`,
    ['topic', 'where'],
    titles.map((topic) => [
      inlineHtml(topic, page),
      rows
        .filter((row) => row.topic === topic)
        .map((row) => placeHtml(row, page))
        .join('<br>'),
    ]),
  );
}

function measuredHtml(row, page) {
  if (row.measured.startsWith('none: ')) return escape(row.measured.slice('none: '.length));
  if (!row.measured.startsWith('wrong: '))
    return `${valueHtml(row.measured, page)} ${escape(row.unit)}`;
  const file = row.measured.split('/').at(-1);
  if (!checksFailed(row)) return e('code', {}, escape(file)); // students have no wrong variants
  return `fails ${escape(checksFailed(row))}: ${e('code', {}, escape(file))}`;
}

// {{mistakes all}}: what the documents get wrong, with the entry of the errata and its measurement.
export function mistakesHtml(_, page) {
  return scrolled(
    'mistakes of the documents',
    ['document', 'claim', 'measured'],
    readLists().mistakes.map((row) => [
      escape(row.document),
      e('a', {href: linked(`errata.md#${row.entry}`, page)}, inlineHtml(row.claim, page)),
      measuredHtml(row, page),
    ]),
  );
}

// The terms of a language where it is said outside of its chapters and exercises: the phrases of pages and widgets (words.toml),
// the messages of the command line (po/CATALOGUE.po), and the documents (README.zh.md, labs/README.zh.md). They say the glossary's
// words, too; nobody asks for Latin words there, which are names of options and files. A document has what its English has, by its
// commands, headings and rows of tables: its sentences are not followed one by one, as a chapter's are.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isOwn, load, root} from '../folders.js';
import {documentsIn} from './documents.js';
import {glossaryOf} from './languages.js';

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

// The messages of a catalogue: [{english, said, line}], one for each form of a plural. What is fuzzy or obsolete is not used.
export function messagesIn(po) {
  const found = [];
  let fields = [];
  const settle = () => {
    const english = fields.find(({name}) => name === 'msgid')?.text;
    for (const {name, text, line} of fields)
      if (english && text && name.startsWith('msgstr')) found.push({english, said: text, line});
    fields = [];
  };
  let isFuzzy = false;
  po.split('\n').forEach((row, i) => {
    const [, name, quoted] = /^(?:(msg\w+(?:\[\d+\])?) )?"(.*)"$/.exec(row) ?? [];
    if (quoted === undefined) {
      if (isFuzzy) fields = [];
      settle();
      isFuzzy = row.startsWith('#,') ? row.includes('fuzzy') : isFuzzy && row.startsWith('#');
    } else if (name) fields.push({name, text: quoted, line: i + 1});
    else if (fields.length > 0) fields.at(-1).text += quoted;
  });
  if (isFuzzy) fields = [];
  settle();
  return found;
}

// Commands, options, paths and names with a point in them are code, wherever they stand.
const withoutCode = (text) =>
  text.replace(
    /\bcourse [a-z]+(?: [a-z]+(?= --))?|--[a-z][\w-]*(?:[ =][a-z]+\b)?|[\w.]+(?:\/[\w.]+)+|\b\w+\.\w+/g,
    ' ',
  );
// A list of names is the same in every language.
const isNames = (text) => !/(?!\p{Script=Latin})\p{L}/u.test(text);

export const catalogueProblems = (po, glossary) =>
  messagesIn(po).flatMap(({english, said, line}) =>
    !glossary.isLatin && isNames(said)
      ? []
      : glossary.termProblems(withoutCode(english), said).map((says) => ({line, says})),
  );

export const documentProblems = (text, glossary) =>
  text
    .split('\n')
    .flatMap((row, i) => glossary.neverProblems(row).map((says) => ({line: i + 1, says})));

const linesIn = (text, pattern) => text.split('\n').filter((row) => pattern.test(row));
const commandsIn = (text) =>
  linesIn(text, /^(?:COURSE_ROOT=\S+ )?\.\/course /).map((row) => row.replace(/ +#.*/, '').trim());
const without = (these, those) => these.filter((one) => !those.includes(one));

// What a document and its English do not have in common.
export function pairProblems(english, text) {
  const [theirs, own] = [commandsIn(english), commandsIn(text)];
  const counted = [
    ['headings', /^#+ /],
    ['rows of tables', /^\|/],
  ].map(([what, pattern]) => [
    what,
    linesIn(english, pattern).length,
    linesIn(text, pattern).length,
  ]);
  return [
    ...without(theirs, own).map((one) => `the English has the command ${one}`),
    ...without(own, theirs).map((one) => `the English has no command ${one}`),
    ...counted
      .filter(([, those, these]) => those !== these)
      .map(([what, those, these]) => `${those} ${what} in English, and ${these} here`),
  ].map((says) => ({line: 1, says}));
}

export const phraseProblems = (table, glossary) =>
  Object.entries(table).flatMap(([english, said]) =>
    glossary.neverProblems(said).map((says) => `"${english}": ${says}`),
  );

// Problems with their place.
export function termsElsewhere(language) {
  if (isOwn) return []; // they are said by this course
  const {code, folder, catalogue} = language;
  const glossary = glossaryOf(language);
  const placed = (path, problems) => problems.map(({line, says}) => `${path}:${line}: ${says}`);
  const words = load('smol-toml').parse(textOf(join(folder, 'words.toml')));
  return [
    ...phraseProblems(Object.assign({}, ...Object.values(words)), glossary).map(
      (says) => `chapters/${code}/words.toml: ${says}`,
    ),
    ...placed(
      `po/${catalogue}.po`,
      catalogueProblems(textOf(join(root, 'po', `${catalogue}.po`)), glossary),
    ),
    ...documentsIn(language).flatMap(({name, english, text}) =>
      placed(name, [...documentProblems(text, glossary), ...pairProblems(english, text)]),
    ),
  ];
}

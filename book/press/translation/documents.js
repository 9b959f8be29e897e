// The documents beside the book in another language: README.zh.md is README.md. Each section has, in the line below its heading,
// the digest of the English section that it translates, `<!-- of: 285fa66 -->`; where the English is another one by now, it is work
// to be done.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isOwn, root} from '../folders.js';
import {digestOf} from './blocks.js';

const MARK = /^<!-- of: ([0-9a-f]{7}) -->$/;

// From a heading to the next one: {line, of, words}, `of` of a translation.
export function sectionsOf(text) {
  const sections = [];
  let isCode = false;
  text.split('\n').forEach((row, i) => {
    if (row.startsWith('```')) isCode = !isCode;
    const of = MARK.exec(row)?.[1];
    if (!isCode && /^#+ /.test(row)) sections.push({line: i + 1, rows: [row]});
    else if (of && sections.length > 0) sections.at(-1).of = of;
    else sections.at(-1)?.rows.push(row);
  });
  return sections.map(({rows, ...section}) => ({...section, words: rows.join('\n').trim()}));
}

// What is left to do: [{state, line, digest, was, words}]. Sections that only one of the two has are pairProblems'.
export function documentQueue(english, text) {
  const own = sectionsOf(text);
  return sectionsOf(english)
    .slice(0, own.length)
    .map(({words}, i) => ({...own[i], digest: digestOf(words), words}))
    .filter(({of, digest}) => of !== digest)
    .map(({line, of: was, digest, words}) => ({state: 'stale', line, digest, was, words}));
}

const textOf = (name) => readFileSync(join(root, name), 'utf8');

// Of a language: [{name, english, text}].
export const documentsIn = ({code}) =>
  isOwn
    ? [] // they are said by this course
    : ['', 'labs']
        .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
        .filter((name) => name.endsWith(`.${code}.md`))
        .map((name) => ({
          name,
          english: textOf(name.replace(`.${code}.md`, '.md')),
          text: textOf(name),
        }));

export const documentsLeft = (language) =>
  documentsIn(language).flatMap(({name, english, text}) =>
    documentQueue(english, text).map((one) => ({name, ...one})),
  );

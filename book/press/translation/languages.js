// The languages that the book is translated into: the folders of chapters/ that have a language.toml.
import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {chapters, exercisesIn, load, root} from '../folders.js';
import {Glossary} from './glossary.js';
import {spacedLines, widened} from './punctuation.js';
import {translated} from './translation.js';

const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

// What a language knows besides its chapters (its name, terms, phrases): somebody's own course need not say it again.
const partsOf = (code, name) =>
  [...new Set([join(root, 'chapters', code, name), join(chapters, code, name)])].filter(existsSync);
export const partOf = ({code}, name) => partsOf(code, name).at(-1);
export const textsOf = ({code}, name) => partsOf(code, name).map(textOf);

// {code, name, tag, latin, wide, folder}, in the order of their codes.
const isLanguage = (code) => partsOf(code, 'language.toml').length > 0;
export const languages = () =>
  readdirSync(chapters)
    .sort()
    .filter((code) => statSync(join(chapters, code)).isDirectory() && isLanguage(code))
    .map((code) => {
      const folder = join(chapters, code);
      return {...load('smol-toml').parse(textOf(partOf({code}, 'language.toml'))), code, folder};
    });

export function languageOf(code) {
  const found = languages().find((one) => one.code === code);
  if (!found)
    throw new Error(
      `no language ${code ?? ''}; there are ${languages()
        .map((one) => one.code)
        .join(', ')}`,
    );
  return found;
}

export const glossaryOf = (language) =>
  new Glossary(readFileSync(partOf(language, 'glossary.csv'), 'utf8'), language.latin);

// The chapters in a language: what `translated` returns, and of each its file and whether somebody has begun it.
export function chaptersIn(language, english) {
  const glossary = glossaryOf(language);
  return english.map(({file, text}) => {
    const translation = textOf(join(language.folder, file));
    return {file, isBegun: translation !== '', ...translated(text, translation, glossary)};
  });
}

const namesIn = (folder, ending) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(ending)) : [];

// Files in the folder that translate nothing, as problems.
export const strangersIn = ({folder, code}, english) => [
  ...namesIn(folder, '.md')
    .filter((name) => !english.some(({file}) => file === name))
    .map((name) => `chapters/${code}/${name}:1: there is no chapters/${name}`),
  ...namesIn(join(folder, 'labs'), '.toml')
    .filter((name) => exercisesIn(name.replace('.toml', '')).length === 0)
    .map((name) => `chapters/${code}/labs/${name}: there is no lab of this name`),
];

// Chapters and exercises of a language: [{name, text}].
const textsIn = ({folder}) =>
  [
    ...namesIn(folder, '.md'),
    ...namesIn(join(folder, 'labs'), '.toml').map((name) => join('labs', name)),
  ].map((name) => ({name, text: textOf(join(folder, name))}));

// Of a language with wide characters: {name, tidy} of each file whose punctuation is not as it should be, and how it should.
export const narrowIn = (language) =>
  (language.wide ? textsIn(language) : [])
    .map(({name, text}) => ({name, text, tidy: widened(text)}))
    .filter(({text, tidy}) => text !== tidy);

// And where code has got wide marks, as problems.
export const spacedIn = (language) =>
  (language.wide ? textsIn(language) : []).flatMap(({name, text}) =>
    spacedLines(text).map(
      (line) =>
        `chapters/${language.code}/${name}:${line}: a space beside a wide mark; code stands between \`…\``,
    ),
  );

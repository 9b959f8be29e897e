// How far the translations are, and what is wrong with them.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {exercisesIn, labs} from '../folders.js';
import {documentsLeft} from './documents.js';
import {termsElsewhere} from './elsewhere.js';
import {labChecked} from './exercises.js';
import {chaptersIn, glossaryOf, languages, narrowIn, spacedIn, strangersIn} from './languages.js';

// Blocks of chapters, labs and documents that somebody has begun to translate and that are not done, as problems of a release.
export const unfinished = (english, documents = documentsLeft) =>
  languages().flatMap((language) => [
    ...chaptersIn(language, english)
      .filter((one) => one.isBegun)
      .flatMap(({file, queue}) =>
        queue.map(({state, line}) => `chapters/${language.code}/${file}:${line}: ${state}`),
      ),
    ...labsIn(language)
      .filter((one) => one.isBegun)
      .flatMap(({lab, queue}) =>
        queue.map(
          ({state, where}) => `chapters/${language.code}/labs/${lab}.toml: ${where}: ${state}`,
        ),
      ),
    ...documents(language).map(({name, line, state}) => `${name}:${line}: ${state}`),
  ]);

export const allLabs = () => readdirSync(labs).filter((name) => exercisesIn(name).length > 0);
export const labsIn = (language) => {
  const glossary = glossaryOf(language);
  return allLabs().map((lab) => ({lab, ...labChecked(language, lab, glossary)}));
};

// Whether a problem is of what was asked for: of a chapter (zh/01_banks.md), or of all that is said in a language (zh).
export function isOf(problem, asked) {
  const language = languages().find(({code}) => code === asked);
  if (!language) return problem.startsWith(`chapters/${asked}:`);
  return (
    [`chapters/${asked}/`, `po/${language.catalogue}.po:`].some((one) => problem.startsWith(one)) ||
    /^(?:labs\/)?\w+\.(\w+)\.md:/.exec(problem)?.[1] === asked
  );
}

// {problems, notes}: what is wrong with the translations, and what is left to translate.
export function translationsChecked(english, documents = documentsLeft) {
  const told = languages().map((language) => {
    const begun = chaptersIn(language, english).filter((one) => one.isBegun);
    const labs = labsIn(language).filter((one) => one.isBegun);
    const left =
      [...begun, ...labs].reduce((sum, one) => sum + one.queue.length, 0) +
      documents(language).length;
    return {
      problems: [
        ...strangersIn(language, english),
        ...narrowIn(language).map(
          ({name}) =>
            `chapters/${language.code}/${name}: punctuation: press.mjs tidy ${language.code}`,
        ),
        ...spacedIn(language),
        ...termsElsewhere(language),
        ...labs.flatMap((one) => one.problems),
        ...begun.flatMap(({file, problems}) =>
          problems.map(({line, says}) => `chapters/${language.code}/${file}:${line}: ${says}`),
        ),
      ],
      notes: [
        `${language.name}: ${begun.length} of ${english.length} pages, the exercises of ${labs.length} labs, ${left === 0 ? 'all of them up to date' : `${left} blocks to do: press.mjs stale ${language.code}`}`,
      ],
    };
  });
  return {
    problems: told.flatMap((one) => one.problems),
    notes: told.flatMap((one) => one.notes),
  };
}

// The pages of the book in their order, and what only all of them together can show: links, and exercises set once.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expand, placeOf} from './expand.js';
import {chapters, course, exercisesIn, isOwn, labs} from './folders.js';
import {anchorsOf, movedProblems} from './moved.js';
import {chaptersIn, languages} from './translation/languages.js';

const AFTER = [
  'programs.md',
  'moves.md',
  'devices.md',
  'calls.md',
  'glossary.md',
  'measuring.md',
  'checker.md',
  'hopper.md',
  'nsight.md',
  'security.md',
  'errata.md',
  'topics.md',
];

// index.md, the numbered chapters, then those that come after. In somebody's own course these are called as its author likes,
// and come in the order of the alphabet.
export function filesInOrder(names, after = isOwn ? othersOf(names) : AFTER) {
  const numbered = names.filter((name) => /^\d\d_.+\.md$/.test(name)).sort();
  const known = ['index.md', ...numbered, ...after];
  const strangers = names.filter(
    (name) =>
      name.endsWith('.md') && name !== 'README.md' && name !== 'STYLE.md' && !known.includes(name),
  );
  if (strangers.length > 0)
    throw new Error(
      `chapters/${strangers[0]}: a chapter is called ${['NN_name.md', 'index.md', ...after].join(', ')}`,
    );
  return known.filter((name) => names.includes(name));
}

const othersOf = (names) =>
  names.filter((name) => /^[a-z]\w*\.md$/.test(name) && name !== 'index.md').sort();

export function readChapters() {
  if (!existsSync(chapters))
    throw new Error(
      `${course} has no chapters: write chapters/NN_name.md for a lab NN_name, and in it {{exercise NN_name/K_step}}`,
    );
  return filesInOrder(readdirSync(chapters)).map((file) => ({
    file,
    text: readFileSync(join(chapters, file), 'utf8'),
  }));
}

// The same in another language: as far as somebody has translated them, and else in English.
const readTranslated = (language, english) =>
  chaptersIn(language, english).map(({file, text, lineOf, isBegun}, i) =>
    isBegun
      ? {file, text, lineOf, language}
      : {file, text: english[i].text, language, isEnglish: true},
  );

// The pages in English, and those of each language behind them; `problems` are those of all.
export function expandLanguages(english = readChapters()) {
  const all = [
    expandAll(english),
    ...languages().map((language) => expandAll(readTranslated(language, english))),
  ];
  return {
    pages: all.flatMap((one) => one.pages),
    problems: [
      ...all.flatMap((one) => one.problems),
      ...labsMissed(english),
      ...movedProblems(all[0].pages),
    ],
    missing: all.flatMap((one) => one.missing),
  };
}

// Expands all, and returns {pages, problems, missing}: problems are errors, missing are links to chapters that are not
// written.
export function expandAll(files = readChapters()) {
  const pages = files.map(({file, text, ...of}) =>
    Object.assign(expand(file, text, of), of.isEnglish ? {isEnglish: true} : {}),
  );
  const own = pages.filter(({isEnglish}) => !isEnglish); // of the others the English book has said it
  const {broken, missing} = brokenLinks(own, pages);
  return {
    pages,
    problems: [...own.flatMap((page) => page.problems), ...broken, ...exercisesMissed(own, pages)],
    missing,
  };
}

function brokenLinks(own, pages) {
  const broken = [],
    missing = [];
  for (const page of own)
    for (const {target, line} of page.links) {
      if (/^https?:/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const there = file === '' ? page : pages.find((one) => one.file === file);
      const at = `${placeOf(page, line)}: `;
      if (!isOwn && /^(\.\.\/)?reference\//.test(file)) continue;
      if (
        !there &&
        !isOwn &&
        (existsSync(join(labs, file.replace(/\.md$/, ''))) || [...AFTER, 'index.md'].includes(file))
      )
        missing.push(`${at}${file} is not written`);
      else if (!there) broken.push(`${at}a link to ${target}, and there is no such page`);
      else if (anchor && !anchorsOf(there).includes(anchor))
        broken.push(`${at}a link to ${target}; the page has ${anchorsOf(there).join(', ')}`);
    }
  return {broken, missing};
}

// Every exercise of a lab is set once: in the chapter of the lab's name, or in one that goes on with the lab.
function exercisesMissed(own, pages) {
  const problems = [];
  const set = pages.flatMap(({exercises}) => exercises);
  const met = new Set();
  for (const page of own) {
    for (const id of exercisesIn(page.name))
      if (!set.includes(id))
        problems.push(`${placeOf(page, 1)}: the exercise ${id} is not set: {{exercise ${id}}}`);
    for (const id of page.exercises) {
      if (met.has(id)) problems.push(`${placeOf(page, 1)}: the exercise ${id} is set twice`);
      met.add(id);
    }
  }
  return problems;
}

// A lab without a chapter is one that readers do not see.
const labsMissed = (files) =>
  readdirSync(labs)
    .filter((lab) => exercisesIn(lab).length > 0 && !files.some(({file}) => file === `${lab}.md`))
    .map(
      (lab) =>
        `labs/${lab}: there is no chapters/${lab}.md, which would set ${exercisesIn(lab).join(', ')}`,
    );

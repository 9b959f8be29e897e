// The pages of the book in their order, and what only all of them together can show: links, and exercises set once.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expand} from './expand.js';
import {chapters, exercisesIn, root} from './folders.js';

const AFTER = [
  'programs.md',
  'measuring.md',
  'hopper.md',
  'nsight.md',
  'security.md',
  'errata.md',
  'topics.md',
];

// index.md, the numbered chapters, then those that come after.
export function filesInOrder(names) {
  const numbered = names.filter((name) => /^\d\d_.+\.md$/.test(name)).sort();
  const known = ['index.md', ...numbered, ...AFTER];
  const strangers = names.filter(
    (name) => name.endsWith('.md') && name !== 'README.md' && !known.includes(name),
  );
  if (strangers.length > 0)
    throw new Error(
      `chapters/${strangers[0]}: a chapter is called NN_name.md, index.md or ${AFTER.join(', ')}`,
    );
  return known.filter((name) => names.includes(name));
}

export const readChapters = () =>
  filesInOrder(readdirSync(chapters)).map((file) => ({
    file,
    text: readFileSync(join(chapters, file), 'utf8'),
  }));

// Expands all, and returns {pages, problems, missing}: problems are errors, missing are links to chapters that are not
// written.
export function expandAll(files = readChapters()) {
  const pages = files.map(({file, text}) => expand(file, text));
  const {broken, missing} = brokenLinks(pages);
  return {
    pages,
    problems: [...pages.flatMap((page) => page.problems), ...broken, ...exercisesMissed(pages)],
    missing,
  };
}

function brokenLinks(pages) {
  const broken = [],
    missing = [];
  for (const page of pages)
    for (const {target, line} of page.links) {
      if (/^https?:/.test(target)) continue;
      const [file, anchor] = target.split('#');
      const there = file === '' ? page : pages.find((one) => one.file === file);
      const at = `chapters/${page.file}:${line}: `;
      if (file.startsWith('reference/')) continue;
      if (
        !there &&
        (existsSync(join(root, 'labs', file.replace(/\.md$/, ''))) ||
          [...AFTER, 'index.md'].includes(file))
      )
        missing.push(`${at}${file} is not written`);
      else if (!there) broken.push(`${at}a link to ${target}, and there is no such page`);
      else if (anchor && !anchorsOf(there).includes(anchor))
        broken.push(`${at}a link to ${target}; the page has ${anchorsOf(there).join(', ')}`);
    }
  return {broken, missing};
}

const anchorsOf = (page) => [
  ...page.sections.map((section) => section.anchor),
  ...page.exercises.map((id) => `exercise-${id.split('/')[1]}`),
  ...Array.from({length: page.figures}, (_, i) => `figure-${i + 1}`),
];

// A chapter sets every exercise of its lab, each once.
function exercisesMissed(pages) {
  const problems = [];
  for (const page of pages) {
    for (const id of exercisesIn(page.name))
      if (!page.exercises.includes(id))
        problems.push(`chapters/${page.file}:1: the exercise ${id} is not set: {{exercise ${id}}}`);
    page.exercises.forEach((id, i) => {
      if (page.exercises.indexOf(id) !== i)
        problems.push(`chapters/${page.file}:1: the exercise ${id} is set twice`);
    });
  }
  return problems;
}

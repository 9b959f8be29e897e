// Where an address leads that readers may have kept. chapters/moved.csv has the sections and figures that are now on another
// page, as page#section and page#figure-1; an exercise that another page sets than the one called as its lab needs no row.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {chapters} from './folders.js';
import {parseCsv} from './tables.js';

export function movedRows() {
  const path = join(chapters, 'moved.csv');
  return existsSync(path) ? parseCsv(readFileSync(path, 'utf8')) : [];
}

const anchorOf = (id) => `exercise-${id.split('/')[1]}`;

// What an address of the page may name after its #.
export const anchorsOf = (page) => [
  ...page.sections.map((section) => section.anchor),
  ...page.exercises.map(anchorOf),
  ...Array.from({length: page.figures}, (_, i) => `figure-${i + 1}`),
];

// {anchor: address} of what once stood on `page`; `pages` are those of its language.
export function movedFrom(page, pages, rows = movedRows()) {
  const moved = rows
    .map(({from, to}) => [...from.split('#'), ...to.split('#')])
    .filter(([name]) => name === page.name)
    .map(([, anchor, name, there]) => [anchor, `${name}.html#${there}`]);
  for (const {name, exercises} of pages)
    for (const id of exercises ?? [])
      if (name !== page.name && id.startsWith(`${page.name}/`))
        moved.push([anchorOf(id), `${name}.html#${anchorOf(id)}`]);
  return Object.fromEntries(moved);
}

// Rows that lead nowhere, or away from what is still there.
export function movedProblems(pages, rows = movedRows()) {
  const has = (place) => {
    const [name, anchor] = place.split('#');
    const page = pages.find((one) => one.name === name);
    return page ? anchorsOf(page).includes(anchor) : false;
  };
  return rows.flatMap(({from, to}, i) => {
    const at = `chapters/moved.csv:${i + 2}: `;
    return [
      !pages.some(({name}) => name === from.split('#')[0]) && `${at}there is no page of ${from}`,
      has(from) && `${at}${from} is still there`,
      !has(to) && `${at}there is no ${to}`,
    ].filter(Boolean);
  });
}

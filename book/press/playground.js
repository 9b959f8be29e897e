// The playground: a page where any program is run, while `course serve` serves the book (book/live/playground.js). Here is what of
// it is there without a server, and the programs that it opens.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {element as e, escape} from '../drawing/html.js';
import {labs} from './folders.js';

// Every whole program that a lab shows: [{id: "05_transpose/transposes", text}].
export function demoPrograms(folder = labs) {
  const demosOf = (lab) => join(folder, lab, 'demo');
  return readdirSync(folder)
    .filter((lab) => /^\d\d_/.test(lab) && existsSync(demosOf(lab)))
    .sort()
    .flatMap((lab) =>
      readdirSync(demosOf(lab))
        .filter((name) => /^\w+\.cu$/.test(name))
        .sort()
        .map((name) => ({
          id: `${lab}/${name.slice(0, -3)}`,
          text: readFileSync(join(demosOf(lab), name), 'utf8'),
        })),
    );
}

// The page's own script, since a page from a file may ask for nothing.
export const programsScript = (programs) =>
  `window.bookPrograms = ${JSON.stringify(programs).replace(/</g, '\\u003c')};\n`;

// The name of the chapter that shows a program: that of its lab, or one that runs it where the lab's own does not.
function chapterOf({id}, pages) {
  const [lab, name] = id.split('/');
  const runs = ({commands = []}) =>
    commands.some((one) => one.endsWith(` labs/${lab}/demo/${name}.cu`));
  const running = pages.filter((page) => /^\d\d_/.test(page.name) && runs(page));
  return (running.find((page) => page.name === lab) ?? running[0])?.name ?? lab;
}

// "Open": programs by the chapters that show them, under the titles that these have in the page's language.
function choice(programs, pages) {
  const shown = programs.map((one) => ({...one, chapter: chapterOf(one, pages)}));
  const groups = [...new Set(shown.map(({chapter}) => chapter))].map((chapter) => ({
    title: pages.find(({name}) => name === chapter)?.title ?? chapter,
    of: shown.filter((one) => one.chapter === chapter),
  }));
  return e(
    'p',
    {class: 'field play-open', hidden: true},
    e('label', {for: 'play-program'}, 'Open a program'),
    e(
      'select',
      {id: 'play-program'},
      e('option', {value: 'own', disabled: true, hidden: true}, 'Your own'),
      e('option', {value: 'first', selected: true}, 'A small one to begin with'),
      groups.map(({title, of}) =>
        e(
          'optgroup',
          {label: title},
          of.map(({id}) => e('option', {value: id, translate: 'no'}, `${escape(id)}.cu`)),
        ),
      ),
    ),
  );
}

const TITLE = 'Playground';
const LEAD =
  'A whole program, run without a GPU: what each of its lines costs, what is wrong, and what it prints.';

// What the search knows of the page. `find`: its words in another language.
export function playgroundDocument(find = (text) => text) {
  const [title, text] = [find(TITLE) ?? TITLE, find(LEAD) ?? LEAD];
  const names = `${TITLE}\ncourse serve`;
  return {id: 'playground', page: title, address: 'playground.html', title, text, names};
}

export const playgroundMain = (programs, pages) =>
  e(
    'article',
    {class: 'playground'},
    e('header', {class: 'head'}, e('div', {}, e('h1', {}, TITLE), e('p', {class: 'lead'}, LEAD))),
    e(
      'section',
      {class: 'without-server', 'aria-label': 'Without a server'},
      e(
        'p',
        {},
        'Programs are compiled and run by a server of your own, which this page has not found. In the folder of the course:',
      ),
      e(
        'pre',
        {tabindex: 0, role: 'region', 'aria-label': 'commands'},
        e('code', {}, e('span', {class: 'line'}, './course serve')),
      ),
      e(
        'p',
        {},
        'It prints an address and opens it; the playground stands at the end of the contents. A link that somebody gave you opens there, too. Without a browser, this does the same:',
      ),
      e(
        'pre',
        {tabindex: 0, role: 'region', 'aria-label': 'commands'},
        e('code', {}, e('span', {class: 'line'}, './course run program.cu')),
      ),
    ),
    choice(programs, pages),
  );

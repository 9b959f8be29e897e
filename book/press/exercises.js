// {{exercise …}}: the box at the place where an exercise is due. Its text is the head of the student's file.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {element as e, escape} from '../drawing/html.js';
import {root} from './folders.js';
import {hintsOf} from './hints.js';
import {codeMarked, taskOf} from './task.js';

const withCode = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const HINTS = ['a nudge', 'says more', 'says how'];

// The three hints of `course hint`, each in a fold of its own: who opens one has decided to.
function hintsHtml(id) {
  return e(
    'div',
    {class: 'hints'},
    hintsOf(id).map((hint, i) =>
      e(
        'details',
        {class: 'hint'},
        e(
          'summary',
          {},
          e('span', {}, `Hint ${i + 1} of 3`),
          ' ',
          e('span', {class: 'warns'}, `${HINTS[i]}; nobody counts it here`),
        ),
        e('p', {}, withCode(codeMarked(hint))),
      ),
    ),
  );
}

const commandsHtml = (id) =>
  e(
    'div',
    {class: 'commands'},
    e(
      'pre',
      {tabindex: 0, role: 'region', 'aria-label': 'commands'},
      e(
        'code',
        {},
        [`$EDITOR labs/${id}.cu`, `./course grade ${id}`, `./course hint ${id}`]
          .map((line) => e('span', {class: 'line'}, line))
          .join('\n'),
      ),
    ),
  );

export function exerciseHtml(id, page) {
  const path = join(root, 'labs', `${id}.cu`);
  if (!existsSync(path)) throw new Error(`there is no labs/${id}.cu`);
  page.exercises.push(id);
  const {title, task} = taskOf(readFileSync(path, 'utf8'), id);
  return e(
    'section',
    {class: 'exercise', id: `exercise-${id.split('/')[1]}`, 'aria-label': `Exercise ${id}`},
    e(
      'p',
      {class: 'exercise-title'},
      e('span', {class: 'kind'}, `Exercise ${escape(id)}`),
      ' ',
      withCode(title[0].toUpperCase() + title.slice(1)),
    ),
    e('p', {class: 'whence'}, 'How ', e('code', {}, `labs/${escape(id)}.cu`), ' begins:'),
    e(
      'div',
      {class: 'task'},
      task.map((paragraph) => e('p', {}, withCode(paragraph))),
    ),
    commandsHtml(id),
    hintsHtml(id),
  );
}

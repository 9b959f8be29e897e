// {{exercise …}}: the box at the place where an exercise is due. Its text is the head of the student's file.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {element as e, escape} from '../drawing/html.js';
import {root} from './folders.js';
import {hintsOf} from './hints.js';

// Title and task from the comment that a lab's file begins with.
export function taskOf(text, id) {
  const head = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('//')) break;
    head.push(line.slice(2).trim());
  }
  const [first, ...rest] = head;
  if (!first?.startsWith(`${id}: `))
    throw new Error(`the first line of ${id} should be "// ${id}: title"`);
  const task = rest
    .filter((line) => !line.startsWith('./course'))
    .join('\n')
    .trim()
    .split(/\n{2,}/)
    .map((one) => one.replaceAll('\n', ' '));
  return {title: first.slice(id.length + 2), task};
}

const withCode = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

// What C++ in a hint looks like: subscripts, calls, CUDA's words.
const CODE =
  /`[^`]+`|\b(?:float |const |extern )*\w+(?:\[[^\]\n]+\])+(?: = [^;]+;)?|\b__\w+(?:\(\))?|\b(?:thread|block)(?:Idx|Dim)\.[xyz]|\bfor \([^)]*\)|\b\w+\(\)/g;
const withCodeFound = (text) =>
  withCode(text.replace(CODE, (code) => `\`${code.replace(/`/g, '')}\``));

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
        e('p', {}, withCodeFound(hint)),
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

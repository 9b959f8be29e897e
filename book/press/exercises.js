// {{exercise …}}: the box at the place where an exercise is due. Its text is the head of the student's file.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {element as e, escape} from '../drawing/html.js';
import {root} from './folders.js';

// Every exercise of a lab, such as "05_transpose": ids in order.
export const exercisesOf = (lab) =>
  existsSync(join(root, 'labs', lab))
    ? readdirSync(join(root, 'labs', lab))
        .filter((name) => name.endsWith('.cu'))
        .sort()
        .map((name) => `${lab}/${name.slice(0, -3)}`)
    : [];

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
    e(
      'pre',
      {tabindex: 0, role: 'region', 'aria-label': 'commands'},
      e(
        'code',
        {},
        e('span', {class: 'line'}, `$EDITOR labs/${id}.cu`),
        '\n',
        e('span', {class: 'line'}, `./course grade ${id}`),
        '\n',
        e('span', {class: 'line'}, `./course hint ${id}`),
      ),
    ),
  );
}

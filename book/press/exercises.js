// {{exercise …}}: the box at the place where an exercise is due. Its text is the head of the student's file.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {element as e, escape} from '../drawing/html.js';
import {labs} from './folders.js';
import {hintsOf} from './hints.js';
import {codeMarked, taskOf} from './task.js';
import {exerciseIn, partsOf} from './translation/exercises.js';

const withCode = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

// In which language a text is, or that it is in the page's already.
const worded = ({lang, translate}) => ({lang, translate});

const HINTS = ['a nudge', 'says more', 'says how'];

// The hints of `course hint`, each in a fold of its own: who opens one has decided to.
function hintsHtml(hints) {
  return e(
    'div',
    {class: 'hints'},
    hints.map((hint, i) =>
      e(
        'details',
        {class: 'hint'},
        e(
          'summary',
          {},
          e('span', {}, `Hint ${i + 1} of ${hints.length}`),
          ' ',
          e('span', {class: 'warns'}, `${HINTS[i]}; nobody counts it here`),
        ),
        e('p', worded(hint), withCode(codeMarked(hint.text))),
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

// {title, task, hints, doesNotPay} of an exercise, in English and in another language; where nobody has translated them, a remark.
function written(id) {
  const {title, task} = taskOf(readFileSync(join(labs, `${id}.cu`), 'utf8'), id);
  const {does_not_pay} = partsOf(id);
  return {
    title: {text: title},
    task: {text: task},
    hints: hintsOf(id).map((text) => ({text})),
    doesNotPay: does_not_pay && {text: does_not_pay},
  };
}
function told(id, language) {
  const parts = exerciseIn(language, id);
  const states = Object.values(parts).map(({state}) => state);
  const shown = ({state, text}) => ({
    text,
    ...(state === 'missing' ? {lang: 'en'} : {translate: 'no'}),
  });
  return {
    title: shown(parts.title),
    task: {...shown(parts.task), text: parts.task.text.split(/\n{2,}/)},
    hints: [parts.hint_1, parts.hint_2, parts.hint_3].filter(Boolean).map(shown),
    doesNotPay: parts.does_not_pay && shown(parts.does_not_pay),
    remark: states.includes('missing')
      ? 'Not translated yet.'
      : states.includes('stale') && 'The English has changed since this was translated.',
  };
}

export function exerciseHtml(id, page) {
  const path = join(labs, `${id}.cu`);
  if (!existsSync(path)) throw new Error(`there is no labs/${id}.cu`);
  page.exercises.push(id);
  const {title, task, hints, doesNotPay, remark} = page.language
    ? told(id, page.language)
    : written(id);
  return e(
    'section',
    {
      class: 'exercise',
      id: `exercise-${id.split('/')[1]}`,
      'data-exercise': id,
      'aria-label': `Exercise ${id}`,
    },
    e(
      'p',
      {class: 'exercise-title'},
      e('span', {class: 'kind'}, `Exercise ${escape(id)}`),
      ' ',
      e('span', worded(title), withCode(title.text[0].toUpperCase() + title.text.slice(1))),
    ),
    remark && e('p', {class: 'remark'}, remark),
    e('p', {class: 'whence'}, 'How ', e('code', {}, `labs/${escape(id)}.cu`), ' begins:'),
    e(
      'div',
      {class: 'task', ...worded(task)},
      task.text.map((paragraph) => e('p', {}, withCode(paragraph))),
    ),
    doesNotPay && e('p', {class: 'pays', ...worded(doesNotPay)}, withCode(doesNotPay.text)),
    commandsHtml(id),
    e('p', {class: 'whence'}, 'Or on this page, with an editor: ', e('code', {}, './course serve')),
    hintsHtml(hints),
  );
}

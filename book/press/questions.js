// ::: question blocks: predict first, then see. The answer is computed here, never written down.
import {element as e, escape, shownNumber} from '../drawing/html.js';
import {evaluate} from './expression.js';
import {inlineHtml} from './inline.js';

// {ask, answer?, unit?, choices: [text], options: [{text, when}], because}
function parse(lines) {
  const question = {ask: '', choices: [], options: [], because: ''};
  let into = 'ask';
  for (const line of lines) {
    const field = /^(answer|unit|choices|because): *(.*)$/.exec(line);
    const option = /^- (.+) \| when (.+)$/.exec(line);
    if (option) question.options.push({text: option[1], when: option[2]});
    else if (!field) {
      if (into === 'answer' || into === 'unit' || into === 'choices')
        throw new Error(`what is this line of the question: ${line}`);
      question[into] += `${line}\n`;
    } else if (field[1] === 'choices') {
      question.choices = field[2].split(',').map((one) => one.trim());
      into = 'choices';
    } else {
      question[field[1]] = field[2] + '\n';
      into = field[1];
    }
  }
  if (!question.ask.trim()) throw new Error('the question asks nothing');
  if (!question.because.trim()) throw new Error('the question has no because:');
  return question;
}

// The choices to show and the index of the right one; for a typed number, no choices and the answer itself.
function solved(question, page) {
  if (question.options.length > 0) {
    const isTrue = question.options.map(({when}) => {
      const {value, origins} = evaluate(when);
      if (typeof value !== 'boolean') throw new Error(`${when} is no condition`);
      page.origins.push(...origins);
      return value;
    });
    if (isTrue.filter(Boolean).length !== 1)
      throw new Error(
        `${isTrue.filter(Boolean).length} of the question's choices are true: ${question.options
          .filter((_, i) => isTrue[i])
          .map((one) => one.text)
          .join(' | ')}`,
      );
    return {choices: question.options.map((one) => one.text), right: isTrue.indexOf(true)};
  }
  if (!question.answer)
    throw new Error('the question has neither answer: nor - choices with | when');
  const {value, origins} = evaluate(question.answer.trim());
  page.origins.push(...origins);
  if (question.choices.length === 0) {
    if (typeof value !== 'number') throw new Error('a typed answer must be a number');
    return {choices: [], value};
  }
  const right = question.choices.findIndex(
    (choice) => choice === String(value) || Number(choice) === value,
  );
  if (right < 0)
    throw new Error(`the answer is ${value}, and the choices are ${question.choices.join(', ')}`);
  return {choices: question.choices, right};
}

export function questionHtml(lines, page) {
  const question = parse(lines);
  const {choices, right, value} = solved(question, page);
  const number = ++page.questions;
  const unit = question.unit?.trim();
  const answer =
    choices.length > 0
      ? inlineHtml(choices[right], page)
      : `${shownNumber(value)}${unit ? ` ${escape(unit)}` : ''}`;
  return e(
    'section',
    {
      class: 'question',
      'aria-label': `Question ${number}`,
      'data-right': right,
      'data-value': value,
      'data-unit': unit,
    },
    e(
      'p',
      {class: 'ask'},
      e('span', {class: 'kind'}, 'Predict'),
      ' ',
      inlineHtml(question.ask.trim(), page),
    ),
    choices.length > 0 &&
      e(
        'ul',
        {class: 'choices'},
        choices.map((choice) => e('li', {}, inlineHtml(choice, page))),
      ),
    e(
      'details',
      {class: 'answer'},
      e('summary', {}, 'Answer'),
      e(
        'p',
        {},
        e('strong', {}, answer),
        escape(/[.!?\u3002\uff01\uff1f]$/.test(answer) ? ' ' : '. '),
        inlineHtml(question.because.trim(), page),
      ),
    ),
  );
}

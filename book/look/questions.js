import {say} from '../words/say.js';
import {numberIn} from './number_in.js';

// Predict, then reveal: choices become buttons, a number is typed; the answer opens once the reader has committed.
export function questions() {
  document.querySelectorAll('section.question').forEach((question, index) => {
    const answer = question.querySelector('details.answer');
    const choices = question.querySelector('.choices');
    const verdict = document.createElement('p');
    verdict.className = 'verdict';
    verdict.setAttribute('role', 'status');
    const reveal = (isRight) => {
      question.classList.remove('right', 'wrong');
      question.classList.add(isRight ? 'right' : 'wrong');
      verdict.textContent = isRight ? say('Right.') : say('Not what happens.');
      answer.open = true;
    };
    if (choices) asButtons(choices, Number(question.dataset.right), reveal);
    else {
      const {value, unit} = question.dataset;
      answer.before(numberForm(`answer-${index}`, Number(value), unit, reveal, verdict));
    }
    answer.before(verdict);
    answer.querySelector('summary').textContent = say('Answer without guessing');
    answer.addEventListener('toggle', () => {
      if (answer.open) answer.querySelector('summary').textContent = say('Answer');
    });
  });
}

function asButtons(choices, right, reveal) {
  [...choices.children].forEach((item, i) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.innerHTML = item.innerHTML;
    button.querySelectorAll('a').forEach((link) => link.replaceWith(...link.childNodes));
    button.addEventListener('click', () => {
      choices.querySelectorAll('button').forEach((other) => {
        other.setAttribute('aria-pressed', String(other === button));
        other.classList.toggle('is-answer', other === choices.children[right].firstChild);
      });
      reveal(i === right);
    });
    button.setAttribute('aria-pressed', 'false');
    item.replaceChildren(button);
  });
}

function numberForm(id, value, unit, reveal, verdict) {
  const form = document.createElement('form');
  form.className = 'guess';
  form.innerHTML = `<label for="${id}">${say('Your number')}</label><input id="${id}" inputmode="decimal" autocomplete="off">${unit ? `<span class="unit">${unit}</span>` : ''}<button>${say('Check')}</button>`;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = numberIn(form.querySelector('input').value, unit);
    if (typed === undefined) {
      verdict.textContent = say('That is not a number: write one such as 12, 12.5 or 1/8.');
      verdict.closest('.question').classList.remove('right', 'wrong');
      return form.querySelector('input').focus();
    }
    reveal(Math.abs(typed - value) <= 0.005 * Math.abs(value));
  });
  return form;
}

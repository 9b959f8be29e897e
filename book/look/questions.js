import {say} from '../words/say.js';

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
    else answer.before(numberForm(`answer-${index}`, Number(question.dataset.value), reveal));
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

function numberForm(id, value, reveal) {
  const form = document.createElement('form');
  form.className = 'guess';
  form.innerHTML = `<label for="${id}">${say('Your number')}</label><input id="${id}" inputmode="decimal" autocomplete="off"><button>${say('Check')}</button>`;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = form.querySelector('input').value.replaceAll(',', '').trim();
    if (typed === '' || Number.isNaN(Number(typed))) return form.querySelector('input').focus();
    reveal(Math.abs(Number(typed) - value) <= 0.005 * Math.abs(value));
  });
  return form;
}

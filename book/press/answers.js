// On paper the answers of a chapter's questions stand at its end, numbered as the questions are there (print.css), so that nobody
// reads one before he has guessed. On a page that is alive they stand behind a button, beside their questions.
import {element as e} from '../drawing/html.js';

const ANSWER =
  /<section class="question" aria-label="Question (\d+)".*?<details class="answer"><summary>Answer<\/summary>(.*?)<\/details>/gs;

// The answers in the HTML of a chapter; '' where it has no questions.
export function answersAtTheEnd(html) {
  const answers = [...html.matchAll(ANSWER)].map(([, number, answer]) =>
    e('li', {value: number}, answer),
  );
  if (answers.length === 0) return '';
  return e(
    'section',
    {class: 'answers', 'aria-labelledby': 'answers'},
    e('h2', {id: 'answers'}, 'Answers'),
    e('ol', {}, answers),
  );
}

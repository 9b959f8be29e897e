// The page of a class for its instructors, which book/live/class_page.js fills in while `course serve --class` serves the book. Here is
// what of it is there without a server; nothing in the book leads to it.
import {element as e} from '../drawing/html.js';

export const CLASS_TITLE = 'The class';

export const classMain = () =>
  e(
    'article',
    {class: 'class-page'},
    e(
      'header',
      {class: 'head'},
      e(
        'div',
        {},
        e('h1', {}, CLASS_TITLE),
        e('p', {class: 'lead'}, 'Where everybody is, what is hard, who waits.'),
      ),
    ),
    e(
      'div',
      {class: 'class-now'},
      e('p', {}, 'It is for instructors, where the course is served to a class.'),
    ),
  );

// What sketches are made of: boxes of a kind with a text inside, words, lines, and the picture around them.
import {element as e} from './html.js';

export const box = (x, y, width, height, kind, text) =>
  e('rect', {x, y, width, height, class: kind}) +
  (text === undefined
    ? ''
    : e('text', {x: x + width / 2, y: y + height / 2 + 4, class: `middle on-${kind}`}, text));
export const words = (x, y, text, kind = '') => e('text', {x, y, class: kind || undefined}, text);
export const arrow = (d, kind = 'arrow') => e('path', {d, class: kind});
export const times = (count, draw) => Array.from({length: count}, (_, i) => draw(i));

export const sketch = (width, height, label, ...parts) =>
  e(
    'svg',
    {viewBox: `0 0 ${width} ${height}`, class: 'sketch', role: 'img', 'aria-label': label},
    ...parts,
  );

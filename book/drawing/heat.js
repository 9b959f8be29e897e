// A heat map: a row for each request, a column for each bank, the darker the more words the bank has to serve.
import {element as e} from './html.js';

const CELL = 20,
  ROW = 14,
  LEFT = 76,
  TOP = 22;

// rows: for each request the words that each bank serves.
export function heatMap({rows, label}) {
  const most = Math.max(...rows.flat(), 1),
    banks = rows[0].length;
  // On a logarithmic scale: one word is faint, the most is full.
  const strength = (words) =>
    words === 0 ? 0 : most === 1 ? 0.25 : 0.25 + (0.75 * Math.log(words)) / Math.log(most);
  const head = Array.from({length: banks}, (_, bank) =>
    e('text', {x: LEFT + (bank + 0.5) * CELL, y: 15, class: 'axis middle'}, bank),
  );
  const cells = rows.map((row, i) => {
    const y = TOP + i * ROW;
    return e(
      'g',
      {},
      e('text', {x: LEFT - 8, y: y + 10, class: 'axis end'}, `request ${i}`),
      e('rect', {x: LEFT, y, width: banks * CELL, height: ROW - 1, class: 'empty'}),
      row.map(
        (words, bank) =>
          words > 0 &&
          e(
            'g',
            {},
            e('rect', {
              x: LEFT + bank * CELL + 0.5,
              y,
              width: CELL - 1,
              height: ROW - 1,
              class: words > 1 ? 'late' : 'served',
              'fill-opacity': strength(words).toFixed(2),
            }),
            words > 1 &&
              e(
                'text',
                {
                  x: LEFT + (bank + 0.5) * CELL,
                  y: y + 10,
                  class: strength(words) > 0.6 ? 'lane middle' : 'middle',
                },
                words,
              ),
          ),
      ),
    );
  });
  return e(
    'svg',
    {
      viewBox: `0 0 ${LEFT + banks * CELL + 4} ${TOP + rows.length * ROW + 4}`,
      class: 'passes',
      role: 'img',
      'aria-label': label,
    },
    e('text', {x: LEFT - 8, y: 15, class: 'axis end'}, 'bank'),
    head,
    cells,
  );
}

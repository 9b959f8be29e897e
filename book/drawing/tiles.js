// A picture of a grid of words, as a tile in shared memory or a piece of a matrix.
import {element as e} from './html.js';

// `cells(row, column)`: {bank?, text?, class?} for each; a bank gives the cell its colour.
export function gridPicture({rows, columns, cell = 18, cells, label, outlines = []}) {
  const parts = [];
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const {bank, text, class: kind = ''} = cells(row, column);
      const x = column * cell,
        y = row * cell;
      parts.push(
        e('rect', {
          x: x + 0.5,
          y: y + 0.5,
          width: cell - 1,
          height: cell - 1,
          class: `word ${bank === undefined ? '' : 'bank'} ${kind}`.trim().replace(/ +/g, ' '),
          style: bank === undefined ? undefined : `--bank:${bank}`,
        }),
      );
      if (text !== undefined)
        parts.push(
          e('text', {x: x + cell / 2, y: y + cell / 2 + 3, class: `middle ${kind}`.trim()}, text),
        );
    }
  const frames = outlines.map(({row, column, width, class: kind}) =>
    e('rect', {
      x: column * cell,
      y: row * cell,
      width: width * cell,
      height: cell,
      class: `outline ${kind}`,
    }),
  );
  return e(
    'svg',
    {
      viewBox: `-1 -1 ${columns * cell + 2} ${rows * cell + 2}`,
      class: 'grid',
      role: 'img',
      'aria-label': label,
      style: `max-width:${columns * cell + 2}px`,
    },
    parts,
    frames,
  );
}

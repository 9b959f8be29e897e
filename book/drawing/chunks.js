// Pictures of shared memory in pieces that are wider than a word: chunks of 16 bytes, sectors of 32.
import {element as e} from './html.js';

// `cells(row, column)`: {bank?, text?, class?}, or null where there is nothing; `names(row)`: what stands before a row.
export function piecesPicture({rows, columns, width, height = 17, left = 34, cells, names, label}) {
  const parts = [];
  for (let row = 0; row < rows; ++row) {
    parts.push(
      e('text', {x: left - 6, y: row * height + height / 2 + 3, class: 'axis end'}, names(row)),
    );
    for (let column = 0; column < columns; ++column) {
      const cell = cells(row, column);
      if (!cell) continue;
      const {bank, text, class: kind = ''} = cell;
      const x = left + column * width,
        y = row * height;
      parts.push(
        e('rect', {
          x: x + 0.7,
          y: y + 0.7,
          width: width - 1.4,
          height: height - 1.4,
          class: `word ${bank === undefined ? '' : 'bank'} ${kind}`.trim().replace(/ +/g, ' '),
          style: bank === undefined ? undefined : `--bank:${bank}`,
        }),
      );
      if (text !== undefined)
        parts.push(
          e(
            'text',
            {x: x + width / 2, y: y + height / 2 + 3.5, class: `middle ${kind}`.trim()},
            text,
          ),
        );
    }
  }
  const across = left + columns * width;
  return e(
    'svg',
    {
      viewBox: `0 -1 ${across + 2} ${rows * height + 2}`,
      class: 'grid pieces',
      role: 'img',
      'aria-label': label,
      style: `max-width:${across + 2}px`,
    },
    parts,
  );
}

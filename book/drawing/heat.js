// Heat maps: the more words a bank has to serve for one request, the hotter its cell. Neighbours of one colour are one
// rectangle, with the page showing through a grid of lines.
import {element as e} from './html.js';

// The steps of the scale: up to so many words have this colour.
const STEPS = [1, 2, 4, 8, 16, 32];
const stepOf = (words) => STEPS.find((most) => words <= most) ?? STEPS.at(-1);

// Rows of cells as rectangles; `sizes` are those of a cell.
function cellsOf(rows, {left, top, width, height}) {
  return rows.flatMap((row, i) => {
    const parts = [];
    for (let from = 0, to; from < row.length; from = to) {
      for (to = from + 1; to < row.length && row[to] === row[from]; ++to);
      parts.push(
        e('rect', {
          x: left + from * width,
          y: top + i * height,
          width: (to - from) * width,
          height,
          class: row[from] === 0 ? 'way0' : `way${stepOf(row[from])}`,
        }),
      );
    }
    return parts;
  });
}

// The lines between the cells, as one path.
function linesOf(columns, rows, {left, top, width, height}) {
  const across = Array.from(
    {length: rows + 1},
    (_, i) => `M${left} ${top + i * height}h${columns * width}`,
  );
  const down = Array.from(
    {length: columns + 1},
    (_, i) => `M${left + i * width} ${top}v${rows * height}`,
  );
  return e('path', {d: across.concat(down).join(''), class: 'lines'});
}

// rows: for each request the words that each bank serves; names: what each row is. Small ones have no numbers in them.
export function heatMap({rows, names, label, isSmall = false}) {
  const banks = rows[0].length;
  const width = isSmall ? 10 : 20,
    height = rows.length > 12 ? (isSmall ? 10 : 14) : isSmall ? 15 : 18;
  const left = isSmall ? 58 : 76,
    top = 20;
  const size = {left, top, width, height};
  const title = names ?? rows.map((_, i) => `request ${i}`);
  const isNamed = (i, count, room) => room >= 12 || i % 8 === 0 || i === count - 1;
  const text = (x, y, kind, inner) => e('text', {x, y, class: kind}, inner);
  const middle = (height + 8) / 2;
  return e(
    'svg',
    {
      viewBox: `0 0 ${left + banks * width + 8} ${top + rows.length * height + 4}`,
      class: isSmall ? 'heat small' : 'heat',
      role: 'img',
      'aria-label': label,
    },
    text(left - 8, 13, 'axis end', 'bank'),
    Array.from(
      {length: banks},
      (_, bank) =>
        isNamed(bank, banks, width) && text(left + (bank + 0.5) * width, 13, 'axis middle', bank),
    ),
    rows.map(
      (_, i) =>
        isNamed(i, rows.length, height) &&
        text(left - 8, top + i * height + middle, 'axis end', title[i]),
    ),
    cellsOf(rows, size),
    linesOf(banks, rows.length, size),
    !isSmall &&
      rows.map((row, i) =>
        row.map(
          (words, bank) =>
            words > 1 &&
            text(
              left + (bank + 0.5) * width,
              top + i * height + middle,
              `middle on-way${stepOf(words)}`,
              words,
            ),
        ),
      ),
  );
}

// A tile as it lies in memory: for each word, how many words its bank served in the request that wanted it; 0: nobody did.
// `room`: columns of the widest tile beside it.
export function tileMap({rows, label, room = 0}) {
  const size = {left: 0, top: 0, width: 16, height: 16};
  const columns = rows[0].length;
  return e(
    'svg',
    {
      viewBox: `-1 -1 ${Math.max(columns, room) * 16 + 2} ${rows.length * 16 + 2}`,
      class: 'heat tile',
      role: 'img',
      'aria-label': label,
    },
    cellsOf(rows, size),
    linesOf(columns, rows.length, size),
  );
}

// The cells alone, for a page's head.
export function bankPicture({rows, label}) {
  const height = rows.length > 8 ? 10 : 6;
  const size = {left: 0, top: 0, width: 10, height};
  return e(
    'svg',
    {
      viewBox: `0 0 ${rows[0].length * 10} ${rows.length * height}`,
      class: 'heat bare',
      role: 'img',
      'aria-label': label,
    },
    cellsOf(rows, size),
    linesOf(rows[0].length, rows.length, size),
  );
}

// What the colours mean, as far as they are used.
export const heatScale = (most) =>
  e(
    'p',
    {class: 'scale', 'aria-hidden': 'true'},
    e('span', {}, 'words that a bank serves for one request'),
    STEPS.filter((step) => step === 1 || step / 2 < most).map((step, i) =>
      e('span', {}, e('i', {class: `way${step}`}), i > 1 ? `${step / 2 + 1}\u2013${step}` : step),
    ),
  );

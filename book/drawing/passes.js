// A picture of one request: a row for each pass, a column for each bank, and in each cell the lanes that are served.
import {element as e, escape} from './html.js';

const CELL = 20,
  ROW = 15,
  LEFT = 58,
  TOP = 22;

// "0", "0-31", "0,2,4"; more than fits in a cell becomes "×9".
function shownLanes(lanes, room) {
  const consecutive = lanes.every((lane, i) => i === 0 || lane === lanes[i - 1] + 1);
  const text =
    lanes.length === 1
      ? `${lanes[0]}`
      : consecutive
        ? `${lanes[0]}-${lanes.at(-1)}`
        : lanes.join(',');
  return text.length <= room ? text : `×${lanes.length}`;
}

// `cost` is what sharedCost returns; `label` says in words what the picture shows; at most `most` rows.
export function passesPicture(cost, {banks = 32, label, most = 34}) {
  const shown = cost.passes.length <= most ? cost.passes : cost.passes.slice(0, most - 1);
  const left = cost.passes.length - shown.length;
  const width = LEFT + banks * CELL + 4,
    height = TOP + (shown.length + (left > 0 ? 1 : 0)) * ROW + 4;
  const head = Array.from({length: banks}, (_, bank) =>
    e('text', {x: LEFT + (bank + 0.5) * CELL, y: 15, class: 'axis middle'}, bank),
  );
  const rows = shown.map((pass, i) => {
    const y = TOP + i * ROW;
    const empty = e('rect', {x: LEFT, y, width: banks * CELL, height: ROW - 2, class: 'empty'});
    const cells = pass.map(({bank, banks: span, lanes}) =>
      e(
        'g',
        {},
        e('rect', {
          x: LEFT + bank * CELL + 1,
          y,
          width: span * CELL - 2,
          height: ROW - 2,
          rx: 2,
          class: i === 0 ? 'served' : 'served late',
        }),
        e(
          'text',
          {x: LEFT + (bank + span / 2) * CELL, y: y + 10, class: 'lane middle'},
          escape(shownLanes(lanes, 3 + 4 * (span - 1))),
        ),
      ),
    );
    return e(
      'g',
      {},
      e('text', {x: LEFT - 8, y: y + 10, class: 'axis end'}, `pass ${i + 1}`),
      empty,
      cells,
    );
  });
  const more =
    left > 0 &&
    e(
      'text',
      {x: LEFT, y: TOP + shown.length * ROW + 11, class: 'axis'},
      `and ${left} more passes`,
    );
  return e(
    'svg',
    {viewBox: `0 0 ${width} ${height}`, class: 'passes', role: 'img', 'aria-label': label},
    e('text', {x: LEFT - 8, y: 15, class: 'axis end'}, 'bank'),
    head,
    rows,
    more,
  );
}

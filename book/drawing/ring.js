// Pictures of a ring of stages: what lies in each stage and what its barriers count; and who did what in each step.
import {element as e} from './html.js';

const BOX = 152,
  HEIGHT = 112,
  GAP = 8,
  PART = 30;
const LEFT = 84,
  ROW = 20,
  CELL = 22,
  MOST_COLUMNS = 24;

const colourOf = (tile) => (tile === null ? undefined : `--bank:${(tile * 5) % 32}`);
const words = (x, y, text, kind) => e('text', {x, y, class: kind}, text);

// A tile's number in its colour; `kind` says what is wrong with it.
const tileCell = (x, y, width, height, tile, kind = '') =>
  e('rect', {
    x,
    y,
    width,
    height,
    rx: 2,
    class: `${tile === null ? 'nothing' : 'tile'} ${kind}`.trim(),
    style: colourOf(tile),
  }) + (tile === null ? '' : words(x + width / 2, y + height / 2 + 4, tile, 'middle on-tile'));

const barrierText = ({pending, bytes}) =>
  [
    pending > 0 && `${pending} ${pending === 1 ? 'arrival' : 'arrivals'}`,
    bytes !== 0 && `${bytes} B`,
  ]
    .filter(Boolean)
    .join(', ');

function stageBox({parts, full, empty}, number, state) {
  const left = number * (BOX + GAP) + 1;
  const people = [
    ['P', state.producer],
    ['0', state.warps[0]],
    ['1', state.warps[1]],
  ].filter(([, {tile, does}]) => does !== 'is done' && tile % state.stages.length === number);
  return e(
    'g',
    {},
    e('rect', {x: left, y: 1, width: BOX, height: HEIGHT, rx: 5, class: 'frame'}),
    words(left + 10, 18, `stage ${number}`, 'name'),
    people.map(([name, {does}], i) =>
      e(
        'g',
        {},
        e('rect', {
          x: left + BOX - 26 - 24 * i,
          y: 6,
          width: 20,
          height: 16,
          rx: 8,
          class: does === 'waits' ? 'who waits' : 'who',
        }),
        words(left + BOX - 16 - 24 * i, 18, name, `middle ${does === 'waits' ? '' : 'on-who'}`),
      ),
    ),
    parts.map((tile, i) => tileCell(left + 10 + i * (PART + 4), 30, PART, 24, tile)),
    [full, empty].map((barrier, i) => [
      words(left + 10, 74 + 22 * i, ['full', 'empty'][i], 'axis'),
      words(left + 46, 74 + 22 * i, `phase ${barrier.phase}`),
      words(left + 92, 74 + 22 * i, barrierText(barrier), 'axis'),
    ]),
  );
}

// The stages after one step: parts of tiles, the phase that each barrier is in, and what that still waits for. Who is at a
// stage stands above it: P for the producer, 0 and 1 for the warps, framed while they wait.
export function stagesPicture(state, label) {
  const width = state.stages.length * (BOX + GAP) - GAP + 2;
  return e(
    'svg',
    {
      viewBox: `0 0 ${width} ${HEIGHT + 2}`,
      class: 'ring',
      role: 'img',
      'aria-label': label,
      style: `max-width:${Math.max(512, width)}px`,
    },
    state.stages.map((stage, number) => stageBox(stage, number, state)),
  );
}

// What somebody did in a step: the tile of it, or null.
const deedOf = {
  producer: ({producer}) => (producer.does === 'asks' ? producer.tile - 1 : null),
  warp: (number) => (state) => {
    const {does, tile} = state.warps[number];
    return does === 'reads' ? tile : does === 'releases' ? tile - 1 : null;
  },
};

// A row for the producer, each warp, and the copies; a column for each step up to now.
export function timePicture(states, label) {
  const shown = states.slice(1).slice(-MOST_COLUMNS);
  const rows = [
    ['producer', deedOf.producer, (state) => state.producer.does === 'waits'],
    ['warp 0', deedOf.warp(0), (state) => state.warps[0].does === 'waits'],
    ['warp 1', deedOf.warp(1), (state) => state.warps[1].does === 'waits'],
    ['on their way', (state) => state.copies.map(({tile}) => tile), () => false],
  ];
  const width = LEFT + MOST_COLUMNS * CELL + 2,
    height = 20 + rows.length * ROW;
  const wrong = new Set(
    states
      .at(-1)
      .found.filter(({kind}) => kind === 'early' || kind === 'overwritten')
      .map(({step, warp}) => `${step} warp ${warp}`),
  );
  return e(
    'svg',
    {viewBox: `0 0 ${width} ${height}`, class: 'ring', role: 'img', 'aria-label': label},
    shown.map(({step}, i) =>
      step % 2 === 1 || shown.length < 12
        ? words(LEFT + (i + 0.5) * CELL, 13, step, 'axis middle')
        : '',
    ),
    rows.map(([name, deed, waits], row) => {
      const y = 20 + row * ROW;
      return e(
        'g',
        {},
        words(LEFT - 8, y + 13, name, 'axis end'),
        shown.map((state, i) => {
          const x = LEFT + i * CELL + 1;
          if (waits(state))
            return e('rect', {
              x,
              y: y + 1,
              width: CELL - 2,
              height: ROW - 3,
              rx: 2,
              class: 'waits',
            });
          const done = deed(state);
          if (Array.isArray(done))
            return done.map((tile, k) =>
              e('rect', {
                x,
                y: y + 1 + (k * (ROW - 3)) / done.length,
                width: CELL - 2,
                height: (ROW - 3) / done.length - 0.5,
                class: 'tile',
                style: colourOf(tile),
              }),
            );
          return tileCell(
            x,
            y + 1,
            CELL - 2,
            ROW - 3,
            done,
            wrong.has(`${state.step} ${name}`) ? 'wrong' : '',
          );
        }),
      );
    }),
  );
}

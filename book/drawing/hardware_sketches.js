// Pictures of the hardware, drawn as those of sketches.js are: what a multiprocessor has, warps at a barrier, where the matrix units
// find a tile.
import {arrow, box, sketch, times, words} from './sketch_parts.js';

// What a thread can reach, the nearest first.
export function multiprocessor() {
  const left = 12,
    part = 88,
    bank = 11.75;
  return sketch(
    620,
    344,
    'A multiprocessor has four schedulers with registers and arithmetic units, and one memory of 32 banks: shared memory and first-level cache. The second-level cache and global memory belong to all.',
    words(0, 14, 'a multiprocessor', 'name'),
    box(0.5, 22, 400, 210, 'plain'),
    times(4, (i) => {
      const x = left + i * (part + 8.5);
      return [
        box(x, 34, part, 24, 'strip', 'scheduler'),
        box(x, 62, part, 24, 'result', 'registers'),
        box(x, 90, part, 24, 'strip', 'arithmetic'),
        arrow(`M${x + part / 2} 116v22`),
      ];
    }),
    times(32, (b) => [
      box(left + b * bank, 142, bank - 1, 38, 'mine'),
      box(left + b * bank, 182, bank - 1, 16, 'other'),
    ]),
    words(left, 218, '32 banks, side by side: a word of each in a step', 'axis'),
    words(412, 42, 'a warp is issued by one', 'axis'),
    words(412, 57, 'scheduler, as long as it lives', 'axis'),
    words(412, 79, 'each register is of one thread', 'axis'),
    words(412, 158, 'shared memory: what the', 'axis'),
    words(412, 174, 'program puts there', 'axis'),
    words(412, 196, 'first-level cache: what was', 'axis'),
    words(412, 212, 'read lately', 'axis'),
    arrow('M200 234v18'),
    box(0.5, 256, 619, 28, 'strip', 'second-level cache, of all multiprocessors'),
    arrow('M200 286v18'),
    box(0.5, 308, 619, 28, 'plain', 'global memory, in chips beside the processor'),
  );
}

// When each warp comes to a barrier and when it goes on: `spans[warp][phase]` is how long it works in each phase.
export function meetings(spans) {
  const phases = times(spans[0].length, (phase) => phase);
  let begin = 0;
  return phases.map((phase) => {
    const come = spans.map((warp) => begin + warp[phase]);
    const met = {begin, come, end: Math.max(...come)};
    begin = met.end;
    return met;
  });
}

// Four warps that store to a tile, meet, and read it.
export function barrier() {
  const unit = 50,
    left = 64,
    high = 24;
  const names = ['store to the tile', 'read it'];
  const met = meetings([
    [2, 3.5],
    [4, 2.5],
    [3, 4.5],
    [2.5, 3],
  ]);
  const y = (warp) => 26 + warp * (high + 8);
  return sketch(
    620,
    194,
    'Four warps store, each for as long as it takes; those that are done wait at the barrier until the last has come; then all read.',
    words(left, 14, 'in the order of time', 'axis'),
    times(4, (warp) => words(0, y(warp) + 16, `warp ${warp}`, 'axis')),
    met.map(({begin, come, end}, phase) => [
      come.map((at, warp) => [
        box(
          left + begin * unit + 1,
          y(warp),
          (at - begin) * unit - 2,
          high,
          phase ? 'other' : 'mine',
          names[phase],
        ),
        at < end &&
          box(left + at * unit + 1, y(warp), (end - at) * unit - 2, high, 'strip', 'waits'),
      ]),
      arrow(`M${left + end * unit} 20v${4 * (high + 8) + 6}`, 'border'),
    ]),
    words(left + 4 * unit - 40, 178, '__syncthreads()', 'axis'),
    words(left + 8.5 * unit - 40, 178, '__syncthreads()', 'axis'),
  );
}

// The line of 128 bytes in which unit `unit` of 16 bytes of row `row` lies, and its place in that line, for 8 rows of 8 units.
export const LAYOUTS = {
  cores: (row, unit) => ({line: unit, place: row}),
  swizzled: (row, unit) => ({line: row, place: unit ^ row}),
  plain: (row, unit) => ({line: row, place: unit}),
};

// Three ways to put 8 rows of 128 bytes into shared memory, and the core matrix that is unit 2 of each row.
export function core_matrices() {
  const cell = 22,
    top = 58,
    chosen = 2;
  const panel = (left, layout, first, second) => {
    const at = new Map();
    for (let row = 0; row < 8; ++row)
      for (let unit = 0; unit < 8; ++unit) {
        const {line, place} = LAYOUTS[layout](row, unit);
        at.set(8 * line + place, {row, unit});
      }
    return [
      words(left, 16, first, 'name'),
      words(left, 34, second, 'axis'),
      times(64, (i) => {
        const {row, unit} = at.get(i);
        return box(
          left + (i % 8) * cell + 0.5,
          top + Math.floor(i / 8) * cell + 0.5,
          cell - 1,
          cell - 1,
          unit !== chosen ? 'plain' : layout === 'plain' ? 'other' : 'mine',
          unit === chosen ? row : undefined,
        );
      }),
    ];
  };
  return sketch(
    620,
    top + 8 * cell + 28,
    'Eight units of 16 bytes, one of each row, fill all places of a line once in core matrices and with the swizzle; in plain rows they are in one place.',
    panel(16, 'cores', 'no swizzle', 'core matrices, one a line'),
    panel(222, 'swizzled', 'swizzle of 128 bytes', 'rows, units exchanged'),
    panel(428, 'plain', 'no descriptor for this', 'rows as they are'),
    words(
      16,
      top + 8 * cell + 20,
      'a line is 128 bytes, all 32 banks; the numbers are rows',
      'axis',
    ),
  );
}

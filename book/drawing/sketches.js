// Pictures of an idea, drawn from small cases: what a block fetches, which elements are a thread's, who waits for whom.
// Each is a function without arguments to SVG text, by its name.
import {barrier, core_matrices, multiprocessor} from './hardware_sketches.js';
import {arrow as path, box, sketch, times, words} from './sketch_parts.js';

// A, B above C's columns, and C, with a block's tiles at one step along k.
export function tiles() {
  const cell = 26,
    step = 1,
    row = 2,
    column = 3,
    side = 6 * cell,
    left = 60,
    top = 208;
  const grid = (x, y, kindOf) =>
    times(6, (r) =>
      times(6, (c) =>
        box(x + c * cell + 0.5, y + r * cell + 0.5, cell - 1, cell - 1, kindOf(r, c)),
      ),
    );
  const right = left + side + 44,
    up = 20;
  return sketch(
    620,
    top + side + 30,
    'A block of C needs a strip of A and a strip of B, and takes a tile of each at a time.',
    grid(left, top, (r, c) => (r !== row ? 'plain' : c === step ? 'mine' : 'strip')),
    grid(right, up, (r, c) => (c !== column ? 'plain' : r === step ? 'other' : 'strip')),
    grid(right, top, (r, c) => (r === row && c === column ? 'result' : 'plain')),
    words(left - 22, top + side / 2, 'A', 'name'),
    words(right - 22, up + side / 2, 'B', 'name'),
    words(right + side + 10, top + side / 2, 'C', 'name'),
    path(`M${left} ${top + side + 10}h${side - 6}`),
    words(left + side / 2 - 40, top + side + 22, 'steps along k', 'axis'),
    path(`M${right + side + 10} ${up}v${side - 6}`),
    words(right + side + 18, up + side / 2 - 20, 'steps along k', 'axis'),
    words(right + side + 30, top + 18, 'a block computes', 'axis'),
    words(right + side + 30, top + 34, 'one tile of C. In each', 'axis'),
    words(right + side + 30, top + 50, 'step it fetches one tile', 'axis'),
    words(right + side + 30, top + 66, 'of A and one of B, and', 'axis'),
    words(right + side + 30, top + 82, 'adds their product.', 'axis'),
  );
}

// The elements of thread (row, column) among `threads` x `threads`, each with `each` x `each`: neighbours, or apart.
export function elementsOf({row, column, threads, each, isApart}) {
  const at = (thread, i) => (isApart ? thread + i * threads : thread * each + i);
  const rows = times(each, (i) => at(row, i)),
    columns = times(each, (i) => at(column, i));
  return {rows, columns};
}

// What one thread computes of a tile of C, and what it reads for it: its elements side by side, and apart.
export function squares() {
  const cell = 14,
    threads = 4,
    each = 4,
    side = threads * each;
  const panel = (left, title, isApart) => {
    const mine = elementsOf({row: 2, column: 1, threads, each, isApart});
    const next = elementsOf({row: 2, column: 2, threads, each, isApart});
    const top = 62;
    const kindOf = (r, c) => {
      if (!mine.rows.includes(r)) return 'plain';
      return mine.columns.includes(c) ? 'result' : next.columns.includes(c) ? 'faint' : 'plain';
    };
    return [
      words(left, 14, title, 'name'),
      times(side, (c) =>
        box(
          left + c * cell + 0.5,
          top - 22,
          cell - 1,
          cell - 1,
          mine.columns.includes(c) ? 'other' : next.columns.includes(c) ? 'other faint' : 'plain',
        ),
      ),
      times(side, (r) =>
        box(
          left - 22,
          top + r * cell + 0.5,
          cell - 1,
          cell - 1,
          mine.rows.includes(r) ? 'mine' : 'plain',
        ),
      ),
      times(side, (r) =>
        times(side, (c) =>
          box(left + c * cell + 0.5, top + r * cell + 0.5, cell - 1, cell - 1, kindOf(r, c)),
        ),
      ),
      words(left, top - 28, 'a row of B', 'axis'),
      words(left - 22, top + side * cell + 16, 'a column of A', 'axis'),
    ];
  };
  return sketch(
    620,
    62 + side * cell + 24,
    'A thread with 4 by 4 elements reads four numbers of A and four of B. Side by side, the next thread is four words further on; apart, it is one.',
    panel(40, 'side by side', false),
    panel(350, 'a row of threads apart', true),
  );
}

// Lanes of one warp and what they read with one float4 each: two rows of threads, sixteen wide.
export function lanes() {
  const width = 35,
    left = 56;
  const row = (y, first, text) => [
    words(0, y + 20, text, 'axis'),
    times(16, (x) => [
      box(left + x * width + 0.5, y, width - 1, 30, x < 8 ? 'other' : 'other faint', first + x),
    ]),
  ];
  return sketch(
    620,
    206,
    'Lanes 0 to 15 are one row of threads, lanes 16 to 31 the next. Of A, a row of threads reads one float4; of B, lane t and lane t + 16 read the same.',
    words(left, 14, 'of A: one float4 for each row of threads', 'axis'),
    box(left, 22, 8 * width - 1, 24, 'mine', 'a_tile[y][run]: lanes 0 to 15'),
    box(left + 8 * width, 22, 8 * width - 1, 24, 'mine faint', 'a_tile[y + 1][run]: 16 to 31'),
    words(left, 78, 'the lanes of a warp, and below each its float4 of B', 'axis'),
    row(86, 0, 'lanes'),
    row(118, 16, 'lanes'),
    times(16, (x) => path(`M${left + (x + 0.5) * width} 149v12`)),
    times(16, (x) =>
      box(left + x * width + 0.5, 163, width - 1, 24, x < 8 ? 'strip' : 'strip faint', `q${x}`),
    ),
    words(left, 202, 'q0 to q7: all 32 banks once', 'axis'),
    words(left + 8 * width, 202, 'q8 to q15: all 32 banks once more', 'axis'),
  );
}

// One block over time: fetching, then multiplying; and both at once, with two sets of tiles.
export function pipeline() {
  const unit = 46,
    left = 92,
    high = 24;
  const bars = (y, list) =>
    list.map(([from, length, kind, text]) =>
      box(left + from * unit + 1, y, length * unit - 2, high, kind, text),
    );
  const alternating = times(3, (i) => [i * 3.6, i]);
  return sketch(
    620,
    212,
    'One set of tiles: a block fetches, waits and multiplies in turn. Two sets: the tiles of the next step arrive while those of this one are multiplied.',
    words(0, 14, 'one set of tiles', 'name'),
    words(0, 42, 'memory', 'axis'),
    words(0, 70, 'arithmetic', 'axis'),
    bars(
      26,
      alternating.map(([at, i]) => [at, 2, 'mine', `fetch ${i + 1}`]),
    ),
    bars(
      54,
      alternating.map(([at, i]) => [at + 2, 1.6, 'other', `multiply ${i + 1}`]),
    ),
    words(0, 112, 'two sets of tiles', 'name'),
    words(0, 140, 'memory', 'axis'),
    words(0, 168, 'arithmetic', 'axis'),
    bars(
      124,
      times(4, (i) => [i * 2, 2, i % 2 ? 'mine faint' : 'mine', `fetch ${i + 1}`]),
    ),
    bars(
      152,
      times(4, (i) => [2 + i * 2, 1.6, i % 2 ? 'other faint' : 'other', `multiply ${i + 1}`]),
    ),
    times(4, (i) => path(`M${left + (2 + i * 2) * unit} 120v60`, 'border')),
    words(left + 2 * unit, 196, 'at each line: wait for the copies, one barrier', 'axis'),
  );
}

// Four stages over time: in each, three steps' time to fetch and one to multiply, one step behind the stage above.
export function stages() {
  const count = 4,
    unit = 60,
    left = 70,
    high = 24,
    until = 9;
  const y = (stage) => 26 + stage * (high + 8);
  const bar = (stage, from, length, kind, text) => {
    const end = Math.min(from + length, until);
    return from < until
      ? box(left + from * unit + 1, y(stage), (end - from) * unit - 2, high, kind, text)
      : '';
  };
  return sketch(
    620,
    194,
    'Four stages: while one is multiplied, three steps are being fetched, each for as long as three steps take to multiply.',
    words(left, 14, 'in the order of time', 'axis'),
    times(count, (stage) => words(0, y(stage) + 16, `stage ${stage}`, 'axis')),
    times(until, (step) => {
      const stage = step % count,
        from = step < 3 ? 0 : step;
      return [
        bar(stage, from, step + 3 - from, 'mine', `fetch ${step}`),
        bar(stage, step + 3, 1, 'other', `mult. ${step}`),
      ];
    }),
    times(until - 3, (i) => path(`M${left + (3 + i) * unit} 22v${count * (high + 8)}`, 'border')),
    words(
      left + 3 * unit,
      178,
      'at each line: wait until two batches are on the way, one barrier',
      'axis',
    ),
  );
}

// A block's points, the halo on either side, and who loads it: twelve threads, a radius of four.
export function halo() {
  const threads = 12,
    radius = 4,
    cell = 26,
    left = 30;
  const x = (i) => left + i * cell;
  const points = threads + 2 * radius;
  return sketch(
    620,
    190,
    'A tile holds the points of its block and four more on either side. The first four threads load both halos.',
    words(
      left,
      14,
      'the array in global memory: the block before, this block, the block behind',
      'axis',
    ),
    times(points, (i) =>
      box(
        x(i) + 0.5,
        22,
        cell - 1,
        22,
        i < radius || i >= radius + threads ? 'strip' : 'mine',
        i - radius,
      ),
    ),
    times(points, (i) => path(`M${x(i) + cell / 2} 46v22`)),
    words(left, 92, 'the tile', 'axis'),
    times(points, (i) => {
      const loader = i < radius ? i : i >= radius + threads ? i - radius - threads : i - radius;
      const isHalo = i < radius || i >= radius + threads;
      return box(x(i) + 0.5, 98, cell - 1, 22, isHalo ? 'other' : 'result', `t${loader}`);
    }),
    words(x(0), 138, 'halo, by t0 to t3', 'axis'),
    words(x(radius), 138, 'each thread its own point', 'axis'),
    words(x(radius + threads), 138, 'halo, by t0 to t3', 'axis'),
    path(`M${x(2)} 150h${9 * cell}`, 'reach'),
    words(
      x(2),
      170,
      'thread 2 reads nine words of the tile: its point and four on either side',
      'axis',
    ),
  );
}

// The rows of the scan's picture: eight numbers, warps of two lanes, blocks of two warps.
export function scanOf(numbers, lanesOfWarp = 2, warpsOfBlock = 2) {
  const block = lanesOfWarp * warpsOfBlock;
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const from = (first, i) => sum(numbers.slice(first, i + 1));
  const start = (i, size) => Math.floor(i / size) * size;
  const inWarp = numbers.map((_, i) => from(start(i, lanesOfWarp), i));
  const beforeWarp = numbers.map((_, i) => from(start(i, block), start(i, lanesOfWarp) - 1));
  const beforeBlock = numbers.map((_, i) => from(0, start(i, block) - 1));
  return {
    numbers,
    inWarp,
    beforeWarp,
    beforeBlock,
    result: numbers.map((_, i) => inWarp[i] + beforeWarp[i] + beforeBlock[i]),
  };
}

export function scan() {
  const scanned = scanOf([3, 1, 4, 1, 5, 9, 2, 6]);
  const cell = 44,
    left = 190,
    gap = 8;
  const x = (i) => left + i * cell + Math.floor(i / 2) * gap + Math.floor(i / 4) * 2 * gap;
  const row = (y, text, list, kindOf) => [
    words(0, y + 18, text, 'axis'),
    list.map((value, i) => box(x(i) + 0.5, y, cell - 1, 26, kindOf(i), value)),
  ];
  const perWarp = (list) => list.filter((_, i) => i % 2 === 0);
  const perBlock = (list) => list.filter((_, i) => i % 4 === 0);
  return sketch(
    620,
    262,
    'Three levels: sums within each warp, what came before each warp in its block, what came before each block; the three are added.',
    row(0, 'eight numbers', scanned.numbers, () => 'plain'),
    row(50, 'each warp scans itself', scanned.inWarp, (i) => (i % 2 ? 'mine' : 'mine faint')),
    words(0, 116, 'before the warp,', 'axis'),
    words(0, 132, 'in its block', 'axis'),
    perWarp(scanned.beforeWarp).map((value, w) =>
      box(x(2 * w) + 0.5, 104, 2 * cell - 1, 26, 'other', `+ ${value}`),
    ),
    words(0, 176, 'before the block', 'axis'),
    perBlock(scanned.beforeBlock).map((value, b) =>
      box(x(4 * b) + 0.5, 158, 4 * cell + gap - 1, 26, 'strip', `+ ${value}`),
    ),
    row(212, 'the result', scanned.result, () => 'result'),
    times(8, (i) => path(`M${x(i) + cell / 2} 28v18`)),
    times(4, (w) => path(`M${x(2 * w + 1) + cell / 2} 78v20`)),
    times(2, (b) => path(`M${x(4 * b + 3) + cell / 2} 132v20`)),
    times(8, (i) => path(`M${x(i) + cell / 2} 188v20`)),
  );
}

// Which chapters each chapter builds on, where it stands in the picture, and what it is called there.
export const CHAPTERS = {
  1: {at: [0, 1], name: 'banks', on: []},
  2: {at: [1, 0.5], name: 'padding', on: [1]},
  3: {at: [2, 0], name: 'sizes', on: [2]},
  4: {at: [1, 2.2], name: 'reduction', on: [1]},
  5: {at: [2, 1], name: 'transpose', on: [2]},
  6: {at: [3, 1.5], name: 'constants', on: [5]},
  7: {at: [2, 2], name: 'shuffles', on: [4]},
  8: {at: [3, 0.5], name: 'product', on: [3, 5]},
  9: {at: [2, 3], name: 'histograms', on: [4]},
  10: {at: [4, 0.5], name: 'tensor cores', on: [8]},
  11: {at: [5, 0.5], name: 'async copies', on: [10]},
  12: {at: [6, 0.5], name: 'clusters, wgmma', on: [11]},
};

// What needs what: a box for each chapter, and a line from what it builds on.
export function chapters() {
  const step = 106,
    width = 96,
    high = 36;
  const x = ([column]) => column * step,
    y = ([, row]) => 8 + row * 52;
  const all = Object.entries(CHAPTERS);
  return sketch(
    732,
    210,
    'Chapter 2 builds on 1, 3 and 5 on 2, 8 on 3 and 5, 10 on 8, 11 on 10, 12 on 11; 6 builds on 5; 4 builds on 1, and 7 and 9 on 4.',
    all.map(([, {at, on}]) =>
      on.map((before) => {
        const from = CHAPTERS[before].at;
        return path(`M${x(from) + width} ${y(from) + high / 2}L${x(at)} ${y(at) + high / 2}`);
      }),
    ),
    all.map(([number, {at, name}]) => [
      box(x(at) + 0.5, y(at), width - 1, high, 'strip'),
      words(x(at) + width / 2, y(at) + 15, number, 'middle name'),
      words(x(at) + width / 2, y(at) + 30, name, 'middle axis'),
    ]),
  );
}

export const SKETCHES = {
  tiles,
  squares,
  lanes,
  pipeline,
  stages,
  halo,
  scan,
  multiprocessor,
  barrier,
  core_matrices,
  chapters,
};

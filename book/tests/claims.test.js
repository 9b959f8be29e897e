// What the chapters say in words that no expression can: each sentence of theirs that is held here stands above its test.
// Over 400 lines, as there is a test for each such sentence.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {sharedCost} from '../model/hardware.js';
import {offsetsOf} from '../model/lane_expression.js';
import {remoteCost} from '../model/remote.js';
import {chapters} from '../press/folders.js';
import {table} from '../press/tables.js';
import {fileOf} from '../press/transcripts.js';

const conflicts = (index, width = 4) =>
  sharedCost({offset: offsetsOf(index, width), width}).conflicts;

// Chapter 2, Padding a tile of 16: when one word is not enough: "Is there any number of words a row, for the 16 by 16 tile, that frees both?"
test('no pitch frees both sides of a tile of 16 by 16', () => {
  for (let pitch = 16; pitch < 16 + 64; ++pitch) {
    const stores = conflicts(`t / 16 * ${pitch} + t % 16`);
    const loads = conflicts(`t % 16 * ${pitch} + t / 16`);
    assert.ok(stores + loads > 0, `a pitch of ${pitch}`);
  }
});

// Chapter 2, Swizzle: not one byte more: rows and columns of the swizzled tile of 32, and of the one of 16, are free.
test('exclusive or with the row frees rows and columns of both tiles', () => {
  for (let fixed = 0; fixed < 32; ++fixed) {
    assert.equal(conflicts(`t * 32 + (${fixed} ^ t)`), 0, `column ${fixed} of 32`);
    assert.equal(conflicts(`${fixed} * 32 + (t ^ ${fixed})`), 0, `row ${fixed} of 32`);
  }
  for (let warp = 0; warp < 8; ++warp) {
    const two = `(t / 16 + 2 * ${warp})`; // the two rows, or columns, of a warp
    assert.equal(conflicts(`${two} * 16 + ((t % 16) ^ ${two})`), 0, `rows of warp ${warp}`);
    assert.equal(conflicts(`t % 16 * 16 + (${two} ^ (t % 16))`), 0, `columns of warp ${warp}`);
  }
});

// Chapter 6, Random look-ups: when nothing helps: "25 or 26" of 64 entries are wanted by 32 lanes.
test('32 random choices out of 64 are 25 or 26 different ones', () => {
  const leftOut = (63 / 64) ** 32;
  assert.equal(Math.round(10 * leftOut), 6);
  const wanted = 64 * (1 - leftOut);
  assert.ok(wanted > 25 && wanted < 26, `${wanted}`);
});

// Chapter 1 and How the grader measures: the model gives what was measured, of patterns that were drawn at random.
const requestOf = (row) => ({
  access: row.access.includes('_load_') ? 'load' : 'store',
  width: Number(/\d+$/.exec(row.access)[0]),
  mask: Number(row.active_mask),
  offset: Array.from({length: 32}, (_, lane) => Number(row[`lane${lane}`])),
});
const differs = (row) => sharedCost(requestOf(row)).wavefronts !== Number(row.wavefronts);
const shared = (name) =>
  table(name).rows.filter((row) => /^shared_(load|store)_\d+$/.test(row.access));

test('loads and stores drawn at random cost what the model says', () => {
  for (const name of ['h200.patterns_random', 'h200.patterns_second_seed']) {
    const rows = shared(name);
    assert.ok(rows.length > 400, `${rows.length} of ${name}`);
    assert.deepEqual(
      rows.filter(differs).map((row) => row.access),
      [],
    );
  }
});

// What both tests below need: whether lanes agree in pairs, and the passes of some lanes.
const isOn = (mask, lane) => ((mask >>> lane) & 1) === 1;
const agree = ({mask, offset}, lanes, distance) =>
  lanes.every(
    (lane) =>
      !isOn(mask, lane) || !isOn(mask, lane ^ distance) || offset[lane] === offset[lane ^ distance],
  );
const inPairs = (request, lanes) => agree(request, lanes, 1) || agree(request, lanes, 2);
function passesOf({mask, offset, width}, lanes) {
  const columns = Array.from({length: 128 / width}, () => new Set());
  for (const lane of lanes.filter((one) => isOn(mask, one)))
    columns[(offset[lane] / width) % columns.length].add(offset[lane]);
  return Math.max(...columns.map((column) => column.size));
}
const lanesFrom = (first, count) => Array.from({length: count}, (_, i) => first + i);

// How the grader measures: 16-byte loads with lanes switched off "came out wrong in 40 of 584 patterns" by its rule 2.
test('without exceptions, 40 of 584 loads of 16 bytes with lanes off are one or two off; with them none', () => {
  const byTheRule = (request) =>
    [0, 16].reduce((sum, first) => {
      const both = lanesFrom(first, 16);
      if (inPairs(request, both) && passesOf(request, both) <= 1)
        return sum + passesOf(request, both);
      return (
        sum + passesOf(request, lanesFrom(first, 8)) + passesOf(request, lanesFrom(first + 8, 8))
      );
    }, 0);
  const rows = ['patterns', 'patterns_random', 'patterns_second_seed', 'patterns_wide_loads']
    .flatMap((name) => shared(`h200.${name}`))
    .filter((row) => row.access === 'shared_load_16' && row.active_mask !== '0xffffffff');
  const apart = rows
    .map((row) => Math.abs(byTheRule(requestOf(row)) - Number(row.wavefronts)))
    .filter((one) => one > 0);
  assert.deepEqual([apart.length, rows.length], [40, 584]);
  assert.ok(Math.max(...apart) <= 2);
  assert.deepEqual(rows.filter(differs), []);
});

// How the grader measures: without the second half of its rule 2, 35 of 1,000 loads of 8 bytes are off.
test('a merge whenever lanes agree in pairs is wrong for 35 of 1,000 loads of 8 bytes', () => {
  const withoutTheSecondHalf = (request) =>
    inPairs(request, lanesFrom(0, 32))
      ? passesOf(request, lanesFrom(0, 32))
      : passesOf(request, lanesFrom(0, 16)) + passesOf(request, lanesFrom(16, 16));
  const rows = shared('h200.patterns_wide_loads').filter((row) => row.access === 'shared_load_8');
  const wrong = rows.filter(
    (row) => withoutTheSecondHalf(requestOf(row)) !== Number(row.wavefronts),
  );
  assert.deepEqual([wrong.length, rows.length], [35, 1000]);
  assert.deepEqual(rows.filter(differs), []);
});

// The experiments: what the chapters say in words about times, held to the bounds of their intervals.
const experiment = (name, way, size) => {
  const found = table('h200.experiments').rows.filter(
    (row) =>
      row.experiment === name && row.way === way && (!size || Number(row.size) === Number(size)),
  );
  assert.equal(found.length, 1, `${name}, ${way}, ${size}`);
  return {
    low: Number(found[0].low_us),
    high: Number(found[0].high_us),
    us: Number(found[0].median_us),
  };
};
const isFaster = (a, b) => assert.ok(a.high < b.low, `${a.us} and ${b.us}`);
const within = (share, a, b) =>
  assert.ok(Math.abs(a.us / b.us - 1) <= share, `${a.us} and ${b.us}`);

// Chapter 3, Carve-out: the other side of the wall: nine places, and a wish gets the smallest that is as large.
test('the border of shared memory has nine places, and what is left is cache', () => {
  const wishes = [0, 4, 8, 15, 29, 44, 58, 72, 86];
  const sizes = [8, 16, 32, 64, 100, 132, 164, 196, 228];
  const {rows} = table('h200.carve_out');
  const places = new Set(rows.map((row) => Number(row.blocks_of_8_kib)));
  assert.deepEqual(
    [...places],
    sizes.map((kib) => Math.floor(kib / 8)),
  );
  wishes.forEach((wish, i) => {
    const row = rows.find((one) => Number(one.wish) === wish);
    assert.equal(Number(row.blocks_of_8_kib), Math.floor(sizes[i] / 8), `a wish of ${wish}`);
    if (wish >= 15) {
      const whole = Number(row.cache_kib) + sizes[i];
      assert.ok(whole >= 244 && whole <= 256, `${whole} KiB at a wish of ${wish}`);
    }
  });
});

// Chapter 5, Faster than a copy and Two by two.
test('fewer threads save a part of the time, and loads at once the larger part', () => {
  const copy = (way) => experiment('transpose', `copy ${way}`, 4096);
  isFaster(copy('each 4 in series'), copy('each 1'));
  isFaster(copy('each 2'), copy('each 4 in series'));
  isFaster(copy('each 4'), copy('each 2'));
  const saved = copy('each 1').us - copy('each 4').us;
  assert.ok(copy('each 1').us - copy('each 4 in series').us < saved / 2);
  within(0.03, copy('by resident threads in series'), copy('each 4 in series'));
  within(0.02, copy('each 4'), experiment('transpose', 'cudaMemcpy', 4096));
});

test('the small tile is better with one element a thread, the large one with four, at both sizes', () => {
  for (const size of [4096, 8192]) {
    const way = (name) => experiment('transpose', name, size);
    isFaster(way('16x16 free each 1'), way('32x32 free each 1'));
    isFaster(way('32x32 free each 4'), way('16x16 free each 4'));
    isFaster(way('32x32 free each 4'), way('32x32 free each 4 in series'));
    isFaster(way('32x32 free each 4 in series'), way('32x32 free each 1'));
    within(0.03, way('16x16 rows of 16 each 4'), way('16x16 free each 4'));
    assert.ok(way('32x32 rows of 32 each 4').us > 2 * way('32x32 free each 4').us);
    // Chapter 7, When not to: a transpose by shuffles is no slower.
    assert.ok(way('32x32 by shuffles each 32').us < way('32x32 free each 4').us);
  }
});

// Chapter 6, Stencils of any radius: when a tile pays: below some seventeen reads it does not, above it does.
test('a tile pays for stencils that read each number often', () => {
  for (const radius of [1, 4, 8, 16, 64]) {
    const ways = ['no tile each 1', 'tile each 1'].map((way) =>
      experiment(`stencil of radius ${radius}`, way),
    );
    isFaster(...(radius < 8 ? ways : ways.reverse()));
  }
  isFaster(
    experiment('stencil of radius 4', 'no tile each 4'),
    experiment('stencil of radius 4', 'tile each 4'),
  );
});

// Chapter 6, Random look-ups: when nothing helps: three are equal with eight look-ups a thread, and constant memory is far behind.
test('for random codes a table may lie in global or in shared memory', () => {
  const at = (each, way) => experiment(`look-up at random each ${each}`, way);
  within(0.03, at(8, 'shared memory'), at(8, 'global memory'));
  within(0.03, at(8, 'shared memory 32 copies'), at(8, 'global memory'));
  isFaster(at(1, 'global memory'), at(1, 'shared memory'));
  for (const each of [1, 8])
    assert.ok(at(each, 'constant memory').us > 2 * at(each, 'global memory').us);
  const same = (way) => experiment('look-up of one code each 1', way);
  within(0.03, same('constant memory'), same('global memory'));
});

// Chapter 7, the first page: "With blocks of 128 both take the same", and with 256 they do not.
test('shuffles gain where the tree was the limit', () => {
  const at = (block, way) => experiment(`sum by blocks of ${block} each 1`, way, 4194304);
  within(0.03, at(128, 'by shuffles'), at(128, 'in shared memory'));
  assert.ok(at(256, 'by shuffles').us < 0.8 * at(256, 'in shared memory').us);
});

// Chapter 8, What the conflicts cost: one of four variants is slow, and one is faster than the solution.
test('conflicts cost the product time in one variant of four', () => {
  const of = (way) => experiment('product', way);
  assert.ok(of('1_tile with B turned').us > 4 * of('1_tile').us);
  within(0.01, of('2_ratio without padding'), of('2_ratio'));
  isFaster(of('2_ratio columns side by side'), of('2_ratio'));
  within(0.03, of('3_vector runs side by side'), of('3_vector'));
});

// Nsight Compute, read aloud: the counter of stores moves when data arrives, and at no other time; wavefronts never do.
test('only deliveries from memory move the counter of stores', () => {
  const {rows} = table('h200.counter');
  assert.equal(rows.length, 9);
  for (const row of rows) {
    assert.equal(row.wavefronts, row.ideal_wavefronts);
    assert.equal(Number(row.raw_counter_st) > 0, row.kernel === 'beside_memory', row.kernel);
  }
});

// "No line differs": what `course profile` prints of the lines that touch memory is what the profiler's source page adds up to.
test('course profile and the source page say the same of each line', () => {
  const printed = readFileSync(fileOf('./course profile 05_transpose/2_pad'), 'utf8');
  const short = (n) =>
    n === 0 ? '' : n < 10000 ? `${(n / 1000).toFixed(1)}k` : `${Math.round(n / 1000)}k`;
  const {rows} = table('h200.profiled_lines');
  for (const line of ['24', '31']) {
    const sum = (column) =>
      rows
        .filter((row) => row.kernel === 'before' && row.side === '512' && row.line === line)
        .reduce((all, row) => all + Number(row[column]), 0);
    const text = printed.split('\n').find((one) => new RegExp(`^ *>? *${line} `).test(one));
    const fields = text.split('|')[0].replace('>', ' ').trim().split(/ +/).slice(2);
    const wanted = ['executed', 'wavefronts', 'excessive', 'sectors'].map((each) =>
      short(sum(each)),
    );
    assert.deepEqual(
      fields,
      wanted.filter((one) => one !== ''),
      text,
    );
  }
});

// Chapter 8, Tuning: the last tenth: "192 pairs differ in the shuffle alone: in the median it is worth a third of a per cent, some lose
// almost five per cent by it, and others gain as much".
test('a shuffle of sums to their own lanes is worth little in the median of 192 pairs', () => {
  const choices = 'sweep tile step stages run ahead order body lanes spread group'.split(' ');
  const pairs = new Map();
  for (const row of table('h200.product_tiles').rows) {
    const key = choices.map((name) => row[name]).join();
    pairs.set(key, {...pairs.get(key), [row.freed]: Number(row.ratio)});
  }
  const gains = [...pairs.values()]
    .filter((pair) => pair.yes !== undefined && pair.no !== undefined)
    .map((pair) => pair.yes - pair.no)
    .sort((a, b) => a - b);
  assert.equal(gains.length, 192);
  const median = (gains[95] + gains[96]) / 2;
  assert.ok(median > 0.003 && median < 0.004, `${median}`);
  assert.ok(gains[0] > -0.05 && gains[0] < -0.045, `${gains[0]}`);
  assert.ok(gains[191] < 0.05 && gains[191] > 0.045, `${gains[191]}`);
});

// Chapter 5, Memory bandwidth: as fast as memory allows: "a third of that is the size of the blocks". Its exercise 3: "three parts of about the same size".
test('from one element a thread to four there are three steps of about the same size', () => {
  const time = (way) => {
    const [row] = table('h200.experiments').rows.filter(
      (one) => one.experiment === 'transpose' && one.size === '4096' && one.way === way,
    );
    return Number(row.median_us);
  };
  const steps = [
    '32x32 free each 1',
    '8x32 free each 1',
    '32x32 free each 4 in series',
    '32x32 free each 4',
  ].map(time);
  const whole = steps[0] - steps[3];
  for (let i = 0; i < 3; ++i) {
    const share = (steps[i] - steps[i + 1]) / whole;
    assert.ok(share > 0.29 && share < 0.38, `${share}`);
  }
});

// Chapter 9, Shared atomics: what merges, and what takes turns: cycles of additions "are the model's passes, to the last one".
test('additions in shared memory take the cycles of the model', () => {
  const lanes = {
    'a word each, in 32 banks': 't',
    '2 words a bank': 't % 16 + t / 16 * 32',
    '4 words a bank': 't % 8 + t / 8 * 32',
    '32 words of one bank': '32 * t',
    '2 lanes a word': 't / 2',
    '8 lanes a word': 't / 8',
    'one word': '0',
  };
  const access = {store: 'store', 'add 1': 'store', add: 'atomic'};
  const {rows} = table('h200.shared_atomics');
  const ours = rows.filter((row) => row.instruction in access);
  assert.equal(ours.length, 21);
  for (const row of ours) {
    const offset = offsetsOf(lanes[row.lanes], 4);
    const {wavefronts} = sharedCost({offset, access: access[row.instruction]});
    assert.equal(Math.round(Number(row.cycles)), wavefronts, `${row.instruction}: ${row.lanes}`);
  }
});

const timeOf = (way, data, copies = '1', bins = '256') => {
  const found = table('h200.histograms').rows.filter(
    (row) => row.way === way && row.data === data && row.copies === copies && row.bins === bins,
  );
  assert.equal(found.length, 1, `${way}, ${data}, ${copies}`);
  assert.equal(found[0].counts, 'right');
  return Number(found[0].time_us);
};
const KINDS = ['uniform', 'skewed', 'constant'];

// Chapter 9, the first page, One histogram a block, and What merges: "a cycle and a half", "three times as long as it takes
// to read them", "four times as many as there is time for".
test('histograms take the multiples that the text has in words', () => {
  const contest = table('h200.histogram_contest').rows;
  const micros = (name) =>
    Number(
      contest.find(
        (row) =>
          row.name === name && row.bins === '256' && row.data === 'uniform' && row.size === '64 Mi',
      ).time_us,
    );
  const elements = 64 * 2 ** 20,
    clock = 1980; // cycles in a microsecond
  const cycles = (timeOf('global', 'constant', '0') / elements) * clock;
  assert.ok(cycles > 1.4 && cycles < 1.6, `${cycles}`);
  const slower = micros('09_histograms/1_private') / micros('reading');
  assert.ok(slower > 2.8 && slower < 3.2, `${slower}`);
  const room = ((micros('reading') * clock * 132) / elements) * 32;
  assert.ok(32 / room > 3.8 && 32 / room < 4.2, `${room}`);
});

// Chapter 9, What merges and Whose copy: copies of a warp gain nothing, and one copy is as fast as 32 for counting.
test('copies of a lane help where lanes take turns, and copies of a warp do not', () => {
  for (const data of KINDS) {
    const one = timeOf('used', data);
    assert.ok(Math.abs(timeOf('used a warp', data, '32') / one - 1) < 0.03, data);
    assert.ok(Math.abs(timeOf('lane', data) / timeOf('lane', data, '32') - 1) < 0.03, data);
  }
  assert.ok(timeOf('used', 'constant', '32') < 0.25 * timeOf('used', 'constant'));
});

// Chapter 9, Match: asking who else has it: "the more different values a warp has, the longer it takes"; "for counting", never less.
test('a match takes longer the more lanes differ, and never pays for counting', () => {
  for (const way of ['match', 'match used']) {
    const times = KINDS.map((data) => timeOf(way, data));
    assert.ok(times[0] > times[1] && times[1] > times[2], way);
  }
  for (const data of KINDS) assert.ok(timeOf('match', data) > timeOf('lane', data), data);
  assert.ok(timeOf('match used', 'constant') < timeOf('used', 'constant'));
});

// Chapter 10, ldmatrix: a row each: "A matrix takes one where its rows lie well, and eight where they are 128 or 256 bytes apart"; it is
// "a rule of the model".
test('ldmatrix takes for each matrix what eight rows of 16 bytes take by the model', () => {
  const matrices = {x1: 1, x2: 2, x4: 4};
  const {rows} = table('h200.ldmatrix');
  assert.equal(rows.length, 4 * 13);
  for (const {request, row_bytes: bytes, cycles} of rows) {
    const index = `t % 8 * ${bytes / 16}`;
    const rowsOfOne = {offset: offsetsOf(index, 16), width: 16, mask: 0xff};
    const passes = matrices[request.split('.')[1]] * sharedCost(rowsOfOne).wavefronts;
    assert.ok(Math.abs(cycles - passes) < 0.1, `${request}, ${bytes} bytes: ${cycles}`);
  }
});

const matrixContest = (contest, size, name) =>
  Number(
    table('h200.matrix_contest').rows.find(
      (row) => row.contest === contest && row.size === size && row.name === name,
    ).time_us,
  );

// Chapter 10, ldmatrix: a row each: fewer requests are worth "less than nothing". Three steps ahead: stages gain "next to nothing", and
// "two are worse than one".
test('requests and stages gain little in the small products of lab 10', () => {
  const solved = matrixContest('fragments', '2048^3', '10_matrix_units/1_fragments');
  assert.ok(matrixContest('fragments', '2048^3', '1: loads of 4 bytes') < solved);
  const times = ['3: one stage', '3: two stages', '3: three stages', '10_matrix_units/3_stages'];
  const large = times.map((name) => matrixContest('stages', '4096^3', name));
  assert.ok(large[0] / large[3] < 1.05 && Math.max(...large) / Math.min(...large) < 1.1);
  const small = times.map((name) => matrixContest('stages', '2048^3', name));
  assert.ok(small[1] > 1.1 * small[0]);
});

// Chapter 10, The inner loop: where the rest is: each of three things that stand between the products brings something.
test('the product of lab 10 is faster with each of three things less between its products', () => {
  for (const size of ['2048^3', '4096^3', '8192^3']) {
    const of = (name) => matrixContest('matrix product', size, name);
    assert.ok(of('4: all in every step') > 1.3 * of('4: halves of B apart'));
    assert.ok(of('4: halves of B apart') > of('4: copies in pairs'));
    assert.ok(of('4: copies in pairs') > 1.1 * of('10_matrix_units/4_product'));
    assert.ok(of('cuBLAS bf16') < of('10_matrix_units/4_product'));
  }
});

// Chapter 10, The inner loop: where the rest is: "No part is half full", "less than half of what mma.sync does alone".
test('nothing is half full in the product of lab 10 that computes everything in every step', () => {
  const {rows} = table('h200.matrix_profile');
  const every = rows.find((row) => row.name === '4: all in every step');
  for (const part of ['tensor_pipe', 'issue', 'shared', 'l2']) assert.ok(every[part] < 50, part);
  const alone = table('h200.mma_rate').rows.find(({warps}) => Number(warps) === 8);
  const seconds = matrixContest('matrix product', '4096^3', '4: all in every step') * 1e-6;
  assert.ok((2 * 4096 ** 3) / seconds / 1e12 < alone.tflops / 2);
});

// Chapters 10 and 12 take percent of one cuBLAS: the fastest that matrix_contest, async_contest and bench have of a size.
test('the cuBLAS of chapters 10 and 12 is the slowest and the fastest of all runs', () => {
  const tflopsOf = (row) => Number(row.tflops ?? row.flops / row.seconds / 1e12).toFixed(1);
  const all = ['h200.matrix_contest', 'h200.async_contest', 'h200.bench'].flatMap((name) =>
    table(name).rows.filter((row) => row.name === 'cuBLAS bf16'),
  );
  for (const row of table('h200.cublas').rows) {
    const runs = all.filter(({size}) => size === row.size).map((one) => Number(tflopsOf(one)));
    assert.equal(runs.length, Number(row.runs), row.size);
    assert.equal(Math.min(...runs), Number(row.least_tflops), row.size);
    assert.equal(Math.max(...runs), Number(row.most_tflops), row.size);
  }
});

// Chapter 10, Tensor cores and mma.sync: sixteen by eight by sixteen: products and the old sum are "aligned to the largest of them", cut off "below 25
// binary places", added exactly, and cut off to a float.
const bitsAsFloat = (hex) => {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, parseInt(hex, 16));
  return view.getFloat32(0);
};
// A number as [significand, exponent of its last place], exactly.
function parts(value) {
  if (value === 0) return [0n, -Infinity, -Infinity];
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const whole = BigInt(value * 2 ** (23 - exponent));
  return [whole, exponent - 23, exponent];
}
function summed(c, a, b) {
  const terms = a.map((one, i) => {
    const [x, low, high] = parts(one);
    const [y, below, above] = parts(b[i]);
    return [x * y, low + below, high + above];
  });
  terms.push(parts(c));
  const top = Math.max(...terms.map(([, , high]) => high));
  if (top === -Infinity) return 0;
  const place = top - 25;
  const sum = terms
    .filter(([whole]) => whole !== 0n)
    .map(([whole, low]) =>
      low >= place ? whole << BigInt(low - place) : whole / (1n << BigInt(place - low)),
    )
    .reduce((all, one) => all + one, 0n);
  const size = (sum < 0n ? -sum : sum).toString(2).length;
  const cut = size > 24 ? (sum / (1n << BigInt(size - 24))) << BigInt(size - 24) : sum;
  return Number(cut) * 2 ** place;
}
test('matrix units cut off below 25 binary places of the largest, and then to a float', () => {
  const {rows} = table('h200.tensor_sums');
  assert.ok(rows.length >= 100);
  const numbers = (text) => text.trim().split(/\s+/).map(bitsAsFloat);
  for (const row of rows)
    assert.equal(
      summed(bitsAsFloat(row.c), numbers(row.a), numbers(row.b)),
      bitsAsFloat(row.d),
      `${row.instruction} ${row.d}`,
    );
  assert.equal(summed(1, Array(16).fill(2 ** -13), Array(16).fill(2 ** -13)), 1);
});

// Chapter 12, wgmma: operands that nobody loads: what its kernel of chapter 10 reaches of mma.sync is less than all. Chapter 11, the first page: the
// four instructions for each multiplication are those of the profile that chapter 10 prints.
test('the profile that chapter 10 quotes has as many instructions as chapters 10 and 11 say', () => {
  const text = readFileSync(
    fileOf('./course profile 10_matrix_units/4_product --solution'),
    'utf8',
  );
  assert.match(text, /34,?032/);
});

// What Hopper does, measured: what its tables and sentences say of clusters, barriers, boxes and wgmma.
const pageOf = (name) => readFileSync(join(chapters, name), 'utf8');
const numbersOf = (rows, column) => rows.map((row) => Number(row[column]));

test('a load from a neighbour takes a cycle and a half for each sector and each line', () => {
  for (const words of [2, 4, 8, 32, 33]) {
    const [row] = table('h200.hopper_dsmem_throughput').rows.filter(
      (one) =>
        one.operation === 'ld' &&
        one.width_bytes === '4' &&
        one.pattern === `stride${words}` &&
        one.who === 'every block its neighbour' &&
        one.cluster_size === '2' &&
        one.blocks === '2' &&
        one.warps_per_block === '16',
    );
    const {sectors, lines} = remoteCost({offset: offsetsOf(`${words}*t`, 4)});
    const ratio = Number(row.cycles_per_warp_instruction) / (sectors + lines);
    assert.ok(ratio > 1.4 && ratio < 1.6, `${words} words: ${ratio}`);
  }
});

test('the barrier of a cluster takes nearly as long for one block as for sixteen', () => {
  const rows = table('h200.hopper_dsmem_latency').rows.filter(
    (row) =>
      row.what === 'cluster barrier, 128 threads a block' && row.operation === 'release/acquire',
  );
  const cycles = numbersOf(rows, 'cycles_or_count');
  assert.equal(rows.length, 5);
  assert.ok(Math.max(...cycles) < 1.12 * Math.min(...cycles), String(cycles));
});

test('neighbours of a cluster differ by some fifteen cycles', () => {
  const cycles = numbersOf(
    table('h200.hopper_dsmem_latency').rows.filter(
      (row) =>
        row.operation === 'ld.shared::cluster' && row.target_rank > 0 && row.cluster_size === '16',
    ),
    'cycles_or_count',
  );
  const differ = Math.max(...cycles) - Math.min(...cycles);
  assert.ok(differ > 10 && differ < 20, String(differ));
});

test('copies whose bytes are off do what the page says', () => {
  const faults = table('h200.hopper_tma_faults').rows;
  const rows = [
    ...pageOf('hopper.md').matchAll(/^\| (\d+) bytes \| ([\d or]+) \| ([a-z ]+) \| (\d*) ?\|$/gm),
  ];
  assert.equal(rows.length, 5);
  for (const [, size, expected, phase, words] of rows)
    for (const one of expected.split(' or ')) {
      const completed = phase === 'never ends' ? 0 : 1;
      const result =
        words === ''
          ? faults.find((row) => row.case === `dst +0,x 0,expect ${one},swizzle 0`)?.result
          : faults.find((row) => row.case === `size ${size}` && row.result.includes(','))?.result;
      const wanted =
        words === ''
          ? `no error completed ${completed}`
          : `no error,completed ${completed}, words written ${words}`;
      assert.equal(result, wanted, `${size} bytes, ${one} expected`);
    }
});

test('no byte of a box was elsewhere, where rows are a span apart', () => {
  const {rows} = table('h200.hopper_tma_images');
  for (const row of rows) {
    assert.equal(row.completed, row.boxes);
    assert.equal(row.exact_with_pitch_of_the_span, row.boxes);
  }
  assert.ok(rows.some((row) => row.exact_with_pitch_of_inner_bytes !== row.boxes));
});

test('wgmma takes its bytes over 128, has no conflicts, and waits for them up to N = 32', () => {
  for (const row of table('h200.hopper_wgmma_counts').rows) {
    assert.equal(Number(row.wavefronts_per_wgmma), row.bytes_per_wgmma / 128);
    assert.equal(Number(row.conflicts), 0);
    if (row.type === 'bf16' && row.a_from === 'shared')
      assert.equal(row.wavefronts_per_wgmma > row.n / 2, row.n <= 32, row.n);
  }
});

test('the layout of an operand changes nothing', () => {
  const {rows} = table('h200.hopper_wgmma_rate');
  const alike = rows.filter(
    (row) =>
      row.type === 'bf16' && row.n === '128' && row.a_from === 'shared' && row.warpgroups === '1',
  );
  assert.ok(alike.length > 8 && alike.some((row) => row.layout.includes('one core matrix')));
  const cycles = numbersOf(alike, 'cycles');
  assert.ok(Math.max(...cycles) < 1.01 * Math.min(...cycles), String(cycles));
});

const asyncContest = (contest, size, name) =>
  Number(
    table('h200.async_contest').rows.find(
      (row) => row.contest === contest && row.size === size && row.name === name,
    ).time_us,
  );

// Chapter 12, Distributed shared memory: a neighbour's memory: "The cluster is the slowest of the three".
// Chapter 11, TMA's swizzle: what it makes free: "it is the 32-fold conflict that shows".
test('a cluster counts slower than passes do, and conflicts of four hide in a transpose', () => {
  for (const size of ['16 Mi', '64 Mi']) {
    const of = (name) => asyncContest('histogram of 196608 bins', size, name);
    const cluster = of('11_async_memory/4_cluster');
    assert.ok(cluster > of('4: additions to global memory'));
    assert.ok(cluster > of('09_histograms/4_many_bins'));
  }
  const of = (name) => asyncContest('transpose by tensor maps', '8192 x 4096', name);
  const units = of('11_async_memory/3_tensor_map');
  assert.ok(of('3: words') > 2 * units);
  assert.ok(Math.abs(of('3: words of a swizzle') / units - 1) < 0.02);
});

// Lab 11, The whole ladder: 0.95 of cuBLAS and more, and 0.60 and 0.66 with two stages, as a reason of 6_ladder says.
test('the ladder of lab 11 has 0.95 of cuBLAS, and two stages do not', () => {
  for (const [size, two] of [
    ['4096^3', '0.60'],
    ['8192^3', '0.66'],
  ]) {
    const of = (name) => asyncContest('matrix product', size, name);
    assert.ok(of('cuBLAS bf16') / of('11_async_memory/6_ladder') >= 0.95);
    assert.equal((of('cuBLAS bf16') / of('6: two stages')).toFixed(2), two);
  }
});

// The eight moves, The same in the words of CUTLASS: the swizzles of chapters 10 and 11 are Swizzle<3,4,3>, <3,3,3> and <2,4,3>.
test("the book's swizzles are those that CuTe names", () => {
  const swizzle = (bits, base, shift) => (index) =>
    index ^ (((index >> (base + shift)) & ((1 << bits) - 1)) << base);
  for (let row = 0; row < 64; ++row) {
    for (let unit = 0; unit < 8; ++unit) {
      const there = unit ^ (row % 8);
      assert.equal(swizzle(3, 4, 3)(128 * row + 16 * unit), 128 * row + 16 * there);
      assert.equal(swizzle(3, 3, 3)(64 * row + 8 * unit), 64 * row + 8 * there);
    }
    for (let unit = 0; unit < 4; ++unit)
      assert.equal(
        swizzle(2, 4, 3)(64 * row + 16 * unit),
        64 * row + 16 * (unit ^ (Math.floor(row / 2) % 4)),
      );
  }
});

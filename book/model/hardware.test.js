import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {bankLoads, constantReplays, occupancy, sectors, sharedCost} from './hardware.js';
import {offsetsOf} from './lane_expression.js';

const root = new URL('../../', import.meta.url);

function rowsOf(file) {
  const [head, ...lines] = readFileSync(new URL(file, root), 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(','));
  return lines.map((line) => Object.fromEntries(line.map((value, i) => [head[i], value])));
}

function predicted(row) {
  const [, memory, what, width] = /^(shared|global|constant)_(.+)_(\d+)$/.exec(row.access);
  const mask = Number(row.active_mask);
  const offset = Array.from({length: 32}, (_, lane) => Number(row[`lane${lane}`]));
  if (memory === 'global') return {sectors: sectors(offset, mask)};
  if (memory === 'constant') return {replays: constantReplays(offset, mask)};
  const access = what === 'atomic_add' ? 'atomic' : what;
  const {wavefronts, ideal} = sharedCost({access, width: Number(width), mask, offset});
  return {wavefronts, ideal};
}

function mismatches(rows) {
  return rows.filter((row) =>
    Object.entries(predicted(row)).some(
      ([name, value]) => row[name] !== '' && Number(row[name]) !== value,
    ),
  );
}

test('the model reproduces all 552 measured patterns', () => {
  const rows = rowsOf('grader/device/model/data/access_patterns.csv');
  assert.equal(rows.length, 552);
  assert.deepEqual(mismatches(rows), []);
});

test('a pattern with a wrong count is found', () => {
  const row = rowsOf('grader/device/model/data/access_patterns.csv').find(
    (one) => one.access === 'shared_load_4',
  );
  assert.equal(mismatches([{...row, wavefronts: Number(row.wavefronts) + 1}]).length, 1);
});

test('loads of 8 bytes are as measured on 1,000 more patterns', () => {
  const rows = rowsOf('book/data/h200/patterns_wide_loads.csv').filter(
    (row) => row.access === 'shared_load_8',
  );
  assert.equal(rows.length, 1000);
  assert.deepEqual(mismatches(rows), []);
});

test('loads of 16 bytes are as measured, by whole warps and by partial ones', () => {
  const rows = rowsOf('book/data/h200/patterns_wide_loads.csv').filter(
    (row) => row.access === 'shared_load_16',
  );
  assert.ok(rows.some((row) => row.active_mask === '0xffffffff'));
  assert.ok(rows.some((row) => row.active_mask !== '0xffffffff'));
  assert.deepEqual(mismatches(rows), []);
});

const conflicts = (index, more = {}) =>
  sharedCost({offset: offsetsOf(index, more.width ?? 4), ...more}).conflicts;

test('a column of 32-word rows is 32-way, and one of 33-word rows is free', () => {
  assert.equal(conflicts('32*t'), 31);
  assert.equal(conflicts('33*t'), 0);
});

test('each pass serves every bank at most once, and every lane is served once', () => {
  for (const request of [
    {offset: offsetsOf('t*t', 4)},
    {offset: offsetsOf('6*t', 8), width: 8},
    {offset: offsetsOf('3*t', 4), device: '1.x'},
    {offset: offsetsOf('t/2*8', 4), access: 'atomic'},
  ]) {
    const cost = sharedCost(request);
    const served = cost.passes
      .flatMap((pass) => pass.flatMap((one) => one.lanes))
      .sort((a, b) => a - b);
    assert.deepEqual(
      served,
      Array.from({length: 32}, (_, lane) => lane),
    );
    for (const pass of cost.passes)
      assert.equal(new Set(pass.map((one) => one.bank)).size, pass.length);
  }
});

test('the load of a bank is the words that it serves', () => {
  const column = bankLoads({offset: offsetsOf('32*t', 4)});
  assert.deepEqual([column[0], column[1]], [32, 0]);
  assert.deepEqual(bankLoads({offset: offsetsOf('t', 8), width: 8}), Array(32).fill(2));
});

test('older devices follow their guides', () => {
  assert.deepEqual(sharedCost({offset: offsetsOf('2*t', 4), device: '1.x'}).wavefronts, 4); // two half-warps, 2-way each
  assert.equal(conflicts('32*t', {device: '3.x-4byte'}), 15); // words i and i + 32 of a segment come together
  assert.equal(conflicts('2*t', {device: '3.x-8byte'}), 0);
  assert.equal(conflicts('2*t', {device: '2.x'}), 1);
});

test('atomics on an older device are refused', () => {
  assert.throws(
    () => sharedCost({access: 'atomic', device: '2.x', offset: offsetsOf('t', 4)}),
    /no rule/,
  );
});

// From NVIDIA's cuda_occupancy.h, as in grader/device/model/occupancy_test.cpp.
test('occupancy is that of the calculator', () => {
  const rows = [
    [256, 32, 0, 8, 64, 'threads'],
    [1024, 32, 4224, 2, 64, 'threads'],
    [1, 1, 0, 32, 32, 'blocks'],
    [256, 128, 0, 2, 16, 'registers'],
    [128, 40, 16384, 12, 48, 'registers'],
    [96, 37, 1000, 16, 48, 'registers'],
    [1024, 65, 0, 0, 0, 'nothing fits'],
    [256, 32, 49152, 4, 32, 'shared memory'],
    [256, 32, 232448, 1, 8, 'shared memory'],
    [256, 32, 232449, 0, 0, 'nothing fits'],
    [0, 32, 0, 0, 0, 'nothing fits'],
  ];
  for (const [threads, registers, shared, blocks, warps, limit] of rows) {
    const got = occupancy({threads, registers, shared});
    assert.deepEqual(
      [got.blocks, got.warps, got.limit],
      [blocks, warps, limit],
      `${threads} ${registers} ${shared}`,
    );
  }
});

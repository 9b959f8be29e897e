import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import reduction, {stepsOf} from './reduction.js';

const ways = (order, threads = 256) => stepsOf({threads, order}).map((step) => step.cost.ways);

test('interleaved, conflicts grow with the distance; sequential has none', () => {
  assert.deepEqual(ways('interleaved').slice(0, 5), [2, 4, 8, 8, 8]);
  assert.deepEqual(ways('sequential'), Array(8).fill(1));
});

test('every order adds each word once: all values end up in word 0', () => {
  for (const order of ['neighbours', 'interleaved', 'sequential']) {
    const sum = Array(64).fill(1);
    for (const {target, apart} of stepsOf({threads: 64, order}))
      for (const word of target.filter((one) => one !== null)) sum[word] += sum[word + apart];
    assert.equal(sum[0], 64, order);
  }
});

test('threads at multiples keep every warp busy; the first threads alone let warps rest', () => {
  assert.deepEqual(
    stepsOf({threads: 256, order: 'neighbours'})
      .map((step) => step.warps)
      .slice(0, 5),
    [8, 8, 8, 8, 8],
  );
  assert.deepEqual(
    stepsOf({threads: 256, order: 'sequential'})
      .map((step) => step.warps)
      .slice(0, 3),
    [4, 2, 1],
  );
});

test('a step beyond the last shows the last', () => {
  assert.match(
    reduction.view(valuesOf(reduction, {threads: '32', step: '9'})).says,
    /Step 4, s = 16/,
  );
});

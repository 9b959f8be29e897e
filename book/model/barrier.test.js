import assert from 'node:assert/strict';
import {test} from 'node:test';
import {table} from '../press/tables.js';
import {Barrier, partsOfCopy} from './barrier.js';

// What a barrier and a place of 64 words show after one copy, of which `expected` bytes were announced.
function afterCopy(size, expected, parts = 16) {
  const barrier = new Barrier(1);
  barrier.arriveExpecting(expected);
  const came = partsOfCopy(size, parts);
  for (const bytes of came) barrier.come(bytes);
  return {
    completed: barrier.isPast(0) ? 1 : 0,
    words: came.reduce((sum, bytes) => sum + bytes, 0) / 4,
  };
}
const faults = table('h200.hopper_tma_faults').rows;

test('sizes that are no multiple of 16 copy less and complete nothing, as measured', () => {
  const rows = faults.filter((row) => row.result.includes('words written'));
  assert.equal(rows.length, 5);
  for (const row of rows) {
    const size = Number(/^size (\d+)/.exec(row.case)[1]);
    const {completed, words} = afterCopy(size, size);
    assert.equal(row.result, `no error,completed ${completed}, words written ${words}`);
  }
});

test('too few bytes expected complete a phase early, another number never does, as measured', () => {
  const rows = faults.filter((row) => /^dst \+\d+,x 0,expect \d+,.*/.test(row.case));
  const completing = rows.filter((row) => row.result.startsWith('no error'));
  assert.ok(completing.length >= 8);
  for (const row of completing) {
    const {completed} = afterCopy(256, Number(/expect (\d+)/.exec(row.case)[1]));
    assert.equal(row.result, `no error completed ${completed}`, row.case);
  }
});

test('the parity before phase 0 counts as complete, and two phases on a parity looks the same', () => {
  const barrier = new Barrier(1);
  assert.deepEqual([barrier.isPast(1), barrier.isPast(0)], [true, false]);
  barrier.arrive();
  assert.deepEqual([barrier.isPast(1), barrier.isPast(0)], [false, true]);
  barrier.arrive();
  assert.deepEqual([barrier.isPast(1), barrier.isPast(0)], [true, false]);
});

test('a phase waits for its arrivals and its bytes, whichever come last', () => {
  const barrier = new Barrier(2);
  barrier.arriveExpecting(64);
  barrier.come(64);
  assert.equal(barrier.phase, 0);
  barrier.arrive();
  assert.equal(barrier.phase, 1);
  barrier.come(16); // before they were expected: the phase is in debt
  barrier.arrive();
  barrier.arriveExpecting(16);
  assert.equal(barrier.phase, 2);
});

test('the parts of a copy are its whole chunks', () => {
  assert.deepEqual(partsOfCopy(1024, 4), [256, 256, 256, 256]);
  assert.deepEqual(partsOfCopy(1000, 4), [240, 256, 240, 256]);
  assert.deepEqual(partsOfCopy(8, 4), [0, 0, 0, 0]);
});

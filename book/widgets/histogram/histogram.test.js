import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import histogram, {firstToWait, requestOf} from './histogram.js';

const passes = (data, copies, adds) =>
  Array.from({length: 32}, (_, step) => requestOf({data, copies, adds}, step).cost.wavefronts);
const sum = (all) => all.reduce((a, b) => a + b, 0);

test('counting merges lanes of one bin, any other addition lets them take turns', () => {
  assert.deepEqual(passes('same', 'block', 'count'), Array(32).fill(1));
  assert.deepEqual(passes('same', 'block', 'other'), Array(32).fill(32));
});

test('a copy for each warp changes nothing, and a lane in its own bank meets nobody', () => {
  for (const data of ['any', 'skewed', 'sorted', 'same']) {
    for (const adds of ['count', 'other']) {
      assert.deepEqual(passes(data, 'warp', adds), passes(data, 'block', adds));
      assert.deepEqual(passes(data, 'lane', adds), Array(32).fill(1));
    }
  }
});

test('copies one behind another have conflicts between banks, whatever is added', () => {
  assert.deepEqual(passes('any', 'apart', 'count'), passes('any', 'apart', 'other'));
  assert.deepEqual(passes('same', 'apart', 'other'), Array(32).fill(32));
});

test('elements in any order take about three passes', () => {
  const mean = sum(passes('any', 'block', 'count')) / 32;
  assert.ok(mean > 2.5 && mean < 3.7, String(mean));
});

test('the one who waits has the bank of the one it waits for', () => {
  for (let step = 0; step < 32; ++step) {
    const request = requestOf({data: 'any', copies: 'block', adds: 'count'}, step);
    const wait = firstToWait(request);
    if (!wait) continue;
    assert.equal(request.words[wait.lane] % 32, wait.bank);
    assert.equal(request.words[wait.other] % 32, wait.bank);
    assert.ok(!wait.sameWord);
  }
  assert.equal(firstToWait(requestOf({data: 'same', copies: 'block', adds: 'count'}, 0)), null);
});

test('it says who waits for whom, and why', () => {
  const says = (given) => histogram.view(valuesOf(histogram, given)).says;
  assert.match(
    says({data: 'same', adds: 'other'}),
    /32 elements in 1 bin, <strong>32 passes.*both add to bin 5/,
  );
  assert.match(says({copies: 'lane', step: '7'}), /Request 7: .*1 pass<.*Nobody waits/);
  assert.match(says({}), /waits for lane \d+: bins \d+ and \d+ are both in bank \d+/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import transpose, {stepsOf} from './transpose.js';

const given = {warp: 3, rows: 4096, columns: 4096};

test('sectors and passes of the three ways', () => {
  const naive = stepsOf({...given, way: 'naive'}),
    tile = stepsOf({...given, way: 'tile'}),
    padded = stepsOf({...given, way: 'padded'});
  assert.deepEqual([naive.readSectors, naive.writtenSectors, naive.store], [4, 32, null]);
  assert.deepEqual(
    [tile.readSectors, tile.writtenSectors, tile.store.wavefronts, tile.load.wavefronts],
    [4, 4, 1, 32],
  );
  assert.deepEqual([padded.writtenSectors, padded.load.wavefronts], [4, 1]);
});

test('a matrix whose rows do not begin on a sector takes one sector more', () => {
  assert.equal(stepsOf({way: 'naive', warp: 1, rows: 64, columns: 129}).readSectors, 5);
});

test('it says what the warp pays', () => {
  assert.match(transpose.view(valuesOf(transpose, {way: 'tile'})).says, /31 conflicts/);
  assert.throws(() => valuesOf(transpose, {warp: '32'}), /0 to 31/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import shuffle, {sourceOf} from './shuffle.js';

test('each function reads where the programming guide says, within its segment', () => {
  assert.equal(sourceOf('down', 5, 2, 32), 7);
  assert.equal(sourceOf('down', 31, 2, 32), 31);
  assert.equal(sourceOf('down', 7, 1, 8), 7);
  assert.equal(sourceOf('up', 5, 2, 32), 3);
  assert.equal(sourceOf('up', 8, 1, 8), 8);
  assert.equal(sourceOf('xor', 5, 1, 32), 4);
  assert.equal(sourceOf('xor', 3, 4, 4), 3); // lane 7 is in a later segment
  assert.equal(sourceOf('xor', 5, 4, 4), 1); // an earlier segment may be read
  assert.equal(sourceOf('idx', 20, 3, 16), 19);
  assert.equal(sourceOf('idx', 20, 19, 16), 19); // lane 19 mod 16
});

test('it says how many lanes keep their own value', () => {
  assert.match(
    shuffle.view(valuesOf(shuffle, {op: 'down', by: '3'})).says,
    /3 lanes get their own value; 29 lanes are read/,
  );
  assert.match(shuffle.view(valuesOf(shuffle, {op: 'idx', by: '0'})).says, /1 lane is read/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import occupancy from './occupancy.js';

const says = (given) => occupancy.view(valuesOf(occupancy, given)).says.replace(/<[^>]+>/g, '');

test('it names what stops one more block', () => {
  assert.equal(
    says({threads: 256, registers: 32, shared: 49152}),
    '4 blocks, 32 of 64 warps (50 %). Its shared memory stops one more.',
  );
  assert.match(says({threads: 256, registers: 128}), /2 blocks.*registers stop/);
  assert.match(says({threads: 32, registers: 16}), /32 blocks.*number of blocks stops/);
});

test('a block that does not fit is told why', () => {
  assert.match(says({threads: 1024, registers: 65}), /Not one block fits: its registers/);
});

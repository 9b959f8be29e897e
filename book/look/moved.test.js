import assert from 'node:assert/strict';
import {test} from 'node:test';
import {movedTo} from './moved.js';

test('only what has moved leads to another page', () => {
  const moved = {two: '02_b.html#two'};
  assert.equal(movedTo('#two', moved), '02_b.html#two');
  for (const hash of ['', '#', '#one', '#constructor'])
    assert.equal(movedTo(hash, moved), undefined);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {termsOf} from './terms.js';

test('words with spaces are terms, and pairs of characters where there are none', () => {
  assert.deepEqual(termsOf('Bank conflicts: 32-way.'), ['Bank', 'conflicts', '32', 'way']);
  assert.deepEqual(termsOf('存储体冲突'), ['存储', '储体', '体冲', '冲突']);
  assert.deepEqual(termsOf('32 个 wavefront，字'), ['32', 'wavefront', '个', '字']);
});

test('a question is found in a text that contains it, whatever stands around', () => {
  const text = new Set(termsOf('每个存储体冲突要多一趟。'));
  assert.ok(termsOf('存储体冲突').every((term) => text.has(term)));
  assert.ok(!termsOf('共享内存').every((term) => text.has(term)));
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {commentOf} from './variants.js';

test('a variant says what it fails, as a file and as edits', () => {
  assert.match(commentOf('solutions/05_transpose/wrong/2_pad_shuffles.cu'), /^\/\/ wrong: \w/);
  assert.match(commentOf('solutions/05_transpose/wrong/2_pad_two_words.cu'), /^\/\/ wrong: confl/);
  for (const path of ['2_pad_none', '9_none_x'])
    assert.doesNotMatch(commentOf(`solutions/05_transpose/wrong/${path}.cu`), /wrong/);
  assert.equal(commentOf('labs/nothing.cu'), '');
});

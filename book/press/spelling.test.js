import assert from 'node:assert/strict';
import {test} from 'node:test';
import {misspelled} from './spelling.js';

test('a wrong word is found in its line, and ours and code are not', (context) => {
  const text = 'A bank serves a wavefront.\n\nThis sentense is `wrnog`, and has a mistaek.';
  const {problems, skipped} = misspelled([{file: '01_x.md', text}]);
  if (skipped.length > 0) return context.skip(skipped[0]);
  assert.deepEqual(
    problems.map((one) => one.replace(/\(.*/, '').trim()),
    [
      'chapters/01_x.md:3: the dictionary does not have "sentense"',
      'chapters/01_x.md:3: the dictionary does not have "mistaek"',
    ],
  );
});

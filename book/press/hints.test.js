import assert from 'node:assert/strict';
import {test} from 'node:test';
import {exercisesIn} from './folders.js';
import {hintsIn, hintsOf} from './hints.js';
import {codeMarked} from './task.js';

test('a hint is a paragraph, however its lines are broken', () => {
  const toml = 'hints = ["a", """\nfloat  tile[kTile]\n  [33]""", "a \\"row\\", {free}"]\n';
  assert.deepEqual(hintsIn(toml), ['a', 'float tile[kTile] [33]', 'a "row", {free}']);
});

test('every exercise of the course has three, and only exercises do', () => {
  const all = ['01_banks', '04_reduction', '05_transpose', '08_tiled_product'].flatMap(exercisesIn);
  assert.ok(all.length >= 16);
  for (const id of all) assert.equal(hintsOf(id).length, 3, id);
  assert.throws(() => hintsOf('05_transpose/6_none'), /three hints/);
  assert.throws(() => hintsOf('09_none/1_none'), /three hints/);
});

test('code in a task ends with its statement, or with its paragraph', () => {
  assert.equal(codeMarked('out[i] = in[i] + 1; and so on'), '`out[i] = in[i] + 1;` and so on');
  const task = 'out[i] = the sum of all, for any n.\n\nDo it; then grade.';
  assert.equal(codeMarked('&tile[l][2], cluster.sync()'), '`&tile[l][2]`, `cluster.sync()`');
  assert.equal(codeMarked(task), '`out[i]` = the sum of all, for any n.\n\nDo it; then grade.');
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {exercisesIn} from './folders.js';
import {hintsIn, hintsOf} from './hints.js';

const source = String.raw`
Exercise pad() {
  auto exercise = transpose("2_pad", "a transpose", whole_tiles()); // not "3_rows"
  exercise.mentioned = {"conflicts"};
  exercise.hints = {
      "Which words "
      "do lanes want, 0, 1 and 2?",
      "A \"row\" of 32 words {leads} back.",
      "float tile[kTile][kTile + 1]"};
  exercise.explanation = "It is done, and the rest follows.";
}
Exercise rows() {
  exercise.id = "05_transpose/3_rows";
  exercise.hints = {"a", "b", "c"};
}
`;

test('literals side by side are one hint, and commas in them divide nothing', () => {
  assert.deepEqual(hintsIn(source, ['2_pad', '3_rows']), {
    '2_pad': [
      'Which words do lanes want, 0, 1 and 2?',
      'A "row" of 32 words {leads} back.',
      'float tile[kTile][kTile + 1]',
    ],
    '3_rows': ['a', 'b', 'c'],
  });
});

test('hints that belong to no exercise are an error, and so are unknown escapes', () => {
  assert.throws(() => hintsIn(source, ['3_rows_and_more']), /hints of no exercise/);
  assert.throws(() => hintsIn(String.raw`exercise.hints = {"a\tb"}`, []), /escape/);
});

test('every exercise of the course has three, and only exercises do', () => {
  const all = ['01_banks', '04_reduction', '05_transpose', '08_tiled_product'].flatMap(exercisesIn);
  assert.ok(all.length >= 16);
  for (const id of all) assert.equal(hintsOf(id).length, 3, id);
  assert.throws(() => hintsOf('05_transpose/6_none'), /three hints/);
  assert.throws(() => hintsOf('09_none/1_none'), /three hints/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {movedFrom, movedProblems} from './moved.js';

const page = (name, anchors, exercises = [], figures = 0) => ({
  name,
  sections: anchors.map((anchor) => ({anchor})),
  exercises,
  figures,
});
const PAGES = [
  page('01_a', ['one'], ['01_a/1_x']),
  page('02_b', ['two'], ['01_a/2_y', '02_b/1_z']),
];

test('a section of the table, and an exercise that another page sets, lead there', () => {
  const rows = [{from: '01_a#two', to: '02_b#two'}];
  assert.deepEqual(movedFrom(PAGES[0], PAGES, rows), {
    two: '02_b.html#two',
    'exercise-2_y': '02_b.html#exercise-2_y',
  });
  assert.deepEqual(movedFrom(PAGES[1], PAGES, rows), {});
});

test('a row that leads nowhere, or away from what is there, is a problem with its line', () => {
  const said = (from, to) => movedProblems(PAGES, [{from, to}]);
  assert.deepEqual(said('01_a#two', '02_b#two'), []);
  assert.deepEqual(said('01_a#one', '02_b#two'), ['chapters/moved.csv:2: 01_a#one is still there']);
  assert.deepEqual(said('01_a#two', '02_b#gone'), ['chapters/moved.csv:2: there is no 02_b#gone']);
  assert.deepEqual(said('03_c#two', '02_b#two'), [
    'chapters/moved.csv:2: there is no page of 03_c#two',
  ]);
});

test('a figure has its number on the page, and may have moved with its section', () => {
  const pages = [page('01_a', ['one'], [], 1), page('02_b', ['two'], [], 1)];
  const said = (from, to) => movedProblems(pages, [{from, to}]);
  assert.deepEqual(said('01_a#figure-2', '02_b#figure-1'), []);
  assert.deepEqual(said('01_a#figure-1', '02_b#figure-1'), [
    'chapters/moved.csv:2: 01_a#figure-1 is still there',
  ]);
  assert.deepEqual(said('01_a#figure-2', '02_b#figure-2'), [
    'chapters/moved.csv:2: there is no 02_b#figure-2',
  ]);
});

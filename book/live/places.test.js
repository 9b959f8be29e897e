import assert from 'node:assert/strict';
import {test} from 'node:test';
import {chapterOf, placesOf, solvedIn} from './places.js';

const PLACES = placesOf([
  {href: '../index.html'},
  {href: '01_a.html'},
  {href: '02_b.html', exercises: '01_a/2_y 01_a/3_z'},
]);

test('an exercise stands in the chapter of its lab, or where the contents say', () => {
  assert.equal(chapterOf('01_a/1_x', PLACES), '01_a');
  assert.equal(chapterOf('01_a/3_z', PLACES), '02_b');
});

test('what is solved is counted by the chapter that sets it', () => {
  const exercises = {
    '01_a/1_x': {solved: true},
    '01_a/2_y': {solved: true},
    '01_a/3_z': {solved: false},
  };
  assert.deepEqual(Object.fromEntries(solvedIn(exercises, PLACES)), {
    '01_a': {all: 1, done: 1},
    '02_b': {all: 2, done: 1},
  });
});

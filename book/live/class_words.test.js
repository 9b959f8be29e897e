import assert from 'node:assert/strict';
import {test} from 'node:test';
import {classWords} from './class_words.js';

const labs = {a: {due: 1000, due_words: '2026-11-20 23:59 CET'}, b: {due: null, due_words: ''}};
const handedIn = (at, version) => ({'a/1': {at, words: 'then', version, times: 1}});

test('it says until when, and that nothing was handed in', () => {
  assert.equal(
    classWords({labs, handed_in: {}}, 'a/1', 'v'),
    'Due 2026-11-20 23:59 CET. Not handed in.',
  );
  assert.equal(classWords({labs, handed_in: {}}, 'b/1', 'v'), 'Not handed in.');
});

test('it says what was handed in, that it was late, and that the text has changed since', () => {
  assert.equal(
    classWords({labs, handed_in: handedIn(900, 'v')}, 'a/1', 'v'),
    'Due 2026-11-20 23:59 CET. Handed in then.',
  );
  assert.match(classWords({labs, handed_in: handedIn(1001, 'v')}, 'a/1', 'v'), /That was late\.$/);
  assert.match(
    classWords({labs, handed_in: handedIn(900, 'v')}, 'a/1', 'w'),
    /The text here is another one by now\.$/,
  );
});

test('free days stand beside a deadline, with those that the lab takes', () => {
  const of = {
    labs: {
      a: {due: 5, due_words: 'then', free_days: 2},
      b: {due: null, due_words: '', free_days: 0},
    },
    free_days: {in_all: 3, left: 1},
    handed_in: {'a/1': {at: 9, words: 'later', version: 'v'}},
  };
  assert.equal(
    classWords(of, 'a/1', 'v'),
    'Due then. Handed in later. That was late. Free days that this lab takes: 2. Free late days left: 1/3.',
  );
  assert.equal(classWords(of, 'b/1', 'v'), 'Not handed in.');
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {expectGiven, Withheld, withheldHtml} from './withheld.js';

const WITHOUT = [[/^solutions\//, '/not/there']];

test('an answer is withheld where there is none of them, and nowhere else', () => {
  assert.throws(() => expectGiven('solutions/05_transpose/2_pad.cu', WITHOUT), Withheld);
  expectGiven('labs/05_transpose/2_pad.cu', WITHOUT);
  expectGiven('solutions/05_transpose/not_there.cu', [[/^solutions\//, '/']]);
});

test('the reader is told where it stands', () => {
  assert.match(withheldHtml(), /in the book of your instructor/);
});

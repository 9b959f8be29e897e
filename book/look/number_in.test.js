import assert from 'node:assert/strict';
import {test} from 'node:test';
import {numberIn} from './number_in.js';

test('a number may be written as people write numbers', () => {
  for (const [text, value] of [
    ['12', 12],
    [' 12.5 ', 12.5],
    ['12,5', 12.5],
    ['1,024', 1024],
    ['262,144', 262144],
    ['1,024.5', 1024.5],
    ['1/8', 0.125],
    ['１２.５', 12.5],
    ['１２．５', 12.5],
    ['-3', -3],
    ['50 %', 0.5],
  ])
    assert.equal(numberIn(text), value, text);
});

test('of an answer in percent, a fraction is a share of one', () => {
  for (const text of ['12.5', '12.5 %', '１２.５％', '12,5', '0.125', '1/8', '0,125'])
    assert.equal(numberIn(text, '%'), 12.5, text);
  assert.equal(numberIn('0.5 %', '%'), 0.5);
  assert.equal(numberIn('1', '%'), 1);
});

test('what is not a number is none', () => {
  for (const text of ['', 'eight', '1/0', '1/', '12x', '1.2.3', '.'])
    assert.equal(numberIn(text), undefined, text);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {typedNumbers, wordingProblems} from './wording.js';

const problems = (text) => wordingProblems([{file: 'errata.md', text}]);

test('numbers with a unit of measurement, with a fraction, or large are found', () => {
  for (const [prose, numbers] of [
    ['It took 83 µs, or 2,670 µs, then 12 ms.', ['83', '2,670', '12']],
    ['A gain of 1.29, and 40 % of it.', ['1.29', '40']],
    ['29 cycles; 4,000 GB/s; 8.8 TFLOP/s at 1980 MHz', ['29', '4,000', '8.8', '1980']],
    ['three times as fast, 3 times as fast', ['3']],
    ['3,795,868 conflicts', ['3,795,868']],
  ])
    assert.deepEqual(typedNumbers(prose), numbers, prose);
});

test('sizes, counts on the page, versions and years are not', () => {
  assert.deepEqual(
    typedNumbers('In 2008 a tile of 32 x 32, 4,096 floats, since 9.0. On 1.x: 16 banks, 7.'),
    [],
  );
});

test('what is quoted, computed, code or maths may have any number', () => {
  assert.deepEqual(
    problems('It says "3.5 times"; {{= 7 / 2 }} µs, `0.5f`, $1{,}048{,}576$, capability 3.5.'),
    ['chapters/errata.md:1: 3.5 is typed: a number that was measured is quoted, {{= … }}'],
  );
  assert.deepEqual(problems('On compute capability 3.5.'), []);
});

test('a size in KB is a problem, but not in quotation marks, and a rate is none', () => {
  assert.match(problems('The wall at 48 KB.')[0], /:1: KB: a size is in KiB/);
  assert.deepEqual(problems('"64 KB on each SM" at four thousand GB/s, 48 KiB.'), []);
});

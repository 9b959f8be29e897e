import assert from 'node:assert/strict';
import {test} from 'node:test';
import {evaluate} from './expression.js';
import {shownNumber} from '../drawing/html.js';
import {parseCsv, parseResults, rowOf} from './tables.js';

const value = (text) => evaluate(text).value;

test('arithmetic binds as it is written', () => {
  assert.equal(value('2 + 3 * 4 - 6 / 2'), 11);
  assert.equal(value('(2 + 3) * -4'), -20);
  assert.equal(value('0x10 + round(2.5) + max(1, 7, 3)'), 26);
  assert.equal(value('1 + 1 < 3'), true);
});

test('the model answers, and the answer is named as its origin', () => {
  assert.equal(value('banks("32*t").conflicts'), 31);
  assert.equal(value('banks("t", access="store", width=8).wavefronts'), 2);
  assert.equal(value('banks("2*t", device="1.x").wavefronts'), 4);
  assert.equal(value('sectors("32*t").count - sectors("t").count'), 28);
  assert.equal(value('occupancy(threads=256, registers=32, shared=49152).limit'), 'shared memory');
  assert.equal(value('bank("33*t + 5", lane=31).number'), 4);
  assert.equal(value('shuffle("down", lane=30, by=2).from'), 30);
  assert.equal(value('shuffle("idx", lane=20, by=3, width=16).from'), 19);
  assert.equal(evaluate('2 * banks("32*t").conflicts').origins[0].text, 'banks("32*t").conflicts');
});

test('a cell comes with its device', () => {
  const {value: wavefronts, origins} = evaluate('h200.source_kernels["tr_32x8<1>"].wavefronts');
  assert.equal(wavefronts, 1048576);
  assert.match(origins[0].source.device, /H200/);
});

test('rows of a table are counted, all or those that have some values', () => {
  const {value: all, origins} = evaluate('rows("h200.patterns").count');
  assert.equal(all, 552);
  assert.match(origins[0].source.device, /H200/);
  assert.equal(value('rows("h200.times", work="product").count'), 2);
  assert.equal(value('rows("h200.times", work="nothing").count'), 0);
});

test('what does not resolve is an error that says what there is', () => {
  for (const [text, message] of [
    ['h200.nothing[x].y', /no table h200.nothing.*h200.source_kernels/],
    ['h200.source_kernels[none].time_ns', /no row.*none/],
    ['h200.source_kernels[tr_].time_ns', /rows of h200.source_kernels have/],
    ['h200.source_kernels[tr_naive].colour', /no column colour; it has kernel/],
    ['h200.source_kernels[grid=1, tr_naive].time_ns', /no row/],
    ['banks("32*t").speed', /no speed; it has/],
    ['banks("32*").ways', /missing/],
    ['hanks(1)', /no function/],
    ['rows("h200.times", colour="red").count', /no column colour/],
    ['1 +', /expected/],
    ['1 2', /operator is expected/],
    ['1 / 0', /Infinity/],
    ['kernel', /stands for nothing/],
  ])
    assert.throws(() => evaluate(text), message, text);
});

test('a row is found by equal values before it is found by a part', () => {
  const data = {source: {table: 'x'}, rows: parseCsv('name,n\nab,1\nabc,2\n"a ""b"", c",3')};
  assert.equal(rowOf(data, [{value: 'ab'}]).n, '1');
  assert.equal(rowOf(data, [{value: 'bc'}]).n, '2');
  assert.equal(rowOf(data, [{column: 'n', value: '3.0'}]).name, 'a "b", c');
  assert.throws(() => rowOf(data, [{value: 'b'}]), /3 rows/);
});

test('a table with a short row or an open quote is refused', () => {
  assert.throws(() => parseCsv('a,b\n1'), /1 fields/);
  assert.throws(() => parseCsv('a,b\n"1,2'), /never closed/);
});

test('numbers are shown as people write them', () => {
  assert.equal(shownNumber(1048576), '1,048,576');
  assert.equal(shownNumber(120.288, 1), '120.3');
  assert.equal(shownNumber(3.58333), '3.58');
  assert.equal(shownNumber(1234.5), '1,235');
  assert.throws(() => shownNumber(NaN), /no number/);
});

test('a file of results is a table, with what it says of the whole run in every row', () => {
  const rows = parseResults('{"gpu": "x", "mhz": 1980, "results": [{"name": "a", "us": 2.5}]}');
  assert.deepEqual(rows, [{gpu: 'x', mhz: '1980', name: 'a', us: '2.5'}]);
  assert.throws(() => parseResults('{"gpu"'), SyntaxError);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {laneExpression, offsetsOf} from './lane_expression.js';

const at = (text, lane) => Number(laneExpression(text)(lane));

test('operators bind as in C++', () => {
  assert.equal(at('2+3*t', 4), 14);
  assert.equal(at('t/3*3', 5), 3);
  assert.equal(at('1<<2+1', 0), 8);
  assert.equal(at('t^t>>1', 5), 7);
  assert.equal(at('1|6&3', 0), 3);
  assert.equal(at('-7/2', 0), -3);
  assert.equal(at('-7%4', 0), -3);
  assert.equal(at('(t % 8) * 32 + t / 8', 31), 7 * 32 + 3);
  assert.equal(at('0x10*t', 2), 32);
  assert.equal(at('33*threadIdx.x + lane', 2), 68);
});

test('what is wrong is said, with its place', () => {
  for (const [text, message, position] of [
    ['33*t +', /missing here/, 6],
    ['', /missing here/, 0],
    ['(t', /never closed/, 0],
    ['t)', /closes nothing/, 1],
    ['3t', /write \*/, 1],
    ['x', /unknown name/, 0],
    ['t$', /expected here/, 1],
    ['010', /octal/, 0],
    ['99999999999999999999', /64 bits/, 0],
  ])
    assert.throws(
      () => laneExpression(text),
      (error) => message.test(error.message) && error.position === position,
      text,
    );
});

test('what C++ leaves undefined is an error', () => {
  for (const text of ['1/t', '1%t', '1<<64', '1<<-1', '9223372036854775807+1'])
    assert.throws(() => at(text, 0), Error, text);
  assert.throws(() => laneExpression('('.repeat(200)), /deeply/);
  assert.throws(() => laneExpression('1+'.repeat(600)), /longer/);
});

test('offsets are bytes, and none lies before the array', () => {
  assert.deepEqual(offsetsOf('33*t', 4).slice(0, 3), [0, 132, 264]);
  assert.throws(() => offsetsOf('t-1', 4), /lane 0 would be before/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {turnsIn} from './plain.js';

test('turns of phrase that the style page replaces are found', () => {
  for (const text of [
    'It is long. Of 103 kernels that others wrote, 96 agree.',
    'Of the distances, a tile needs the second.',
    'a width that is no multiple of the tile',
    'These are no instructions but loops.',
    'not more than so many conflicts',
    'the one who has to wait',
    'it reads behind the end',
    'the load behind it',
    'four thousand floats a second',
    'as bytes read and written, bytes in a second',
  ])
    assert.equal(turnsIn(text).length, 1, text);
});

test('and what only looks like one is not', () => {
  for (const text of [
    'Of course, nobody does.',
    'In 96 of 103 kernels, nothing differs.',
    'there is no barrier to forget',
    'it is no longer so, and the bank is no fuller',
    'so many that nobody counts them',
    'an answer left behind by an earlier run',
    'it deserves a second look',
  ])
    assert.deepEqual(turnsIn(text), [], text);
});

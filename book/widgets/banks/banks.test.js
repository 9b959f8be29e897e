import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {staticWidget, valuesOf} from '../frame/frame.js';
import banks from './banks.js';

const says = (given) => banks.view(valuesOf(banks, given)).says.replace(/<[^>]+>/g, '');

test('a column of 32-word rows is 32-way, one of 33-word rows is free', () => {
  assert.equal(
    says({index: '32*t'}),
    '32 lanes ask for 32 words: 32 wavefronts where 1 would do: 31 conflicts, 32-way.',
  );
  assert.match(says({index: '33*t'}), /1 wavefront, no more than the bytes need: no conflicts/);
});

// book/transcripts holds what the command line prints, and a test keeps it so.
test('it says what `course banks` says', () => {
  const transcript = readFileSync(
    new URL('../../transcripts/course_banks_index_32_t.txt', import.meta.url),
    'utf8',
  );
  const [, wavefronts] = /wavefronts +(\d+)/.exec(transcript),
    [, conflicts] = /conflicts +(\d+)/.exec(transcript);
  assert.match(
    says({index: '32*t'}),
    new RegExp(`: ${wavefronts} wavefronts .*: ${conflicts} conflicts`),
  );
});

test('a lane of many is named in its cell, and a broadcast names them all', () => {
  assert.match(banks.view(valuesOf(banks, {index: '5'})).picture, />×32</);
  assert.match(banks.view(valuesOf(banks, {index: 't', mask: '0x1'})).picture, />0</);
  assert.match(says({index: 't', mask: '0'}), /No lane takes part/);
});

test('fields refuse what makes no sense, in words', () => {
  for (const [given, message] of [
    [{index: '33*'}, /missing here/],
    [{index: 't-1'}, /before the array/],
    [{mask: '0x1ffffffff'}, /32 bits/],
    [{mask: 'all'}, /32 bits/],
    [{width: '3'}, /bytes of an element/],
    [{device: '4.x'}, /device/],
    [{access: 'atomic', device: '2.x'}, /no rule/],
    [{pitch: '3'}, /has no pitch/],
  ])
    assert.throws(() => says(given), message, JSON.stringify(given));
});

test('without script the same words and picture stand there', () => {
  const html = staticWidget(banks, {index: '32*t'});
  assert.match(html, /31 conflicts/);
  assert.match(html, /<dt>element of lane t<\/dt><dd>32\*t<\/dd>/);
  assert.match(html, /<svg[^>]*role="img"[^>]*aria-label="32 lanes ask/);
});

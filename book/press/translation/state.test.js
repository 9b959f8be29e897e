import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readChapters} from '../chapters.js';
import {blocksOf} from './blocks.js';
import {languages} from './languages.js';
import {translationsChecked, unfinished} from './state.js';

// The chapters with another sentence in the first paragraph of one of them.
const changed = (file) => {
  const english = readChapters();
  const chapter = english.find((one) => one.file === file);
  const paragraph = blocksOf(chapter.text).filter(({kind}) => kind === 'paragraph')[1];
  chapter.text = chapter.text.replace(
    paragraph.lines[0],
    `${paragraph.lines[0]} It has changed since.`,
  );
  return english;
};

test('a book for release is not made with a block that has changed since it was translated', () => {
  const before = unfinished(readChapters());
  const after = unfinished(changed('01_banks.md'));
  assert.deepEqual(
    after.filter((one) => !before.includes(one)).map((one) => one.replace(/:\d+:/, ':')),
    languages().map(({code}) => `chapters/${code}/01_banks.md: stale`),
  );
});

test('a changed block is work to be done, and no error', () => {
  const {problems, notes} = translationsChecked(changed('01_banks.md'));
  assert.deepEqual(problems, []);
  assert.match(notes.join('\n'), /\d+ blocks to do: press.mjs stale zh/);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {expandLanguages, readChapters} from '../chapters.js';
import {blocksOf} from './blocks.js';
import {languages} from './languages.js';
import {isOf, translationsChecked, unfinished} from './state.js';

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

test('an anchor that is gone is missed by every page that leads to it, in each language', () => {
  const english = readChapters();
  const [heading, page] = ['## Padding a tile of 16: when one word is not enough', '02_padding.md'];
  const chapter = english.find(({file}) => file === page);
  assert.ok(chapter.text.includes(heading));
  chapter.text = chapter.text.replace(heading, '## Something else');
  const {problems} = expandLanguages(english);
  const broken = problems.filter((one) =>
    one.includes('#padding-a-tile-of-16-when-one-word-is-not-enough'),
  );
  assert.ok(
    broken.some((one) => /^chapters\/\w+\.md:/.test(one)),
    problems.join('\n'),
  );
  for (const {code} of languages())
    assert.ok(
      broken.some((one) => one.startsWith(`chapters/${code}/`)),
      problems.join('\n'),
    );
});

test('what is asked of a language is asked of all that is said in it', () => {
  for (const [problem, isIn] of [
    ['chapters/zh/01_banks.md:5: x', true],
    ['chapters/zh/labs/01_banks.toml: x', true],
    ['po/zh_CN.po:7: x', true],
    ['README.zh.md:1: x', true],
    ['labs/README.zh.md:1: x', true],
    ['chapters/01_banks.md:5: x', false],
    ['po/de.po:7: x', false],
    ['README.de.md:1: x', false],
  ])
    assert.equal(isOf(problem, 'zh'), isIn, problem);
  assert.ok(isOf('chapters/zh/01_banks.md:5: x', 'zh/01_banks.md'));
  assert.ok(!isOf('chapters/zh/01_banks.md:5: x', '01_banks.md'));
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {digestOf} from './blocks.js';
import {documentQueue, documentsIn, sectionsOf} from './documents.js';
import {languages} from './languages.js';
import {translationsChecked, unfinished} from './state.js';
import {readChapters} from '../chapters.js';

const ENGLISH = '# A course\n\nAbout it.\n\n```\n# no heading\n```\n\n## How\n\nLike this.\n';
const digests = sectionsOf(ENGLISH).map(({words}) => digestOf(words));
const CHINESE = `# 课程\n<!-- of: ${digests[0]} -->\n\n讲它。\n\n## 怎样\n<!-- of: ${digests[1]} -->\n\n这样。\n`;

test('a document is cut at its headings, and a line of code is none', () => {
  assert.deepEqual(
    sectionsOf(ENGLISH).map(({line, words}) => [line, words.split('\n')[0]]),
    [
      [1, '# A course'],
      [9, '## How'],
    ],
  );
});

test('a section whose English has changed is work to be done, with its new words', () => {
  assert.deepEqual(documentQueue(ENGLISH, CHINESE), []);
  const changed = ENGLISH.replace('Like this.', 'Like that.');
  assert.deepEqual(documentQueue(changed, CHINESE), [
    {
      state: 'stale',
      line: 6,
      digest: digestOf('## How\n\nLike that.'),
      was: digests[1],
      words: '## How\n\nLike that.',
    },
  ]);
});

test('a section that does not say what it translates is work to be done, too', () => {
  const [left, ...rest] = documentQueue(
    ENGLISH,
    CHINESE.replace(`<!-- of: ${digests[0]} -->\n`, ''),
  );
  assert.deepEqual([left.line, left.was, rest], [1, undefined, []]);
});

test('every document of a language follows its English, and a planted change stops a release', () => {
  const english = readChapters();
  for (const language of languages())
    for (const document of documentsIn(language)) {
      assert.deepEqual(documentQueue(document.english, document.text), [], document.name);
      const planted = {...document, english: document.english.replace(/^(# .*)$/m, '$1 of two')};
      const left = documentQueue(planted.english, planted.text);
      assert.equal(left.length, 1, document.name);
      const told = unfinished(english, () => [{name: document.name, ...left[0]}]);
      assert.ok(told.includes(`${document.name}:${left[0].line}: stale`), told.join('\n'));
      const {notes} = translationsChecked(english, () => [{name: document.name, ...left[0]}]);
      assert.match(notes.join('\n'), /\d+ blocks to do/);
    }
});

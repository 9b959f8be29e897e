import assert from 'node:assert/strict';
import {test} from 'node:test';
import {problemsOfPart} from './exercises.js';
import {Glossary} from './glossary.js';

const GLOSSARY = new Glossary('english,word,held,never\ncopy,复制,,拷贝\n');
const ENGLISH = 'return i + i / 32 * 2; and kWords = 256 + 8 * 2, which is no copy.';
const problems = (text) => problemsOfPart('hint_3', ENGLISH, text, GLOSSARY);

test('a number of a hint may stand in code that the translation marks', () => {
  assert.deepEqual(problems('`return i + i / 32 * 2;`，并且 kWords = 256 + 8 * 2'), []);
  assert.deepEqual(problems('并且 kWords = 256 + 8 * 2'), ['the number 32 is missing']);
});

test('code in a hint is that of the English, word for word', () => {
  assert.deepEqual(problems('`return i + i / 16 * 2;`，32，kWords = 256 + 8 * 2'), [
    'the English has no code return i + i / 16 * 2;',
  ]);
});

test('a hint says the words of the glossary', () => {
  assert.deepEqual(problems('`return i + i / 32 * 2;`，kWords = 256 + 8 * 2，不是拷贝'), [
    '拷贝: the glossary has 复制',
  ]);
});

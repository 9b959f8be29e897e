import assert from 'node:assert/strict';
import {test} from 'node:test';
import {earlierTexts, keepEarlier, keepText, keptText} from './kept_texts.js';

const storage = () => {
  const all = new Map();
  return {
    getItem: (name) => all.get(name) ?? null,
    setItem: (name, text) => all.set(name, text),
  };
};
const withStorage = () => {
  globalThis.localStorage = storage();
  globalThis.sessionStorage = storage();
};

test('a tab has its own text, and a new one the last that was typed', () => {
  withStorage();
  keepText('of one tab');
  const ofOne = globalThis.sessionStorage;
  globalThis.sessionStorage = storage();
  assert.equal(keptText(), 'of one tab');
  keepText('of the other');
  globalThis.sessionStorage = ofOne;
  assert.equal(keptText(), 'of one tab');
});

test('the last five earlier texts are kept, each once, the latest first', () => {
  withStorage();
  for (const [i, text] of [...'abcdefb'].entries()) keepEarlier(text, i);
  assert.equal(
    earlierTexts()
      .map(({text}) => text)
      .join(''),
    'bfedc',
  );
});

test('where nothing can be kept, or something else lies there, nothing is there', () => {
  withStorage();
  globalThis.localStorage.setItem('playground earlier', '{"not": "a list"}');
  assert.deepEqual(earlierTexts(), []);
  globalThis.localStorage = {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('full');
    },
  };
  globalThis.sessionStorage = globalThis.localStorage;
  keepText('x');
  keepEarlier('x');
  assert.equal(keptText(), null);
  assert.deepEqual(earlierTexts(), []);
});

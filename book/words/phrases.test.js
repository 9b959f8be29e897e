import assert from 'node:assert/strict';
import {test} from 'node:test';
import {inWords, keyOf, phraseBook} from './phrases.js';

const find = phraseBook(
  {
    Next: '下一章',
    '{1} of {2} warps': '{2} 个线程束中的 {1} 个',
    'It is free.': '不花代价。',
    'Two ways:': '两种办法：',
    'or {1}-way': '或 {1} 路',
  },
  {marks: {',': '，'}},
);

test('a phrase is found whatever its numbers are, and they may change places', () => {
  assert.equal(find('3 of 1,024 warps'), '1,024 个线程束中的 3 个');
  assert.deepEqual(keyOf('H200, t0 and 2.5 to 3'), {
    key: 'H200, t0 and {1} to {2}',
    numbers: ['2.5', '3'],
  });
  assert.equal(find('Nothing like it'), undefined);
});

test('what is no phrase as a whole is looked up by its sentences and their parts', () => {
  assert.equal(
    find('It is free. Two ways: 3 of 4 warps'),
    '不花代价。两种办法：4 个线程束中的 3 个',
  );
  assert.equal(find('It is free. It is not.'), undefined);
  assert.equal(find(', It is free.'), '，不花代价。');
});

test('texts and labels of a page are said, and code, formulas and English are not', () => {
  const missed = [];
  const said = inWords(
    '<a aria-label="Next" href="x">Next <br>It is free.</a><code>Next</code><p lang="en">Next <b>Next</b></p><pre aria-label="Next">Next</pre><p>None of it</p><p>Next</p>',
    find,
    (text) => missed.push(text),
  );
  assert.equal(
    said,
    '<a aria-label="下一章" href="x">下一章<br>不花代价。</a><code>Next</code><p lang="en">Next <b>Next</b></p><pre aria-label="下一章">Next</pre><p>None of it</p><p>下一章</p>',
  );
  assert.deepEqual(missed, ['None of it']);
});

test('a mark behind bold words or code is one of the language, and one between numbers stays', () => {
  const said = (html) => inWords(html, phraseBook({}, {marks: {'.': '。', ',': '，'}}));
  assert.equal(said('<b>没有冲突</b>.'), '<b>没有冲突</b>。');
  assert.equal(
    said('<b>没有</b>. 要 32 个 wavefront <i>t</i>'),
    '<b>没有</b>。要 32 个 wavefront <i>t</i>',
  );
  assert.equal(said('<b>只读</b>. A 是一致的'), '<b>只读</b>。A 是一致的');
  assert.equal(said('<b>2</b>, 3 µs or so'), '<b>2</b>, 3 µs or so');
  assert.equal(said('<code>.</code>'), '<code>.</code>');
  assert.equal(inWords('<b>none</b>.', phraseBook({})), '<b>none</b>.');
});

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {book} from '../press/folders.js';
import {languages} from '../press/translation/languages.js';
import {phrasesOf} from '../press/translation/words.js';
import {headOf, inked, marksOf, terminal} from './report.js';

const verdict = (more) => ({
  file: '2_pad.cu',
  verdict: 'failed',
  points: 45,
  max_points: 60,
  checks: [],
  findings: [],
  lines: [],
  compiler: '',
  ...more,
});

test('inks become spans, and nothing else of a report becomes markup', () => {
  assert.equal(inked('a \u001b[1;31mFAILED\u001b[0m b'), 'a <span class="bad">FAILED</span> b');
  assert.equal(inked('\u001b[32mopen'), '<span class="fine">open</span>');
  assert.equal(inked('<img src=x onerror=alert(1)>'), '&lt;img src=x onerror=alert(1)&gt;');
  assert.equal(inked('\u001b[2J\u001b[1;1Hgone\u001b]'), 'gone]');
  assert.equal(inked('\u001b[35mno ink of ours\u001b[0m'), 'no ink of ours');
  assert.ok(!terminal('x', '"><script>').includes('<script>'));
});

test('failed checks, findings of the file itself and nvcc are marked at their lines', () => {
  const check = (status, line) => ({name: 'conflicts', status, line, observed: '31', message: ''});
  const finding = (file, line, severity) => ({file, line, severity, message: 'a race'});
  assert.deepEqual(
    marksOf(
      verdict({
        checks: [check('failed', 31), check('passed', 3), check('failed', 0)],
        findings: [
          finding('2_pad.cu', 5, 'error'),
          finding('other.h', 6, 'error'),
          finding('', 7, 'note'),
        ],
        compiler:
          '2_pad.cu(9): error: expected a ";"\n2_pad.cu(10): warning #177-D: never used\nnothing',
      }),
    ),
    [
      {line: 31, severity: 'error', message: 'conflicts: 31'},
      {line: 5, severity: 'error', message: 'a race'},
      {line: 7, severity: 'info', message: 'a race'},
      {line: 9, severity: 'error', message: 'expected a ";"'},
      {line: 10, severity: 'warning', message: 'never used'},
    ],
  );
});

test('a line that costs conflicts and fails nothing is noted', () => {
  const line = {file: '2_pad.cu', line: 4, conflicts: 1000, requests: 40};
  assert.deepEqual(marksOf(verdict({lines: [line, {...line, line: 5, conflicts: 0}]})), [
    {line: 4, severity: 'info', message: 'conflicts: 1,000 / 40'},
  ]);
});

test('what a grading came to is said in a line, also where there is no verdict', () => {
  assert.equal(headOf({verdict: verdict()}).words, 'Not solved yet. 45 / 60 points');
  assert.equal(headOf({verdict: verdict({verdict: 'passed'})}).kind, 'fine');
  const before = verdict({solved_before: {points: 60, max_points: 60}});
  assert.equal(headOf({verdict: before}).words, 'It stays solved; this text: 45 / 60 points');
  assert.equal(headOf({verdict: null}).words, 'It came to no verdict.');
  assert.equal(headOf({verdict: null, stopped: true}).words, 'Stopped.');
  assert.deepEqual(marksOf(null), []);
});

test('every word of a live page is there in each language', () => {
  const folder = join(book, 'live');
  const text = readdirSync(folder)
    .filter((name) => /(?<!\.test)\.js$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const phrases = [...text.matchAll(/(?<!\.)\bsay\(\s*'([^']+)'/g)].map((match) => match[1]);
  assert.ok(phrases.length > 40);
  for (const language of languages()) {
    const {find} = phrasesOf(language);
    for (const phrase of phrases) assert.notEqual(find(phrase), undefined, phrase);
  }
});

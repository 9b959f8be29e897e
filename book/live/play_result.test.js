import assert from 'node:assert/strict';
import {test} from 'node:test';
import {headOf, marksOf, resultHtml} from './play_result.js';

const mark = (more = {}) => ({
  line: 2,
  from: 0,
  to: 4,
  level: 1,
  rule: 'bank-conflicts',
  message: 'Conflicts <b>.',
  other_line: 0,
  other_message: '',
  ...more,
});
const ran = (more = {}, file = {}) => ({
  ending: 'ran',
  exit_code: 0,
  stopped_by: '',
  stopped_at: [],
  out: '',
  err: '',
  view: {summary: '', files: [{path: 'program.cu', marks: [], words: [], pages: [], ...file}]},
  ...more,
});
const facts = (verdict, more = {}) => ({verdict, report: '', stopped: false, ...more});

test('each way to end is a sentence of its own', () => {
  for (const [one, kind, words] of [
    [facts(ran()), 'fine', 'It ran.'],
    [facts(ran({}, {marks: [mark()]})), 'fine', 'It ran.'],
    [facts(ran({}, {marks: [mark({level: 0})]})), 'bad', 'It ran, and something is wrong.'],
    [facts(ran({exit_code: 3})), 'bad', 'It ended with exit code 3'],
    [
      facts(ran({exit_code: 5, stopped_by: 'the limit of 60 s'})),
      'bad',
      'It did not come to an end: the limit of 60 s',
    ],
    [facts({ending: 'did_not_compile'}), 'bad', 'It does not compile.'],
    [
      facts({ending: 'not_run', why: 'there is no nvcc'}),
      'bad',
      'It was not run: there is no nvcc',
    ],
    [facts(null, {stopped: true}), 'wary', 'Stopped.'],
    [facts(null, {too_long: true}), 'bad', 'It took too long and was ended.'],
    [facts(null), 'bad', 'The run came to nothing.'],
  ])
    assert.deepEqual(headOf(one), {kind, words});
});

test('marks are those of the view, and where the run was stopped', () => {
  const marks = marksOf(
    ran({stopped_at: [7]}, {marks: [mark(), mark({other_line: 4, other_message: 'the other'})]}),
  );
  assert.deepEqual(
    marks.map(({line, severity, message}) => [line, severity, message]),
    [
      [2, 'warning', 'Conflicts <b>.'],
      [2, 'warning', 'Conflicts <b>. (line 4: the other)'],
      [7, 'error', 'The kernel was here when the run was ended.'],
    ],
  );
  assert.deepEqual(marksOf(null), []);
});

test('markup in code, messages and what was printed is text', () => {
  const file = {
    marks: [mark()],
    words: [{line: 1, end: 3, text: '<i>31', more: '<i>more'}],
    pages: [{line: 1, text: '<i>lane'}],
  };
  const html = resultHtml(
    facts(ran({out: '<script>', err: '<img>'}, file), {report: '<table>'}),
    '<u>code</u>\n',
  );
  assert.ok(!/<(script|img|i|u|table|b)>/.test(html), html);
  for (const one of ['&lt;u&gt;code', '&lt;script', '&lt;img', '&lt;i&gt;lane', 'data-line="2"'])
    assert.ok(html.includes(one), one);
});

test('of a run that was stopped nothing is shown but that', () => {
  const html = resultHtml(facts(null, {stopped: true, report: 'half of it'}), '');
  assert.ok(!html.includes('half of it'));
});

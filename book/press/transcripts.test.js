import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {inked} from './blocks.js';
import {commandOf, fileOf, linesShown, recorded, run, saysTheSame, shownIn} from './transcripts.js';

test('a directive names the command and the lines', () => {
  assert.deepEqual(commandOf("./course banks --index 't | 1' | lines 2-3"), {
    command: "./course banks --index 't | 1'",
    from: 2,
    to: 3,
  });
  assert.equal(commandOf('./course --help').to, Infinity);
});

test('only commands of the course are run, and only recorded ones are quoted', () => {
  assert.throws(() => run('rm -rf /tmp/nothing'), /not a command of the course/);
  assert.throws(() => recorded('./course sing'), /not recorded/);
});

test('a command that could not be run here is no transcript', () => {
  const before = process.env.COURSE;
  process.env.COURSE = '/bin/false';
  try {
    assert.equal(run('./course grade x'), '\n'); // 1 is "failed", which a skeleton should
    process.env.COURSE = '/nonexistent';
    assert.throws(() => run('./course grade x'), /exit code 127/);
  } finally {
    if (before === undefined) delete process.env.COURSE;
    else process.env.COURSE = before;
  }
});

test('what is said while the grader is built is no part of a transcript', () => {
  const before = process.env.COURSE;
  const folder = mkdtempSync(join(tmpdir(), 'course-built-'));
  process.env.COURSE = join(folder, 'course');
  writeFileSync(
    process.env.COURSE,
    `#!/bin/sh
[ -e ${folder}/built ] || echo "course: building the grader, once"
touch ${folder}/built
echo graded
`,
    {mode: 0o755},
  );
  try {
    assert.equal(run('./course grade x'), 'graded\n');
  } finally {
    rmSync(folder, {recursive: true});
    if (before === undefined) delete process.env.COURSE;
    else process.env.COURSE = before;
  }
});

test('lines beyond the end are an error', () => {
  assert.equal(linesShown('a\nb\nc', {from: 2, to: 3}), 'b\nc');
  assert.throws(() => linesShown('a\nb', {from: 1, to: 3}), /only 2 lines/);
});

test('only the lines shown have to stay the same', () => {
  const shown = commandOf('./course x | lines 2-3');
  assert.ok(saysTheSame('1 ms\nb\nc', '2 ms\nb\nc', shown));
  assert.ok(!saysTheSame('a\nb\nc', 'a\nb\nd', shown));
  assert.ok(!saysTheSame('a\nb\nc', 'a\nb', shown));
  assert.ok(!saysTheSame('a\nb', 'a\nb\nc', commandOf('./course x | lines 2-')));
});

test('each command has a file of its own', () => {
  assert.match(
    fileOf("./course banks --index '33*t'"),
    /transcripts\/course_banks_index_33_t.txt$/,
  );
});

test('what a command prints in another language is in a folder of its own, if the command line speaks it', () => {
  const chinese = {code: 'zh', catalogue: 'zh_CN'};
  assert.match(fileOf('./course next', chinese), /transcripts\/zh\/course_next\.txt$/);
  assert.equal(fileOf('./course next', {code: 'xx'}), fileOf('./course next'));
});

test('a command is run in the language that its page is in', () => {
  const before = process.env.COURSE;
  process.env.COURSE = '/usr/bin/env';
  try {
    assert.match(run('./course '), /^COURSE_LANG=en$/m);
    assert.match(run('./course ', undefined, {catalogue: 'zh_CN'}), /^COURSE_LANG=zh_CN$/m);
  } finally {
    if (before === undefined) delete process.env.COURSE;
    else process.env.COURSE = before;
  }
});

test('lines that are quoted are those of the same paragraph, though it has more lines or fewer', () => {
  const english = 'head\n\na long\nsentence\n\nname  1\nother 2\nlast  3';
  const chinese = '头\n\n一句\n\n名字 1\n另一 2\n末尾 3';
  assert.deepEqual(shownIn(english, chinese, {from: 3, to: 4}), {from: 3, to: 3});
  assert.deepEqual(shownIn(english, chinese, {from: 7, to: 8}), {from: 6, to: 7});
  assert.deepEqual(shownIn(english, chinese, {from: 1, to: Infinity}), {from: 1, to: Infinity});
  assert.throws(
    () => shownIn(english, '一段', {from: 1, to: 2}),
    /1 paragraphs where the English has 3/,
  );
  assert.throws(() => shownIn(english, chinese, {from: 1, to: 9}), /only 8 lines/);
});

test('verdicts have their colours in each language', () => {
  const verdicts = {passed: '通过', failed: '未通过'};
  const shown = inked('  存储体冲突    未通过   31\n  输出          通过\n它没有通过', verdicts);
  assert.equal(
    shown,
    '  存储体冲突    <b class="bad">未通过</b>   31\n  输出          <span class="fine">通过</span>\n它没有通过',
  );
  assert.equal(
    inked('  bank-conflicts  FAILED\n  output  passed'),
    '  bank-conflicts  <b class="bad">FAILED</b>\n  output  <span class="fine">passed</span>',
  );
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {commandOf, fileOf, linesShown, recorded, run, saysTheSame} from './transcripts.js';

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

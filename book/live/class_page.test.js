import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ago, heldUp, overviewHtml, summary} from './class_page.js';

const STUDENTS = [
  {
    id: '4711',
    name: '<b>Anna</b>',
    seen_ago: 10,
    exercises: {
      'a/1': {attempts: 3, until_solved: 2, last_at: 5, failed: ''},
      'a/2': {attempts: 1, until_solved: 0, last_at: 9, failed: 'conflicts', handed_in_at: 9},
    },
    grading: {exercise: 'a/2', place: 2},
  },
  {id: 'bert', name: '', exercises: {}},
];
const ALL = {
  students: STUDENTS,
  exercises: [
    {id: 'a/1', title: 'first', tried: 1, solved: 1, attempts: 2, failing: {}},
    {id: 'a/2', title: 'second', tried: 1, solved: 0, attempts: null, failing: {conflicts: 1}},
  ],
  queue: 1,
  at_work: 0,
};

test('a time says how long ago somebody was seen, and nothing where nobody was', () => {
  assert.equal(ago(undefined), '');
  assert.equal(ago(59), 'now');
  assert.equal(ago(125), '2 min');
  assert.equal(ago(7300), '2 h');
});

test('what holds up most comes first', () => {
  assert.equal(heldUp({output: 1, conflicts: 3}), 'conflicts 3, output 1');
});

test('the summary counts who is here and who waits', () => {
  assert.equal(
    summary(ALL),
    '2 students · 1 here in the last five minutes · 0 gradings under way · 1 waiting',
  );
});

test('a row has the last verdict, and what a student is called is no markup', () => {
  const html = overviewHtml(ALL);
  assert.match(html, /&lt;b>Anna|&lt;b&gt;Anna/);
  assert.match(html, /data-student="4711" data-exercise="a\/2"[^>]*>a\/2: conflicts/);
  assert.match(html, />1\/2</);
  assert.match(html, /Waiting; place 2: a\/2/);
  assert.match(html, />bert</);
});

test('a class in which nobody has graded anything says so', () => {
  assert.match(overviewHtml({...ALL, exercises: []}), /Nobody has graded anything yet/);
});

test('what is wrong with a file of the class is said with its line, and is no markup', () => {
  const html = (fault) => overviewHtml({...ALL, fault});
  assert.ok(!html(null).includes('class-fault'));
  assert.match(html({why: 'unreadable', where: 'class.toml:2: no', who: ''}), /class\.toml:2: no/);
  const twice = html({why: 'twice', where: 'instructors.csv:3', who: '<b>'});
  assert.match(twice, /instructors\.csv:3: &lt;b(>|&gt;): is in roster\.csv as well/);
});

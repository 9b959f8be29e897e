import assert from 'node:assert/strict';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {demoPrograms, playgroundMain, programsScript} from './playground.js';

test('the programs are those that labs show, in order', () => {
  const labs = mkdtempSync(join(tmpdir(), 'course-demos-'));
  try {
    for (const [folder, name] of [
      ['02_b/demo', 'one.cu'],
      ['01_a/demo', 'two.cu'],
      ['01_a/demo', 'notes.txt'],
      ['01_a', '1_task.cu'],
      ['03_c', '1_task.cu'],
    ]) {
      mkdirSync(join(labs, folder), {recursive: true});
      writeFileSync(join(labs, folder, name), name);
    }
    assert.deepEqual(demoPrograms(labs), [
      {id: '01_a/two', text: 'two.cu'},
      {id: '02_b/one', text: 'one.cu'},
    ]);
  } finally {
    rmSync(labs, {recursive: true});
  }
});

test('markup in a program ends no script', () => {
  const script = programsScript([{id: 'a/b', text: '</script><b>'}]);
  assert.ok(!script.includes('</script>'));
  const window = {};
  new Function('window', script)(window);
  assert.equal(window.bookPrograms[0].text, '</script><b>');
});

test('programs stand under the titles of their chapters', () => {
  const html = playgroundMain(
    [{id: '01_a/two', text: ''}],
    [{name: '01_a', title: 'Banks & more'}],
  );
  assert.match(html, /<optgroup label="Banks &amp; more"><option value="01_a\/two"/);
});

test('a program that only another chapter runs stands under its title', () => {
  const run = './course run labs/01_a/demo/two.cu';
  const pages = (...commands) => [
    {name: '01_a', title: 'A', commands: commands[0]},
    {name: '02_b', title: 'B', commands: commands[1]},
  ];
  const html = (...commands) => playgroundMain([{id: '01_a/two', text: ''}], pages(...commands));
  assert.match(html([], [run]), /<optgroup label="B"><option value="01_a\/two"/);
  assert.match(html([run], [run]), /<optgroup label="A"><option value="01_a\/two"/);
});

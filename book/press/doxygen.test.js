import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {book, root} from './folders.js';

function doxygen(page) {
  const folder = mkdtempSync(join(tmpdir(), 'course-doxygen-'));
  try {
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages', 'x.md'), page);
    return spawnSync('doxygen', [join(book, 'Doxyfile')], {
      cwd: root,
      encoding: 'utf8',
      env: {...process.env, COURSE_BOOK_BUILD: folder, COURSE_SOURCE: root.replace(/\/$/, '')},
    });
  } finally {
    rmSync(folder, {recursive: true});
  }
}

test("Doxygen's warnings end the build", (context) => {
  const good = doxygen('# Title {#page-x}\n\nText.\n');
  if (good.error) return context.skip('doxygen is not installed');
  assert.equal(good.status, 0, good.stderr);
  const bad = doxygen('# Title {#page-x}\n\nSee \\ref nowhere.\n');
  assert.notEqual(bad.status, 0);
  assert.match(bad.stderr, /x\.md:3: .*nowhere/);
});

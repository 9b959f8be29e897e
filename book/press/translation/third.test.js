// A third language is a folder: what chapters/README.md says of one, done in a course of its own.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {book, buildFolder} from '../folders.js';

const ENGLISH = `# A course

*What is it of?*

One bank serves {{= banks("t").wavefronts}} word a pass. See [below](#the-rest).

## The rest

Nothing more.
`;

test('a new language is a folder with its name, its terms and the first page', () => {
  const course = mkdtempSync(join(tmpdir(), 'course-third-'));
  const press = (...words) =>
    spawnSync(process.execPath, [join(book, 'press', 'press.mjs'), ...words], {
      encoding: 'utf8',
      env: {...process.env, COURSE_BOOK_OF: course, COURSE_BOOK_BUILD: buildFolder()},
    });
  // But for the phrases of pages and widgets, of which this language has none.
  const left = () => press('stale', 'xx').stdout.replace(/^.*words\.toml.*\n/gm, '');
  const own = (name) => join(course, 'chapters', 'xx', name);
  try {
    mkdirSync(own(''), {recursive: true});
    mkdirSync(join(course, 'labs'));
    writeFileSync(join(course, 'chapters', 'index.md'), ENGLISH);
    writeFileSync(own('language.toml'), 'name = "Xx"\ntag = "xx"\nlatin = true\n');
    writeFileSync(own('glossary.csv'), 'english,word,held,never\nbank,banko,yes,benko\n');
    assert.match(press('stale', 'xx').stdout, /index\.md: not begun/);

    assert.equal(press('translate', 'xx', 'index.md').status, 0);
    assert.match(left(), /chapters\/xx\/index\.md:1: missing/);

    const begun = readFileSync(own('index.md'), 'utf8');
    const said = begun
      .replace('# A course', '# Kurso')
      .replace('What is it of?', 'Pri kio?')
      .replace(/One bank serves .*/, 'Unu banko donas {{1}} vorton. Vidu [sube](#the-rest).')
      .replace('## The rest', '## Cetero')
      .replace('Nothing more.', 'Nenio plu.');
    writeFileSync(own('index.md'), said);
    assert.equal(left(), '');
    const whole = press('check');
    assert.match(whole.stdout, /all resolve/, whole.stderr);

    const wrong = said.replace('banko', 'benko').replace('{{1}}', '1').replace('(#the', '(#gone');
    writeFileSync(own('index.md'), wrong);
    const found = press('check');
    assert.equal(found.status, 1);
    for (const complaint of [/"bank" is called banko here/, /\{\{1\}\}/, /#gone/])
      assert.match(found.stderr, complaint);
  } finally {
    rmSync(course, {recursive: true});
  }
});

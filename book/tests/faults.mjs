// Whether pages.mjs notices: a copy of the built book with one of everything that must not be, all in one chapter.
// Prints what it did not notice and exits with 1.
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {buildFolder} from '../press/folders.js';

const PAGE = '05_transpose.html';
const TRANSLATED = join('zh', PAGE);

// Events that never arrive: nothing on the page works, by mouse or by keys.
const DEAF = `<script>for (const name of ['click', 'input', 'keydown', 'reset'])
  addEventListener(name, (event) => event.stopImmediatePropagation(), true);</script>`;

const PLANTED = [
  ['<script>console.error("planted")</script>', /console: planted/],
  ['<script>throw new Error("planted")</script>', /script: planted/],
  ['<img alt="x" src="http://book.invalid/x.png">', /asks the network: http:\/\/book\.invalid/],
  ['<img alt="x" src="gone.png">', /a link to gone\.png, which is not there/],
  ['<a href="gone.html">x</a>', /a link to gone\.html, which is not there/],
  ['<a href="#gone">x</a>', /^05_transpose\.html: a link to #gone, which has no such anchor/m],
  ['<div style="width: 3000px">x</div>', /scrolls \d+ pixels sideways at 1280/],
  ['<div style="width: 600px">x</div>', /scrolls \d+ pixels sideways at 390/],
  [
    '<div class="noted"><aside class="note">a<br>b<br>c</aside><aside class="note" style="bottom: auto; top: 0">d</aside></div>',
    /margin notes \d+ and \d+ overlap at 1280/,
  ],
  ['<img src="data:,">', /critical: Images must have alternative text/],
  [
    '<p style="color: #ccc; background: #fff">pale</p>',
    /serious: Elements must meet minimum color/,
  ],
  [
    '<noscript><section data-widget="tile"><p class="says"> </p></section></noscript>',
    /1 widgets say nothing/,
  ],
  ['<svg viewBox="0 0 1 1"></svg>', /1 pictures have no text/],
  ['<section class="exercise"><details class="hint"><p>one</p></details></section>', /1 exercises/],
  ['<span class="katex-error">\\x</span>', /a formula that is not drawn/],
  [DEAF, /transpose by mouse: says/],
  ['', /transpose by keys: says/],
  ['', /transpose: \+ leads from/],
  ['', /: the right answer is refused/],
  ['', /: the explanation stays shut/],
  ['', /a copy button copies undefined/],
  ['', /the theme button changes nothing/],
  ['', /the right arrow does not turn the page/],
  ['', /search: does not find/],
];

const folder = mkdtempSync(join(tmpdir(), 'course-book-faults-'));
try {
  cpSync(join(buildFolder(), 'html'), join(folder, 'html'), {recursive: true});
  symlinkSync(join(buildFolder(), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'html', 'large.bin'), Buffer.alloc(16 * 1024 * 1024));
  const page = join(folder, 'html', PAGE);
  const planted = PLANTED.map(([html]) => html).join('\n');
  const text = readFileSync(page, 'utf8');
  writeFileSync(
    page,
    text.replace('</article>', () => `<div>${planted}</div></article>`),
  );
  const other = join(folder, 'html', TRANSLATED);
  writeFileSync(
    other,
    readFileSync(other, 'utf8').replace('</article>', '<a href="#gone">x</a></article>'),
  );
  const done = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('pages.mjs', import.meta.url)), PAGE],
    {encoding: 'utf8', env: {...process.env, COURSE_BOOK_BUILD: folder, BOOK_PATIENCE: '4000'}},
  );
  const expected = [
    ...PLANTED.map(([, report]) => report),
    /zh\/05_transpose\.html: a link to #gone, which has no such anchor/,
    /the book: \d+ bytes, more than/,
  ];
  const missed = expected.filter((report) => !report.test(done.stderr));
  for (const report of missed) console.error(`not noticed: ${report}`);
  if (done.status !== 1) console.error(`pages.mjs ends with ${done.status}: ${done.stdout}`);
  if (missed.length > 0) console.error(done.stderr);
  console.log(`${expected.length - missed.length} of ${expected.length} faults are noticed`);
  process.exitCode = missed.length > 0 || done.status !== 1 ? 1 : 0;
} finally {
  rmSync(folder, {recursive: true});
}

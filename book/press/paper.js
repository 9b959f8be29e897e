// The fonts that the book is printed in. A PDF holds a font as it is when it is TrueType and has one weight; of all others, which
// are the variable ones of the pages and Debian's Noto CJK (CFF), Chromium draws every letter by itself (Type 3): larger, coarser
// in many viewers, and hundreds of fonts to a reader. So paper has packages of its own, fetched when somebody prints.
import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {book, buildFolder} from './folders.js';
import {partOf} from './translation/languages.js';

const SHEET = 'paper.css';
const FILES = ['package.json', 'package-lock.json', SHEET];

// `language`: none for English. One without a folder of its own is printed as English is.
export function paperOf(language) {
  return (language && partOf(language, 'paper')) ?? join(book, 'paper');
}

// The style sheet with the fonts beside it, in the build folder; none where they cannot be fetched, with the reason.
export function fetchPaper(language) {
  const from = paperOf(language),
    to = join(buildFolder(), 'paper', from === join(book, 'paper') ? 'en' : language.code);
  mkdirSync(to, {recursive: true});
  const lock = readFileSync(join(from, 'package-lock.json'), 'utf8'),
    stamp = join(to, 'installed-lock.json');
  for (const name of FILES) copyFileSync(join(from, name), join(to, name));
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    const done = spawnSync(
      'npm',
      ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      {cwd: to, encoding: 'utf8'},
    );
    if (done.status !== 0) return {reason: (done.error?.message ?? done.stderr).trim()};
    writeFileSync(stamp, lock);
  }
  return {sheet: join(to, SHEET)};
}

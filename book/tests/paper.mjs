// The printed book, in each language: real fonts, and text that can be searched and copied. Needs Chromium, pdffonts, pdftotext.
// Prints what is wrong and exits with 1; with 77 where the fonts cannot be fetched.
import {execFileSync} from 'node:child_process';
import {fetchPaper} from '../press/paper.js';
import {printBook} from '../press/print.js';
import {languages} from '../press/translation/languages.js';

// What somebody searches for, and how often it is there at least.
const ASKED = {en: ['shared memory', 100], zh: ['共享内存', 100]};

const run = (...command) =>
  execFileSync(command[0], command.slice(1), {encoding: 'utf8', maxBuffer: 1 << 28});
const problems = [];

for (const language of [undefined, ...languages()]) {
  const code = language?.code ?? 'en';
  const {reason} = fetchPaper(language);
  if (reason) {
    console.log(`skipped: the fonts for paper could not be fetched: ${reason}`);
    process.exit(77);
  }
  const file = await printBook(language);
  // name, type (of several words), encoding, embedded, subset, with a map to Unicode, object (two numbers)
  for (const line of run('pdffonts', file).split('\n').slice(2).filter(Boolean)) {
    const [embedded, , mapped] = line.trim().split(/ +/).slice(-5);
    if (line.includes('Type 3') || embedded !== 'yes' || mapped !== 'yes')
      problems.push(`${code}: ${line}`);
  }
  const text = run('pdftotext', file, '-').replace(/\s+/g, language?.wide ? '' : ' ');
  const [words, least] = ASKED[code] ?? [];
  const times = words ? text.split(words).length - 1 : 0;
  if (words && times < least) problems.push(`${code}: "${words}" is found ${times} times`);
}

for (const one of problems) console.log(one);
process.exit(problems.length > 0 ? 1 : 0);

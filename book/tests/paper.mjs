// The printed book, in each language: real fonts, text that can be searched and copied, and code within its frame. Needs Chromium,
// pdffonts, pdftotext.
// Prints what is wrong and exits with 1; with 77 where the fonts cannot be fetched.
import {execFileSync} from 'node:child_process';
import {fetchPaper} from '../press/paper.js';
import {inPrint, printBook} from '../press/print.js';
import {languages} from '../press/translation/languages.js';

// What somebody searches for, and how often it is there at least.
const ASKED = {en: ['shared memory', 100], zh: ['共享内存', 100]};

// Between the margins of print.css on A4, in pixels.
const WIDTH = Math.floor(((210 - 2 * 26) / 25.4) * 96);

// Lines of code whose words go past the frame that they stand in: [text].
const pastTheirFrame = (page) =>
  page.evaluate(() => {
    const range = document.createRange();
    const rightOf = (line) => {
      range.selectNodeContents(line);
      return Math.max(0, ...[...range.getClientRects()].map(({right}) => right));
    };
    return [...document.querySelectorAll('figure.code .line')]
      .filter((line) => rightOf(line) > line.closest('figure').getBoundingClientRect().right + 1)
      .map((line) => line.textContent);
  });

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
  await inPrint(language, async (page) => {
    await page.setViewportSize({width: WIDTH, height: 1000});
    for (const line of await pastTheirFrame(page))
      problems.push(`${code}: past its frame: ${line}`);
    // As it was without the rules of print.css, some would go on past it: this test has eyes.
    await page.addStyleTag({
      content: '@media print { figure.code .line { white-space: pre; width: max-content; } }',
    });
    if ((await pastTheirFrame(page)).length === 0)
      problems.push(`${code}: no line of code is too long for the paper, as far as this test sees`);
  });
  const text = run('pdftotext', file, '-').replace(/\s+/g, language?.wide ? '' : ' ');
  const [words, least] = ASKED[code] ?? [];
  const times = words ? text.split(words).length - 1 : 0;
  if (words && times < least) problems.push(`${code}: "${words}" is found ${times} times`);
}

for (const one of problems) console.log(one);
process.exit(problems.length > 0 ? 1 : 0);

// What tests of served pages share: a tab that asks nobody else, what is wrong, and pictures of what was seen.
import {mkdirSync} from 'node:fs';
import {load} from '../press/folders.js';
import {prepareAxe, seriousViolations} from './axe.js';

const PATIENCE = 300000; // nvcc, beside whatever else the machine does

const problems = [];
export const report = (where, text) => problems.push(`${where}: ${text}`);
export const shots = process.env.BOOK_SHOTS;
if (shots) mkdirSync(shots, {recursive: true});

export const launched = () =>
  load('playwright-core').chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });

// `port`: says where the server is now. A request to anywhere else, and whatever a page complains of, is a problem.
export async function openAt(browser, port, {width = 1280, scheme = 'light'} = {}) {
  const context = await browser.newContext({
    viewport: {width, height: 900},
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  const tab = await context.newPage();
  tab.setDefaultTimeout(PATIENCE);
  tab.mayFail = false;
  tab.on('console', (one) => {
    if (['error', 'warning'].includes(one.type()) && !tab.mayFail)
      report(tab.url(), `console: ${one.text()}`);
  });
  tab.on('pageerror', (error) => report(tab.url(), `script: ${error.message}`));
  tab.on('request', (request) => {
    if (
      !request.url().startsWith(`http://127.0.0.1:${port()}/`) &&
      !request.url().startsWith('data:')
    )
      report(tab.url(), `asks elsewhere: ${request.url()}`);
  });
  return tab;
}

export async function until(what, holds, patience = PATIENCE) {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((go) => setTimeout(go, 50));
  }
  throw new Error(`it does not come to: ${what}`);
}

export async function checkView(tab, where) {
  const over = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (over > 0) report(where, `scrolls ${over} pixels sideways`);
  await prepareAxe(tab);
  for (const one of await seriousViolations(tab))
    report(
      where,
      `${one.impact}: ${one.help}: ${one.nodes
        .slice(0, 3)
        .map(({target}) => target.join(' '))
        .join(' | ')}`,
    );
}

// Says what is wrong, and ends.
export function conclude() {
  for (const problem of [...new Set(problems)]) console.error(problem);
  console.log(problems.length === 0 ? 'nothing wrong' : `${problems.length} problems`);
  process.exit(problems.length === 0 ? 0 : 1);
}

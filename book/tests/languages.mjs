// The book in its other languages, in headless Chromium: each page, the switch, the browser's language, the search, and widgets.
// Prints what is wrong and exits with 1.
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {buildFolder, load} from '../press/folders.js';
import {languages} from '../press/translation/languages.js';
import {phrasesOf} from '../press/translation/words.js';
import {prepareAxe, seriousViolations} from './axe.js';
import {USES, useQuestions} from './use.js';

// Only these pages, when some are named.
const wanted = process.argv.slice(2);
const html = join(buildFolder(), 'html');
const address = (page) => pathToFileURL(join(html, page)).href;
const VIEWS = [
  {width: 1280, scheme: 'light'},
  {width: 390, scheme: 'dark'},
];
// Pages whose switch is tried both ways: a short one, a long one, and one that is no chapter.
const SWITCHED = ['01_banks.html', '12_other_readers.html', 'hopper.html'];
// Milliseconds after which a click, a search or the turn of a page does not come any more, however busy the machine.
const PATIENCE = 120000;
// What somebody searches for.
const ASKED = {zh: '存储体冲突'};

const problems = [];
const report = (where, text) => problems.push(`${where}: ${text}`);

async function open(browser, page, {width = 1280, scheme = 'light', locale = 'en-US'} = {}) {
  const context = await browser.newContext({
    viewport: {width, height: 900},
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale,
  });
  const tab = await context.newPage();
  tab.setDefaultTimeout(PATIENCE);
  tab.on('console', (one) => {
    if (['error', 'warning'].includes(one.type())) report(page, `console: ${one.text()}`);
  });
  tab.on('pageerror', (error) => report(page, `script: ${error.message}`));
  tab.on('requestfailed', (request) => {
    // A page that is left at once, for another language, does not wait for its script.
    const isLeft = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (!isLeft) report(page, `not there: ${request.url()}`);
  });
  // The browser's own word that a page leads to another, which it says before it goes there.
  await tab.addInitScript(() =>
    navigation.addEventListener('navigate', () => (window.leads = true)),
  );
  await tab.goto(address(page));
  return tab;
}

// What cannot go on is a problem, and no end of the test.
async function guarded(where, use) {
  try {
    await use();
  } catch (error) {
    report(where, `stops: ${error.message.split('\n')[0]}`);
  }
}

// One page, opened once: what it looks like, what it says while it is used, and what axe finds after that.
async function looks(browser, page, tag, names) {
  const tab = await open(browser, page);
  const lang = await tab.evaluate(() => document.documentElement.lang);
  if (lang !== tag) report(page, `says that it is in ${lang}, not ${tag}`);
  const views = async (use) => {
    for (const {width, scheme} of VIEWS) {
      await tab.setViewportSize({width, height: 900});
      await tab.emulateMedia({colorScheme: scheme});
      await use(`${width} ${scheme}`);
    }
  };
  await views(async (view) => {
    const over = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) report(page, `scrolls ${over} pixels sideways at ${view}`);
  });
  if (names) {
    await tab.setViewportSize({width: VIEWS[0].width, height: 900});
    await guarded(page, () => speaks(tab, page, names));
  }
  // Narrow and dark: the same page in English is looked at wide and light, too (pages.mjs).
  await prepareAxe(tab);
  await tab.setViewportSize({width: VIEWS[1].width, height: 900});
  await tab.emulateMedia({colorScheme: VIEWS[1].scheme});
  for (const one of await seriousViolations(tab))
    report(page, `${one.help}: ${one.nodes[0].target.join(' ')}`);
  await tab.context().close();
}

// What is said while a widget is used has no English word left but those that the language's own words have.
async function speaks(tab, page, names) {
  for (const widget of await tab.locator('[data-widget]').all()) {
    const name = await widget.getAttribute('data-widget');
    const [, byKeys] = await USES[name](widget);
    await byKeys();
    const said = await widget.locator('.says').evaluate((one) => {
      const copy = one.cloneNode(true);
      copy.querySelectorAll('code').forEach((code) => code.remove());
      return copy.textContent;
    });
    const strangers = said.match(/[A-Za-z]{3,}/g)?.filter((word) => !names.has(word)) ?? [];
    if (strangers.length > 0) report(page, `${name} says "${said.trim()}"`);
  }
  await useQuestions(tab, (text) => report(page, text));
}

// The topmost paragraph in sight, by its number: it is the same before and after the switch. Letters that come move what is below
// them, and what was scrolled is drawn a frame later.
const placeOf = (tab) =>
  tab.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    for (const there of [frame, frame, () => document.fonts.ready, frame, frame]) await there();
    const all = [...document.querySelectorAll('article p:not(.remark)')];
    return all.findIndex((one) => one.getBoundingClientRect().bottom > 100);
  });

// From a page to the same one in another language, in the middle of it.
async function switches(browser, from, to, hreflang) {
  const tab = await open(browser, from);
  await tab.evaluate(() => document.fonts.ready.then(() => undefined));
  const paragraphs = await tab.locator('article > p:not(.remark)').count();
  await tab
    .locator('article > p:not(.remark)')
    .nth(Math.floor(paragraphs / 2))
    .evaluate((one) => one.scrollIntoView({behavior: 'instant'}));
  await tab.evaluate(() => scrollBy({top: -80, behavior: 'instant'}));
  const before = await placeOf(tab);
  // By its own click: Playwright's scrolls, to be sure that the link is in sight.
  await tab.locator(`.masthead a.language[hreflang=${hreflang}]`).evaluate((link) => link.click());
  await tab.waitForURL((url) => url.pathname.endsWith(`/html/${to}`));
  const after = await placeOf(tab);
  if (Math.abs(after - before) > 1)
    report(from, `the switch to ${to} leads from paragraph ${before} to ${after}`);
  await tab.context().close();
}

async function remembers(browser, code) {
  const tab = await open(browser, `${code}/01_banks.html`);
  await tab.locator('.masthead a.language[hreflang=en]').evaluate((link) => link.click());
  await tab.waitForURL((url) => url.pathname.endsWith('/html/01_banks.html'));
  await tab.goto(address('index.html'));
  if ((await tab.evaluate(() => document.documentElement.lang)) !== 'en')
    report(code, 'who has chosen English is led away from it');
  await tab.context().close();
}

async function respects(browser, {code, tag}) {
  const staysEnglish = (tab) =>
    tab.evaluate(() => document.documentElement.lang === 'en' && !window.leads);
  const own = await open(browser, 'index.html', {locale: tag});
  await own
    .waitForFunction((wanted) => document.documentElement.lang === wanted, tag)
    .catch(() => report('index.html', `a browser that asks for ${tag} does not get it`));
  await own.locator('.masthead a.language[hreflang=en]').click();
  await own.waitForURL((url) => !url.pathname.includes(`/html/${code}/`));
  await own.goto(address('index.html'));
  if (!(await staysEnglish(own)))
    report('index.html', `the browser's ${tag} is put above the reader's choice of English`);
  await own.context().close();
  const other = await open(browser, 'index.html', {locale: 'en-GB'});
  if (!(await staysEnglish(other)))
    report('index.html', 'a browser that asks for English gets another language');
  await other.context().close();
}

async function finds(browser, code) {
  const asked = ASKED[code];
  if (!asked) return;
  const tab = await open(browser, `${code}/index.html`);
  await tab.locator('.search input').fill(asked);
  const first = tab.locator('.found a').first();
  await first.waitFor().catch(() => report(code, `does not find ${asked}`));
  if (!(await first.locator('mark').first().textContent())?.includes(asked))
    report(code, `does not mark ${asked} in what it found`);
  await first.click();
  await tab
    .waitForURL((url) => !url.pathname.endsWith('index.html'))
    .catch(() => report(code, `${asked} leads nowhere`));
  if (!tab.url().includes(`/html/${code}/`)) report(code, `${asked} leads out of the language`);
  await tab.context().close();
}

const browser = await load('playwright-core').chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
let count = 0;
try {
  for (const language of languages()) {
    const {code, tag, folder} = language;
    const pages = readdirSync(join(html, code)).filter(
      (name) =>
        name.endsWith('.html') &&
        name !== 'whole.html' &&
        (wanted.length === 0 || wanted.includes(name)),
    );
    count += pages.length;
    const isBegun = (page) => existsSync(join(folder, page.replace(/html$/, 'md')));
    const said = Object.values(phrasesOf(language).table).join(' ');
    const names = new Set(said.match(/[A-Za-z]{3,}/g));
    for (const page of pages)
      await guarded(page, () =>
        looks(browser, `${code}/${page}`, tag, isBegun(page) ? names : undefined),
      );
    for (const page of SWITCHED) {
      const own = `${code}/${page}`;
      await guarded(`the switch of ${own}`, () => switches(browser, own, page, 'en'));
      await guarded(`the switch of ${page}`, () => switches(browser, page, own, tag));
    }
    await guarded('the choice', () => remembers(browser, code));
    await guarded('the first visit', () => respects(browser, language));
    await guarded('the search', () => finds(browser, code));
  }
} finally {
  await browser.close();
}
for (const problem of [...new Set(problems)]) console.error(problem);
console.log(
  `${count} pages: ${problems.length === 0 ? 'nothing wrong' : `${problems.length} problems`}`,
);
process.exit(problems.length === 0 ? 0 : 1);

// The built book in headless Chromium, from files: every page in four views (axe in two), and each thing that moves, by mouse and keys.
// Prints what is wrong and exits with 1; with the names of pages as arguments, only those.
import {existsSync, readFileSync, readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {buildFolder, load} from '../press/folders.js';
import {languages} from '../press/translation/languages.js';
import {prepareAxe, seriousViolations} from './axe.js';
import {useSearch} from './search.js';
import {useCopy, useQuestions, useTheme, useWidgets, walkByKeys, walkThrough} from './use.js';

// Whether a page can be used depends on its width, and its colours on the scheme: axe looks at it once in each.
const VIEWS = [
  {width: 1280, scheme: 'light', axe: true},
  {width: 1280, scheme: 'dark', axe: false},
  {width: 390, scheme: 'light', axe: false},
  {width: 390, scheme: 'dark', axe: true},
];
const MOST_BYTES = 24 * 1024 * 1024; // of which a language takes about 6, and a page with all chapters, to print, 3
// Milliseconds after which a click, a search or the turn of a page does not come any more, however busy the machine; less in
// faults.mjs, where each of them fails.
const PATIENCE = Number(process.env.BOOK_PATIENCE ?? 120000);

const html = join(buildFolder(), 'html');
const address = (page) => pathToFileURL(join(html, page)).href;
const wanted = process.argv.slice(2);
const chapters = readdirSync(html)
  .filter((name) => name.endsWith('.html') && name !== 'whole.html')
  .filter((name) => wanted.length === 0 || wanted.includes(name));
// The book of somebody's own course has none.
const reference = existsSync(join(html, 'reference'))
  ? readdirSync(join(html, 'reference')).map((name) => `reference/${name}`)
  : [];
const isPage = (name) => name.endsWith('.html');
const translations = languages().flatMap(({code}) =>
  readdirSync(join(html, code))
    .filter(isPage)
    .map((name) => `${code}/${name}`),
);

const problems = [];
const report = (page, text) => problems.push(`${page}: ${text}`);

// One tab for all pages that are looked at in one way: a new one costs more than a page does. Each page finds it as new.
async function openTab(browser, {width, scheme}, options = {}) {
  const context = await browser.newContext({
    viewport: {width, height: 900},
    colorScheme: scheme,
    reducedMotion: 'reduce',
    ...options,
  });
  const tab = await context.newPage();
  tab.setDefaultTimeout(PATIENCE);
  let page = '';
  const say = (text) => report(page, text);
  tab.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      say(`console: ${message.text()}`);
  });
  tab.on('pageerror', (error) => say(`script: ${error.message}`));
  tab.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) say(`asks the network: ${request.url()}`);
  });
  tab.on('requestfailed', (request) => {
    // A page that is left does not wait for its search.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') say(`not there: ${request.url()}`);
  });
  const visit = async (next) => {
    if (page !== '' && options.javaScriptEnabled !== false)
      await tab.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
    page = next;
    await tab.setViewportSize({width, height: 900});
    await tab.emulateMedia({colorScheme: scheme});
    await tab.goto(address(page), {timeout: PATIENCE});
    return tab;
  };
  return {visit, close: () => context.close()};
}

// For a page that is used alone.
async function open(browser, page, view) {
  const {visit} = await openTab(browser, view);
  return visit(page);
}

// The page itself must not scroll sideways: wide things scroll inside their own frame. Margin notes must not overlap.
async function checkLayout(tab, page, view) {
  const {over, notes} = await tab.evaluate(() => ({
    over: document.documentElement.scrollWidth - innerWidth,
    notes: [...document.querySelectorAll('aside.note')]
      .map((note) => note.getBoundingClientRect())
      .map(({top, bottom}) => ({top, bottom})),
  }));
  if (over > 0) report(page, `scrolls ${over} pixels sideways at ${view.width}`);
  notes.forEach((note, i) => {
    if (i > 0 && note.top < notes[i - 1].bottom - 1)
      report(page, `margin notes ${i} and ${i + 1} overlap at ${view.width}`);
  });
}

async function checkAxe(tab, page, view) {
  for (const one of await seriousViolations(tab))
    report(
      page,
      `${view.width} ${view.scheme}: ${one.impact}: ${one.help}: ${one.nodes
        .slice(0, 3)
        .map((node) => node.target.join(' '))
        .join(' | ')}`,
    );
}

async function checkViews(visit, page) {
  const tab = await visit(page);
  for (const view of VIEWS) {
    await tab.setViewportSize({width: view.width, height: 900});
    await tab.emulateMedia({colorScheme: view.scheme});
    await checkLayout(tab, page, view);
  }
  await prepareAxe(tab);
  for (const view of VIEWS.filter((one) => one.axe)) {
    await tab.setViewportSize({width: view.width, height: 900});
    await tab.emulateMedia({colorScheme: view.scheme});
    await checkAxe(tab, page, view);
  }
}

// Every link and picture leads to a file that is there, and to an anchor that is in it.
function checkLinks() {
  const pages = new Map(
    [...readdirSync(html).filter(isPage), ...translations, ...reference].map((name) => [
      name,
      readFileSync(join(html, name), 'utf8'),
    ]),
  );
  const anchors = new Map(
    [...pages].map(([name, text]) => [
      name,
      new Set([...text.matchAll(/\s(?:id|name)="([^"]+)"/g)].map((match) => match[1])),
    ]),
  );
  for (const [name, text] of pages)
    for (const [, target] of text.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|data|mailto):/.test(target)) continue;
      const [file, anchor] = target.replaceAll('&amp;', '&').split('#');
      const path = file === '' ? name : join(name, '..', file);
      if (!pages.has(path)) {
        try {
          statSync(join(html, path));
        } catch {
          report(name, `a link to ${target}, which is not there`);
        }
      } else if (anchor && !anchors.get(path).has(anchor))
        report(name, `a link to ${target}, which has no such anchor`);
    }
}

// Without script the words are all there: questions with answers, widgets with what they say, pictures with what they
// show, exercises with their hints.
async function checkWithoutScript(visit, page) {
  const tab = await visit(page);
  const bare = await tab
    .locator('[data-widget] .says')
    .evaluateAll((all) => all.filter((one) => one.textContent.trim() === '').length);
  if (bare > 0) report(page, `${bare} widgets say nothing without script`);
  const unanswered = await tab
    .locator('section.question')
    .evaluateAll((all) => all.filter((one) => !one.querySelector('details.answer strong')).length);
  if (unanswered > 0) report(page, `${unanswered} questions have no answer without script`);
  const dumb = await tab
    .locator('main svg')
    .evaluateAll(
      (all) =>
        all.filter(
          (one) =>
            one.getAttribute('role') !== 'img' || (one.getAttribute('aria-label') ?? '').length < 4,
        ).length,
    );
  if (dumb > 0) report(page, `${dumb} pictures have no text`);
  const unhelped = await tab
    .locator('section.exercise')
    .evaluateAll(
      (all) =>
        all.filter(
          (one) =>
            [...one.querySelectorAll('details.hint p')].filter((hint) => hint.textContent !== '')
              .length !== 3,
        ).length,
    );
  if (unhelped > 0) report(page, `${unhelped} exercises have not three hints`);
  if ((await tab.locator('.katex-error').count()) > 0) report(page, 'a formula that is not drawn');
}

const bytesOf = (folder) =>
  readdirSync(folder, {withFileTypes: true}).reduce(
    (sum, entry) =>
      sum +
      (entry.isDirectory()
        ? bytesOf(join(folder, entry.name))
        : statSync(join(folder, entry.name)).size),
    0,
  );

// A use that cannot go on is a problem, and no end of the test.
async function guarded(page, use) {
  try {
    await use();
  } catch (error) {
    report(page, `stops: ${error.message.split('\n').slice(0, 3).join(' ')}`);
  }
}

// A section that stands on another page now: who kept its address gets there.
async function useMoved(tab, say) {
  const article = tab.locator('article[data-moved]');
  if ((await article.count()) === 0) return;
  const moved = JSON.parse(await article.getAttribute('data-moved'));
  const [[anchor, to]] = Object.entries(moved);
  await tab.goto(tab.url().replace(/#.*|$/, `#${anchor}`));
  await tab
    .waitForURL((url) => url.href.endsWith(`/${to}`))
    .catch(() => say(`#${anchor} leads nowhere`));
}

const widgetsOf = (tab) =>
  tab.locator('[data-widget]').evaluateAll((all) => all.map((one) => one.dataset.widget));

async function useAll(browser) {
  const [bare, desk, phone] = await Promise.all([
    openTab(browser, VIEWS[0], {javaScriptEnabled: false}),
    openTab(browser, VIEWS[0]),
    openTab(browser, VIEWS.at(-1)),
  ]);
  const usedOnPhone = new Set();
  for (const page of chapters) {
    await checkWithoutScript(bare.visit, page);
    const say = (text) => report(page, text);
    const tab = await desk.visit(page);
    for (const use of [useWidgets, useQuestions, useCopy]) await guarded(page, () => use(tab, say));
    const isNew = (await widgetsOf(tab)).some((name) => !usedOnPhone.has(name));
    await guarded(page, () => useMoved(tab, say));
    if (!isNew) continue;
    const held = await phone.visit(page);
    const sayOfPhone = (text) => say(`on a phone: ${text}`);
    await guarded(page, () => useWidgets(held, sayOfPhone, usedOnPhone));
  }
  for (const one of [bare, desk, phone]) await one.close();
  const [first] = chapters;
  const tab = await open(browser, first, VIEWS[0]);
  for (const use of [useTheme, walkByKeys])
    await guarded(first, () => use(tab, (text) => report(first, text)));
  await tab.context().close();
  if (wanted.length === 0) {
    const inTheWalk = chapters.filter((page) => !['playground.html', 'class.html'].includes(page));
    const walk = await open(browser, 'index.html', VIEWS[0]);
    const say = (text) => report('index.html', text);
    await guarded('index.html', () => walkThrough(walk, inTheWalk.length, say));
    await walk.context().close();
  }
  const ask = () => open(browser, first, VIEWS[0]);
  await guarded('search', () => useSearch(ask, html, (text) => report('search', text)));
}

const browser = await load('playwright-core').chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const bytes = bytesOf(html);
  if (bytes > MOST_BYTES) report('the book', `${bytes} bytes, more than ${MOST_BYTES}`);
  checkLinks();
  const seen = await openTab(browser, VIEWS[0]);
  for (const page of chapters) await checkViews(seen.visit, page);
  // Of the reference, one of each kind.
  for (const page of reference.filter((name) =>
    /(files|request_8hpp|namespacecourse_1_1model)\.html$/.test(name),
  ))
    if (wanted.length === 0) await checkViews(seen.visit, page);
  await seen.close();
  await useAll(browser);
} finally {
  await browser.close();
}
for (const problem of [...new Set(problems)]) console.error(problem);
console.log(
  `${chapters.length} pages in ${VIEWS.length} views, ${reference.length} pages of reference: ${problems.length === 0 ? 'nothing wrong' : `${problems.length} problems`}`,
);
process.exit(problems.length === 0 ? 0 : 1);

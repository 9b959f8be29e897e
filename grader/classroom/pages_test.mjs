// The pages of a class, from files: no errors, nothing from the network, clean by axe-core, no scrolling sideways, at two widths,
// light and dark; and the class's page sorts and filters. Prints what is wrong and exits with 1.
import {mkdirSync, readFileSync, readdirSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {pathToFileURL} from 'node:url';
import {load, packageFile} from '../../book/press/folders.js';

const classes = process.argv.slice(2); // folders of results
const screens = process.env.COURSE_SCREENS;
const axe = readFileSync(packageFile('axe-core/axe.min.js'), 'utf8');
const pagesIn = (folder) =>
  readdirSync(folder, {recursive: true})
    .filter((name) => name.endsWith('.html'))
    .map((name) => join(folder, name));
// Of the students, those whose pages differ: right, late, two versions, damaged.
const pagesOf = (results) => [
  join(results, 'index.html'),
  ...['anna', 'late', 'versions', 'damaged'].map((id) =>
    join(results, 'students', id, 'index.html'),
  ),
  ...pagesIn(join(results, 'alike')),
];
const pages = classes.flatMap(pagesOf);

const problems = [];
const report = (page, text) => problems.push(`${page}: ${text}`);

async function open(browser, page, width, colorScheme) {
  const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
  const tab = await context.newPage();
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) report(page, `console: ${message.text()}`);
  });
  tab.on('pageerror', (error) => report(page, `script: ${error.message}`));
  tab.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) report(page, `asks the network: ${request.url()}`);
  });
  await tab.goto(pathToFileURL(page).href);
  return tab;
}

async function look(tab, page, view) {
  const over = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (over > 0) report(page, `scrolls ${over} pixels sideways at ${view}`);
  // The page allows no script but its own: axe runs beside it.
  const session = await tab.context().newCDPSession(tab);
  await session.send('Page.setBypassCSP', {enabled: true});
  await tab.reload();
  await tab.evaluate(axe);
  const {violations} = await tab.evaluate(() => window.axe.run(document));
  for (const {help, nodes} of violations)
    report(
      page,
      `${view}: ${help}: ${nodes
        .slice(0, 3)
        .map((node) => node.target)
        .join(' | ')}`,
    );
}

const shown = (tab) =>
  tab.$$eval('.students tbody tr', (rows) =>
    rows.filter((row) => row.offsetHeight > 0).map((row) => row.cells[0].textContent),
  );

async function use(tab, page, view) {
  const expect = (holds, what) => holds || report(page, `${view}: ${what}`);
  const all = await shown(tab);
  const points = async () =>
    await tab.$$eval('.students tbody tr', (rows) =>
      rows.map((row) => parseFloat(row.cells[1].dataset.value)),
    );
  const head = tab.locator('.students th').nth(1);
  await head.locator('button').click();
  const up = await points();
  expect(
    up.every((value, i) => i === 0 || up[i - 1] <= value),
    'points are not sorted',
  );
  expect((await head.getAttribute('aria-sort')) === 'ascending', 'nothing says that it is sorted');
  await head.locator('button').focus();
  await tab.keyboard.press('Enter');
  expect((await points())[0] === Math.max(...up), 'points are not sorted down by a key');
  const filter = tab.locator('input[type=search]');
  await filter.fill('late');
  const found = await shown(tab);
  expect(
    found.length > 0 && found.length < all.length,
    `the filter shows ${found.length} of ${all.length}`,
  );
  expect(found.includes('late'), 'the filter does not show who is looked for');
  await filter.fill('');
  expect((await shown(tab)).length === all.length, 'an empty filter does not show everybody');
}

const {chromium} = load('playwright-core');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const width of [1280, 400])
  for (const scheme of ['light', 'dark']) {
    const view = `${width} ${scheme}`;
    for (const page of pages) {
      const tab = await open(browser, page, width, scheme);
      await look(tab, page, view);
      if (classes.includes(dirname(page))) await use(tab, page, view);
      if (screens) {
        mkdirSync(screens, {recursive: true});
        const name = `${relative(dirname(classes[0]), page).replace(/\W+/g, '_')}_${width}_${scheme}.png`;
        await tab.screenshot({path: join(screens, name), fullPage: true});
      }
      await tab.context().close();
    }
  }
await browser.close();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${pages.length} pages, in four views`);

// The whole book as one PDF, printed by Chromium from the page that has all chapters.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {buildFolder, load} from './folders.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export async function printBook() {
  if (!existsSync(CHROMIUM))
    throw new Error(`a PDF needs Chromium, and there is no ${CHROMIUM} (Debian: chromium)`);
  const from = join(buildFolder(), 'html', 'whole.html'),
    to = join(buildFolder(), 'book.pdf');
  const browser = await load('playwright-core').chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({colorScheme: 'light'});
    // Without its script the page has words where it would have buttons.
    await page.route('**/book.js', (route) => route.abort());
    await page.goto(pathToFileURL(from).href);
    await page.evaluate(() => {
      document.querySelectorAll('article details').forEach((one) => (one.open = true));
      return document.fonts.ready;
    });
    await page.pdf({
      path: to,
      format: 'A4',
      printBackground: true,
      preferCSSPageSize: true,
      outline: true,
      tagged: true,
      displayHeaderFooter: true,
      headerTemplate: '<span></span>',
      footerTemplate:
        '<div style="width:100%;text-align:center;font:8px sans-serif;color:#666"><span class="pageNumber"></span></div>',
    });
  } finally {
    await browser.close();
  }
  return to;
}

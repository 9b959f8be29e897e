// The whole book as one PDF, printed by Chromium from the page that has all chapters.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {buildFolder, load} from './folders.js';
import {fetchPaper} from './paper.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

// Without the fonts of paper, a language with other letters than Latin needs one that is installed.
function needsFont({tag, latin, font}) {
  if (latin) return;
  const found = spawnSync('fc-list', [`:lang=${tag.toLowerCase()}`], {encoding: 'utf8'});
  if (found.error || found.stdout.trim() === '')
    throw new Error(`a PDF in ${tag} needs a font for it (Debian: fontconfig ${font})`);
}

// What `use(page, path)` returns of the page of the whole book as it is printed, and of where it is printed to. `language`: none
// for English.
export async function inPrint(language, use) {
  const code = language?.code;
  if (!existsSync(CHROMIUM))
    throw new Error(`a PDF needs Chromium, and there is no ${CHROMIUM} (Debian: chromium)`);
  const {sheet, reason} = fetchPaper(language);
  if (!sheet) {
    console.error(`the fonts for paper could not be fetched, so letters are drawn: ${reason}`);
    if (language) needsFont(language);
  }
  const from = join(buildFolder(), 'html', code ?? '', 'whole.html'),
    to = join(buildFolder(), code ? `book.${code}.pdf` : 'book.pdf');
  const browser = await load('playwright-core').chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({colorScheme: 'light'});
    // Without its script the page has words where it would have buttons.
    await page.route('**/book.js', (route) => route.abort());
    await page.goto(pathToFileURL(from).href);
    await page.emulateMedia({media: 'print', colorScheme: 'light'});
    if (sheet) await page.addStyleTag({url: pathToFileURL(sheet).href});
    await page.evaluate(() => {
      document.querySelectorAll('article details').forEach((one) => (one.open = true));
      return document.fonts.ready;
    });
    return await use(page, to);
  } finally {
    await browser.close();
  }
}

export const printBook = (language) =>
  inPrint(language, async (page, path) => {
    await page.pdf({
      path,
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
    return path;
  });

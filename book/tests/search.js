// The search, as a reader uses it: by key, a word from the middle of a chapter, and on to its section.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

// A word that stands in only one section, past the beginning of a long one: nothing but the full text can find it.
function rareWord(html) {
  const documents = JSON.parse(
    /= (\[.*\]);/s.exec(readFileSync(join(html, 'documents.js'), 'utf8'))[1],
  );
  const wordsOf = (one) =>
    new Set(`${one.title} ${one.page} ${one.text}`.toLowerCase().match(/[a-z]{8,}/g) ?? []);
  const counts = new Map();
  for (const one of documents)
    for (const word of wordsOf(one)) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const one of [...documents].sort((a, b) => b.text.length - a.text.length)) {
    const words = one.text.toLowerCase().match(/[a-z]{8,}/g) ?? [];
    const word = words
      .slice(Math.floor(words.length / 3))
      .find((candidate) => counts.get(candidate) === 1);
    if (word) return {word, address: one.address};
  }
  throw new Error('no section has a word of its own');
}

export async function useSearch(open, html, report) {
  const tab = await open();
  const {word, address} = rareWord(html);
  await tab.keyboard.press('/');
  await tab.keyboard.type(word);
  const first = tab.locator('.found a').first();
  await first.waitFor().catch(() => report(`does not find "${word}" of ${address}`));
  const href = await first.getAttribute('href').catch(() => '');
  if (href !== address) report(`"${word}" leads to ${href}, not ${address}`);
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('Enter');
  await tab
    .waitForURL((url) => url.href.endsWith(address))
    .catch(() => report(`Enter does not lead to ${address}`));
  await tab.locator('.search input').fill('qqzzxxyy');
  await tab
    .locator('.found')
    .getByText('Nothing found.')
    .waitFor()
    .catch(() => report('does not say that it found nothing'));
  await tab.context().close();
}

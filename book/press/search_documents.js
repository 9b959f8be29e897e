// What the search knows: one document for each section of each page, in plain text.

export const plainText = (html) =>
  html
    .replace(/<(svg|script|style|annotation)[^]*?<\/\1>/g, ' ')
    .replace(/<details class="hint">[^]*?<\/details>/g, ' ') // a search should not give them away
    .replace(/<\/?(?:a|b|em|strong|code|data|i)\b[^>]*>/g, '') // these do not end a word
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#160;|&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

// What the glossary, or the page of calls, calls the sections of other pages, by their address: the first two cells of each row,
// and the first link in its last one.
export function namesOf(glossary) {
  const names = new Map();
  for (const [row] of (glossary?.content ?? '').matchAll(/<tr[^]*?<\/tr>/g)) {
    const cells = [...row.matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell]) => cell);
    const address = /href="([^"]+)"/.exec(cells.at(-1) ?? '')?.[1];
    if (!address || cells.length < 4) continue;
    const said = [cells[0], ...cells[1].split(/,|，|、/)].map((cell) => plainText(cell));
    names.set(address, [...(names.get(address) ?? []), ...said].filter(Boolean));
  }
  return names;
}

// `english`: the same pages in English, whose names for a section are known in every language.
// `pages`: with name, title and content, whose sections begin with <h2 id="…"> or <h3 id="…">.
export function searchDocuments(pages, english = []) {
  const names = new Map();
  for (const list of ['glossary', 'calls'])
    for (const book of [pages, english])
      for (const [address, all] of namesOf(book.find(({name}) => name === list)))
        names.set(address, [...new Set([...(names.get(address) ?? []), ...all])]);
  return pages.flatMap((page) => {
    const parts = page.content.split(/(?=<h[23] id=")/);
    return parts
      .map((part, i) => {
        const heading = /^<h[23] id="([^"]+)">([^]*?)<\/h[23]>/.exec(part);
        const address = `${page.name}.html${heading ? `#${heading[1]}` : ''}`;
        return {
          id: `${page.name}-${i}`,
          page: page.title,
          address,
          title: heading ? plainText(heading[2]).replace(/#$/, '').trim() : page.title,
          text: plainText(heading ? part.slice(heading[0].length) : part),
          ...(names.has(address) && {names: names.get(address).join('\n')}),
        };
      })
      .filter((one) => one.text !== '');
  });
}

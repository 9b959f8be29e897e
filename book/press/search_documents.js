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

// `pages`: with name, title and content, whose sections begin with <h2 id="…"> or <h3 id="…">.
export function searchDocuments(pages) {
  return pages.flatMap((page) => {
    const parts = page.content.split(/(?=<h[23] id=")/);
    return parts
      .map((part, i) => {
        const heading = /^<h[23] id="([^"]+)">([^]*?)<\/h[23]>/.exec(part);
        return {
          id: `${page.name}-${i}`,
          page: page.title,
          address: `${page.name}.html${heading ? `#${heading[1]}` : ''}`,
          title: heading ? plainText(heading[2]).replace(/#$/, '').trim() : page.title,
          text: plainText(heading ? part.slice(heading[0].length) : part),
        };
      })
      .filter((one) => one.text !== '');
  });
}

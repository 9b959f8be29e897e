// The book's own words in another language: those of pages, widgets and figures, which the code says in English. A table has for
// each phrase what it is there, its numbers and names of files as {1}, {2} …; what it has not as a whole is looked up sentence by sentence, then by
// the parts between colons, semicolons and commas. Used by the press and, for what moves, by the page.

// What changes from place to place: a command, a file or an exercise, a number.
const NUMBER =
  /\.\/course .*|\b__\w+(?:\([^)]*\))?|(?<![\w{/])(?:[\w.]+\/)+[\w.]+|\b0x[\da-f]+\b|(?<![\w{/])\d+(?:,\d{3})*(?:\.\d+)?(?!\w)/g;
const CUTS = [/(?<=[.!?]) +/, /(?<=:) +/, /(?<=;) +/, /(?<=,) +/];
const hasWords = (text) => /[A-Za-z]{2,}/.test(text);
const OTHER_LETTER = /(?!\p{Script=Latin}|\p{Script=Common})\p{L}/u; // not that of µs

// "3 of 4" as {key: "{1} of {2}", numbers: ["3", "4"]}.
export function keyOf(text) {
  const numbers = [];
  const key = text.replace(NUMBER, (number) => `{${numbers.push(number)}}`);
  return {key, numbers};
}

// A function from a phrase to what it is in the language, or undefined. `joint` stands between sentences; `marks` are the
// language's own for those that a piece of a sentence may begin with.
export function phraseBook(table, {joint = '', marks = {}} = {}) {
  const find = (text, cuts) => {
    const {key, numbers} = keyOf(text);
    if (Object.hasOwn(table, key))
      return table[key].replace(/\{(\d+)\}/g, (_, number) => numbers[number - 1]);
    if (!hasWords(key.replace(/\{\d+\}/g, ''))) return text;
    // What goes on with a sentence that began before, in bold or as code.
    const [, mark, rest] = /^([.,;:]) +(.+)$/.exec(text) ?? [];
    if (rest) {
      const said = find(rest, cuts);
      return said === undefined ? undefined : `${marks[mark] ?? `${mark} `}${said}`;
    }
    for (let i = 0; i < cuts.length; ++i) {
      const parts = text.split(cuts[i]);
      if (parts.length === 1) continue;
      const said = parts.map((part) => find(part, cuts.slice(i + 1)));
      if (said.every((one) => one !== undefined)) return said.join(joint);
    }
    return undefined;
  };
  return Object.assign((text) => find(text, CUTS), {marks});
}

// What keeps its words: code, formulas, and what says of itself that it is English, or not to be translated.
const KEEPS =
  /^<(?:code|pre|script|style|math|annotation|data)\b|^<[^>]*\s(?:lang="en"|translate="no"|class="katex)/;
const VOID = /^<(?:br|input|img|hr|meta|link|!)|\/>$/;
const decoded = (text) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#160;|&nbsp;/g, ' ')
    .replace(/&amp;/g, '&');
const encoded = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

// HTML with the words of its texts and labels looked up by `find`; `missed` is told those that are not found.
export function inWords(html, find, missed = () => {}) {
  const said = (text) => {
    const plain = decoded(text).replace(/\s+/g, ' ').trim();
    const found = hasWords(plain) ? find(plain) : undefined;
    if (found !== undefined) return encoded(found);
    // A mark alone, or before what is in the language already: it goes on with a sentence, too.
    const mark = /^[.,;:](?= |$)/.exec(plain)?.[0];
    if (find.marks?.[mark] && (plain === mark || OTHER_LETTER.test(plain)))
      return text.replace(/^\s*[.,;:]\s*/, find.marks[mark]);
    if (hasWords(plain)) missed(plain);
    return text;
  };
  const open = [];
  let kept = 0;
  return html.replace(/<script\b[^]*?<\/script>|<[^>]*>|[^<]+/g, (piece) => {
    if (piece.startsWith('<script')) return piece;
    if (!piece.startsWith('<')) return kept > 0 ? piece : said(piece);
    if (piece.startsWith('</')) {
      if (open.pop()) --kept;
      return piece;
    }
    if (!VOID.test(piece)) {
      const keeps = KEEPS.test(piece);
      open.push(keeps);
      if (keeps) ++kept;
      // Its own label is said in the page's language, but not inside of what is kept.
      if (kept > (keeps ? 1 : 0)) return piece;
    }
    return piece.replace(
      /\s(aria-label|placeholder|data-says)="([^"]+)"/g,
      (_, name, text) => ` ${name}="${said(text)}"`,
    );
  });
}

// Punctuation of a language that is written with wide characters (`wide = true` in its language.toml): commas, colons and their
// like are wide, unless they stand between numbers or between words in Latin letters.
const WIDE = {',': '\uff0c', ';': '\uff1b', ':': '\uff1a', '?': '\uff1f', '!': '\uff01'};
const OPEN = '\uff08',
  CLOSE = '\uff09';
const HAN = /\p{Script=Han}/u;
const KEPT =
  /^<!--.*-->$|^(?:because|caption|title|unit|rows|x-title|y-title):|\b\w+(?:::\w+)+|`+[^`]*`+|\{\{[^}]*\}\}|\$[^$]*\$|\]\([^)\s]*\)|\^(?=\[)|^\|? *:?-+:?(?= *\|)/gm;
const HELD = '\ue000';
const SPACED =
  /[\uff0c\u3002\uff1b\uff1a\uff1f\uff01\u3001] [^\s|]|[^\s|] [\uff0c\u3002\uff1b\uff1a\uff1f\uff01\u3001]/;

// A pair of brackets is wide when it has such a character inside, or stands behind one.
function brackets(text) {
  const out = [...text];
  const open = [];
  out.forEach((one, i) => {
    if (one === '(') open.push(i);
    if (one !== ')' || open.length === 0) return;
    const from = open.pop();
    const before = out.slice(0, from).join('').replace(/[*]+$/, '').at(-1) ?? '';
    if (!HAN.test(out.slice(from, i).join('')) && !HAN.test(before)) return;
    out[from] = OPEN;
    out[i] = CLOSE;
  });
  return out.join('');
}

const marks = (text) =>
  text.replace(/[,;:?!]/g, (mark, at) => {
    const before = text.slice(0, at).trimEnd().replace(/[*]+$/, '').at(-1) ?? '';
    const after = text.slice(at + 1).replace(/^[ *]+/, '')[0] ?? '';
    const isLatin = (one) => /^[!-~\u2026]$/.test(one);
    const isNumber = /\d/.test(before) && /\d/.test(text[at + 1] ?? '');
    const stays = isNumber || (isLatin(before) && isLatin(after) && text[at + 1] === ' ');
    return stays ? mark : WIDE[mark];
  });

export const widened = (text) =>
  text
    .split('\n')
    .map((line) => {
      if (!HAN.test(line)) return line;
      const held = [];
      const bare = line.replace(KEPT, (kept) => (held.push(kept), HELD));
      return marks(brackets(bare)).replaceAll(HELD, () => held.shift());
    })
    .join('\n');

// Lines in which one space stands beside a wide mark, which has its own: then code has got a wide mark. A sketch is laid out by
// several, and a cell of a table ends with one.
export const spacedLines = (text) =>
  text.split('\n').flatMap((line, i) => {
    const bare = line.replace(/^<!--.*-->$/, '').replace(/`+[^`]*`+/g, '`');
    return SPACED.test(bare) ? [i + 1] : [];
  });

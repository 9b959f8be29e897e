// What the words of a block and of its translation must have in common: placeholders, code, maths, links, margin notes, items
// of a list, and the numbers that stand in the text; and the words of the glossary.
import {bare} from './blocks.js';

const found = (pattern) => (text) => [...text.matchAll(pattern)].map((match) => match[1]);

const placeholders = found(/\{\{(\d+)\}\}/g);
const codes = (text) => found(/(?<!`)`+([^`]+)`+/g)(text);
const formulas = (text) => found(/(?<!\\)\$([^$]+)\$/g)(text.replace(/`[^`]*`/g, ' '));
const links = found(/\]\(([^)\s]+)\)/g);
const notes = found(/(\^)\[/g);
const items = found(/^(?:[-*]|\d+\.)( )/gm);

const counted = (list) => {
  const counts = new Map();
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
};

// What one text has more often than the other.
function missing(these, those) {
  const there = counted(those);
  return [...counted(these)]
    .filter(([one, count]) => (there.get(one) ?? 0) < count)
    .map(([one]) => one);
}

// prettier-ignore
const UNITS = {
  one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10,
  eleven: 11, twelve: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17,
  eighteen: 18, nineteen: 19, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60,
  seventy: 70, eighty: 80, ninety: 90, hundred: 100, thousand: 1000,
  half: 2, halves: 2, twice: 2, pair: 2, pairs: 2, quarter: 4, quarters: 4, first: 1, second: 2,
  january: 1, february: 2, march: 3, april: 4, june: 6, july: 7, august: 8, september: 9,
  october: 10, november: 11, december: 12, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, once: 1, both: 2,
};
const SCALES = {million: 1e6, billion: 1e9, thousand: 1e3, hundred: 100};

const plainNumber = (text) => text.replaceAll(',', '').replace(/\.$/, '');
const SCALED = /(\d[\d,]*(?:\.\d+)?) ?(thousand|million|billion|\u4e07|\u4ebf)/g;
const TIMES = {thousand: 1e3, million: 1e6, billion: 1e9, '\u4e07': 1e4, '\u4ebf': 1e8};
const digits = (text) =>
  [
    ...bare(text)
      .replace(SCALED, (_, number, scale) =>
        String(Math.round(Number(number.replaceAll(',', '')) * TIMES[scale])),
      )
      .matchAll(/(?<![A-Za-z\d_.])\d[\d,]*(?:\.\d+)?/g),
  ].map(([one]) => plainNumber(one.replace(/,$/, '')));

// Numbers that the English says in words: a translation may write them in digits.
function spelled(text) {
  const words =
    bare(text)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return words.flatMap((word, i) => {
    const value = UNITS[word] ?? UNITS[word.replace(/s$/, '')];
    if (value === undefined) return [];
    const next = UNITS[words[i + 1]];
    const scale = SCALES[words[i + 1]];
    return [
      value,
      ...(scale ? [value * scale] : []),
      ...(value >= 20 && next < 10 ? [value + next] : []),
    ].map(String);
  });
}

function numberProblems(words, text) {
  const own = digits(words),
    theirs = digits(text);
  const known = new Set([...own, ...spelled(words)]);
  return [
    ...[...new Set(own)]
      .filter((one) => !theirs.includes(one))
      .map((one) => `the number ${one} is missing`),
    ...[...new Set(theirs)]
      .filter((one) => !known.has(one))
      .map((one) => `the English has no number ${one}`),
  ];
}

// Everything wrong with the words of a translated block, as sentences.
export function inlineProblems(words, text, glossary) {
  if (/\{\{=/.test(text)) return ['an expression stands in the English alone: {{1}} is its place'];
  const same = (what, list) => [
    ...missing(list(words), list(text)).map((one) => `${what} ${one} is missing`),
    ...missing(list(text), list(words)).map((one) => `the English has no ${what} ${one}`),
  ];
  const alike = (what, list) => same(what, (one) => [...new Set(list(one))]);
  const asMany = (what, list) =>
    list(words).length === list(text).length
      ? []
      : [`${list(words).length} ${what} in English, and ${list(text).length} here`];
  return [
    ...same('placeholder', placeholders).map((one) =>
      one.replace(/(placeholder) (\d+)/, '$1 {{$2}}'),
    ),
    ...alike('code', codes),
    ...alike('formula', formulas),
    ...same('link to', links),
    ...asMany('margin notes', notes),
    ...asMany('items', items),
    ...numberProblems(words, text),
    ...(glossary?.problemsOf(words, text) ?? []),
  ];
}

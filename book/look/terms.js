// The terms of a text for the search. Where words have no spaces between them (Chinese, Japanese), each two neighbouring
// characters are a term: what contains all pairs of a question contains, as good as always, the question.
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const BETWEEN = /[\n\r\p{Z}\p{P}]+/u;

export const isWide = (text) => /\p{Script=Han}/u.test(text);

const pairs = (run) => {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => letters[i] + letter);
};

export const termsOf = (text) => {
  const wide = (text.match(WIDE) ?? []).flatMap(pairs);
  return [...text.replace(WIDE, ' ').split(BETWEEN).filter(Boolean), ...wide];
};

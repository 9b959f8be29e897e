// The words of a language: chapters/LANGUAGE/glossary.csv.
//
//   english    the term, with ; between several forms
//   word       how it is said, with ; between several
//   held       "yes": where the English has the term, the translation has the word
//   never      what must not be said for it, with ; between; between slashes a regular expression, for which a placeholder is 0
//
// In a language that is not written in Latin letters, a Latin word in the text has to be one of the words: so that no term slips
// through untranslated.
import {bare} from './blocks.js';
import {parseCsv} from '../tables.js';

const list = (text) =>
  text
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
const isPattern = (text) => /^\/.+\/$/.test(text);
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// Without the keys of questions and figures, what is quoted, titles of books, and a term that is given once in brackets.
const ownWords = (text) =>
  bare(text)
    .replace(/^(?:because|caption|title|unit|rows|x-title|y-title):/gm, ' ')
    .replace(
      /"[^"]*"|\u201c[^\u201d]*\u201d|\u300a[^\u300b]*\u300b|\uff08[A-Za-z \u3001-]+\uff09/g,
      ' ',
    );

export class Glossary {
  constructor(csv, isLatin = false) {
    this.isLatin = isLatin;
    this.terms = parseCsv(csv).map(({english, word, held, never}) => ({
      english,
      pattern: new RegExp(
        `(?<![\\w-])(?:${list(english).map(literal).join('|')})(?:e?s)?(?![\\w-])`,
        'i',
      ),
      words: list(word),
      isHeld: held === 'yes',
      never: list(never).map(
        (one) => new RegExp(isPattern(one) ? one.slice(1, -1) : literal(one), 'g'),
      ),
    }));
    this.latin = new Set(
      this.terms.flatMap(({words}) =>
        words.flatMap((word) => word.match(/[A-Za-z][\w+#]*/g) ?? []),
      ),
    );
  }

  // Whether a Latin word is the English for one of the terms, and none of this language's.
  knows(word) {
    return !this.latin.has(word) && this.terms.some(({pattern}) => pattern.test(word));
  }

  // What is called otherwise than here, or must not be said: `words` is the English.
  termProblems(words, text) {
    const english = bare(words).replace(/\*[A-Z][^*]* [^*]*\*/g, ' '); // without titles of books
    const held = this.terms
      .filter(
        ({isHeld, pattern, words: said}) =>
          isHeld && pattern.test(english) && !said.some((one) => text.includes(one)),
      )
      .map(
        ({english: term, words: said}) => `"${list(term)[0]}" is called ${said.join(' or ')} here`,
      );
    return [...held, ...this.neverProblems(text)];
  }

  neverProblems(text) {
    const own = ownWords(text.replace(/\{+[^{}]*\}+/g, '0'));
    return this.terms.flatMap(({never: bad, words: said}) =>
      bad
        .flatMap((pattern) => own.match(pattern)?.slice(0, 1) ?? [])
        .map((found) => `${found}: the glossary has ${said.join(' or ')}`),
    );
  }

  problemsOf(words, text) {
    const strangers = this.isLatin
      ? []
      : [...new Set(ownWords(text).match(/[A-Za-z][\w+#]*/g) ?? [])]
          .filter((word) => word.length > 1 && !this.latin.has(word))
          .map((word) => `${word} is not in the glossary`);
    return [...this.termProblems(words, text), ...strangers];
  }
}

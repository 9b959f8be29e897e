// The phrases of a language: chapters/LANGUAGE/words.toml, for pages, widgets and figures; see book/words/phrases.js.
import {load} from '../folders.js';
import {element as e, escape} from '../../drawing/html.js';
import {SKETCHES} from '../../drawing/sketches.js';
import {widgets} from '../../widgets/all.js';
import {staticWidget} from '../../widgets/frame/frame.js';
import {inWords, phraseBook} from '../../words/phrases.js';
import {openers} from '../openers.js';
import {glossaryOf, textsOf} from './languages.js';

// Somebody's own course may add to the phrases of this one.
function tableOf(language) {
  const tables = textsOf(language, 'words.toml').map((text) => load('smol-toml').parse(text));
  const names = new Set(tables.flatMap(Object.keys));
  return Object.fromEntries(
    [...names].map((name) => [name, Object.assign({}, ...tables.map((table) => table[name]))]),
  );
}
// What stands between sentences, and at the beginning of what goes on with one.
const WIDE = {'.': '\u3002', ',': '\uff0c', ';': '\uff1b', ':': '\uff1a'};
const punctuationOf = ({wide}) => (wide ? {joint: '', marks: WIDE} : {joint: ' '});

// {find, table, isName}: `find` is a function from an English phrase to that of the language, or undefined; `isName`: whether a text
// that is not found is right as it is, since it has letters of the language, or nothing but names of its glossary.
export function phrasesOf(language) {
  const table = Object.assign({}, ...Object.values(tableOf(language)));
  const {latin} = glossaryOf(language);
  const isName = (text) =>
    (!language.latin && /(?!\p{Script=Latin})\p{L}/u.test(text)) ||
    (text.replace(/\u300a[^\u300b]*\u300b/g, '').match(/[A-Za-z][\w+#]*/g) ?? []).every(
      (word) => word.length === 1 || latin.has(word),
    );
  return {table, isName, find: phraseBook(table, punctuationOf(language))};
}

// The same for a page: those that widgets and the page's script may need.
export function wordsScript(language) {
  const {live} = tableOf(language);
  return `window.bookWords = ${JSON.stringify({table: live ?? {}, ...punctuationOf(language)})};\n`;
}

// The phrases of widgets as they are at first and of their fields, of sketches, and of the pictures above chapters, that a language has not.
export function phrasesMissing(language) {
  const {find, isName} = phrasesOf(language);
  const missed = new Set();
  const pieces = [
    ...Object.values(widgets).map((widget) => staticWidget(widget, {})),
    ...Object.values(widgets).flatMap(({fields}) =>
      fields.flatMap(({options = {}}) =>
        Object.values(options).map((one) => e('p', {}, escape(one))),
      ),
    ),
    ...Object.values(SKETCHES).map((draw) => draw()),
    ...openers(),
  ];
  for (const html of pieces) inWords(html, find, (text) => isName(text) || missed.add(text));
  return [...missed];
}

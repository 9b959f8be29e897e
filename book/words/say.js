// The words of a page that is alive: the page's own script `words.js`, which pages in another language have, sets the table.
import {inWords, phraseBook} from './phrases.js';

const words = globalThis.bookWords;
const find = words ? phraseBook(words.table, words) : (text) => text;

// A phrase, and HTML with all its phrases, in the language of the page.
export const say = (english) => find(english) ?? english;
export const sayAll = (html) => (words ? inWords(html, find) : html);

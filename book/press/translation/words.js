// The phrases of a language: chapters/LANGUAGE/words.toml, for pages, widgets and figures; see book/words/phrases.js.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {load} from '../folders.js';
import {phraseBook} from '../../words/phrases.js';

const tableOf = ({folder}) => {
  const path = join(folder, 'words.toml');
  return existsSync(path) ? load('smol-toml').parse(readFileSync(path, 'utf8')) : {};
};
const jointOf = ({wide}) => (wide ? '' : ' ');

// {find, table}: `find` is a function from an English phrase to that of the language, or undefined.
export function phrasesOf(language) {
  const table = Object.assign({}, ...Object.values(tableOf(language)));
  return {table, find: phraseBook(table, jointOf(language))};
}

// The same for a page: those that widgets and the page's script may need.
export function wordsScript(language) {
  const {live} = tableOf(language);
  return `window.bookWords = ${JSON.stringify({table: live ?? {}, joint: jointOf(language)})};\n`;
}

// The search engine over documents.js, loaded when the search box is first used.
import MiniSearch from 'minisearch';
import {engineOf, found} from './search_engine.js';
import {isWide} from './terms.js';

const engine = engineOf(MiniSearch, window.bookDocuments);

// What to show of a hit: the words asked for as they stand there, else the terms that were found.
function hitsOf(asked, terms, text) {
  const whole = asked.split(/\s+/).filter((word) => isWide(word) && text.includes(word));
  return whole.length > 0 ? whole : terms.length > 0 ? terms : [asked];
}

const patternOf = (terms) =>
  new RegExp(
    `(${[...terms]
      .sort((a, b) => b.length - a.length)
      .map((term) => term.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
      .join('|')})`,
    'i',
  );

// A text as [part, whether it is a hit].
const marked = (text, pattern) => text.split(pattern).map((part, i) => [part, i % 2 === 1]);

// A piece of the text around the first hit.
function pieceAround(text, pattern) {
  const at = Math.max(0, text.search(pattern));
  // Where words have spaces between them, a piece begins and ends with a word.
  const isDense = isWide(text.slice(at, at + 2));
  const begin = at < 40 ? 0 : isDense ? at - 25 : text.indexOf(' ', at - 40) + 1;
  const end = begin + (isDense ? 80 : 140);
  const last = text.length <= end ? text.length : isDense ? end : text.lastIndexOf(' ', end);
  const piece = text.slice(begin, last > begin ? last : end);
  return `${begin > 0 ? '… ' : ''}${piece}${last < text.length ? ' …' : ''}`;
}

window.searchBook = (asked) =>
  found(engine, asked)
    .slice(0, 8)
    .map(({title, page, address, terms, text}) => {
      const pattern = patternOf(hitsOf(asked, terms, text));
      return {
        title,
        page,
        address,
        titleParts: marked(title, patternOf(hitsOf(asked, terms, title))),
        piece: marked(pieceAround(text, pattern), pattern),
      };
    });

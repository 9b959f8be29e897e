// The search engine over documents.js, loaded when the search box is first used.
import MiniSearch from 'minisearch';

const engine = new MiniSearch({
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'address', 'text'],
  searchOptions: {
    boost: {title: 4, page: 2},
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
});
engine.addAll(window.bookDocuments);

// A piece of the text around the first hit, as [text, whether it is a hit].
function pieceAround(text, terms) {
  const pattern = new RegExp(
    `(${terms
      .map((term) => term.replace(/[^\w]/g, '\\$&'))
      .sort((a, b) => b.length - a.length)
      .join('|')})`,
    'i',
  );
  const at = Math.max(0, text.search(pattern));
  const begin = at < 40 ? 0 : text.indexOf(' ', at - 40) + 1;
  const last = text.length <= begin + 140 ? text.length : text.lastIndexOf(' ', begin + 140);
  const piece = text.slice(begin, last > begin ? last : begin + 140);
  return `${begin > 0 ? '… ' : ''}${piece}${last < text.length ? ' …' : ''}`
    .split(pattern)
    .map((part, i) => [part, i % 2 === 1]);
}

window.searchBook = (asked) =>
  engine
    .search(asked)
    .slice(0, 8)
    .map((one) => ({
      title: one.title,
      page: one.page,
      address: one.address,
      piece: pieceAround(one.text, one.terms.length ? one.terms : [asked]),
    }));

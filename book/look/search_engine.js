// What the search finds: an engine over the documents of documents.js, and how its hits are ranked. It is given MiniSearch, so
// that a page and a test use the same.
import {isWide, termsOf} from './terms.js';

// Chapters teach; the pages after them look back. A page of words leads to the others, and is no answer itself.
const rankOf = (address) =>
  /^\d\d_/.test(address) ? 1 : /^(glossary|topics|errata)\.html/.test(address) ? 0.15 : 0.4;

export function engineOf(MiniSearch, documents) {
  const engine = new MiniSearch({
    fields: ['title', 'page', 'names', 'text'],
    storeFields: ['title', 'page', 'address', 'names', 'text'],
    tokenize: termsOf,
    searchOptions: {
      boost: {title: 4, page: 2, names: 6},
      boostDocument: (id, term, {address}) => rankOf(address),
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  engine.addAll(documents);
  return engine;
}

// Without what differs in writing alone: "Tensor Cores" and "tensor core", "cp.async" and "cp async".
const plain = (text) =>
  termsOf(text.toLowerCase())
    .join(' ')
    .replace(/(\p{L}{3,})s\b/gu, '$1');

// Best first. A section that is called what was asked for, in its glossary's names, comes before all others; and what has wide
// characters as they were asked for before what has only their pairs.
export function found(engine, asked) {
  const wanted = plain(asked);
  const isCalled = ({names}) => names?.split('\n').some((name) => plain(name) === wanted);
  const isWhole = ({title, names, text}) =>
    isWide(asked) && [title, names, text].some((one) => one?.includes(asked));
  return engine.search(asked).sort((a, b) => isCalled(b) - isCalled(a) || isWhole(b) - isWhole(a));
}

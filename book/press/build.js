// The two halves of a build. writePages: Markdown and finished HTML from the chapters. bindBook: Doxygen's pages, the
// HTML, contents, search, styles and scripts as the book.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {book, buildFolder, isOwn, load} from './folders.js';
import {label} from './expand.js';
import {
  chapterPage,
  classPage,
  contentOf,
  playgroundPage,
  referencePage,
  wholeBook,
} from './pages.js';
import {demoPrograms, playgroundDocument, programsScript} from './playground.js';
import {searchDocuments} from './search_documents.js';
import {languages} from './translation/languages.js';
import {phrasesOf, wordsScript} from './translation/words.js';

const pagesFolder = () => join(buildFolder(), 'pages');

export function writePages(pages) {
  rmSync(pagesFolder(), {recursive: true, force: true});
  mkdirSync(pagesFolder(), {recursive: true});
  for (const page of pages) writeFileSync(join(pagesFolder(), `${label(page)}.md`), page.markdown);
  writeFileSync(
    join(buildFolder(), 'pages.json'),
    JSON.stringify(pages.map(({markdown, ...rest}) => rest)),
  );
}

const isReference = (name) =>
  /^((class|struct|namespace|union).+|.+_8hpp|files|namespaces|annotated|functions)\.html$/.test(
    name,
  ) && !name.endsWith('-members.html');

// The colours that a reader chooses are also those of a system that is dark, unless the reader chose light.
const darkSystem = {
  name: 'dark system',
  setup: ({onLoad}) =>
    onLoad({filter: /dark\.css$/}, ({path}) => {
      const chosen = readFileSync(path, 'utf8');
      const system = chosen.replace("[data-theme='dark']", ":not([data-theme='light'])");
      return {loader: 'css', contents: `${chosen}@media (prefers-color-scheme: dark) {${system}}`};
    }),
};

// Scripts and styles are bundled, since a page from a file may load no modules.
async function bundle(to) {
  await load('esbuild').build({
    entryPoints: {
      book: join(book, 'look', 'book.js'),
      first: join(book, 'look', 'first.js'), // before anything is drawn
      live: join(book, 'live', 'live.js'), // on pages that `./course serve` serves, with live.css
      look: join(book, 'look', 'look.css'),
      search: join(book, 'look', 'search.js'),
    },
    outdir: to,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2021',
    nodePaths: [join(buildFolder(), 'node_modules')],
    loader: {'.woff2': 'file', '.woff': 'empty', '.ttf': 'empty'},
    assetNames: 'fonts/[name]',
    logLevel: 'warning',
    plugins: [darkSystem],
  });
}

const write = (folder, name, text) => writeFileSync(join(folder, name), text);

// The pages of one language, its search, and all of it on one page for the PDF.
function bindLanguage(pages, to, of) {
  mkdirSync(to, {recursive: true});
  for (const page of pages) write(to, `${page.name}.html`, chapterPage(page, pages, of));
  write(to, 'playground.html', playgroundPage(of.programs, pages, of));
  write(to, 'class.html', classPage(pages, of));
  write(to, 'whole.html', wholeBook(pages, of));
  const documents = [...searchDocuments(pages, of.english), playgroundDocument(of.find)];
  write(to, 'documents.js', `window.bookDocuments = ${JSON.stringify(documents)};\n`);
}

// Prints phrases that a language has not; a book for release is not made without them.
export async function bindBook() {
  const to = join(buildFolder(), 'html');
  const from = join(buildFolder(), 'doxygen', 'html');
  const all = JSON.parse(readFileSync(join(buildFolder(), 'pages.json'), 'utf8'));
  rmSync(to, {recursive: true, force: true});
  mkdirSync(isOwn ? to : join(to, 'reference'), {recursive: true});
  for (const page of all)
    page.content = contentOf(readFileSync(join(from, `${label(page)}.html`), 'utf8'), page);
  const pages = all.filter(({code}) => code === undefined);
  const others = languages();
  const programs = demoPrograms();
  bindLanguage(pages, to, {languages: others, programs});
  write(to, 'programs.js', programsScript(programs));
  const missed = new Set();
  for (const language of others) {
    const {find, isName} = phrasesOf(language);
    const miss = (text) => isName(text) || missed.add(`${language.code}: no words for "${text}"`);
    const own = all.filter(({code}) => code === language.code);
    bindLanguage(own, join(to, language.code), {
      language,
      english: pages,
      languages: others,
      programs,
      find,
      missed: miss,
    });
    write(join(to, language.code), 'words.js', wordsScript(language));
  }
  // Its grader is this course's, and described in this course's book.
  const reference = isOwn ? [] : readdirSync(from).filter(isReference);
  for (const name of reference) {
    const html = readFileSync(join(from, name), 'utf8');
    write(
      join(to, 'reference'),
      name,
      referencePage(html, name, reference, pages, {languages: others}),
    );
  }
  await bundle(to);
  if (!existsSync(join(to, 'index.html')))
    copyFileSync(join(to, `${pages[0].name}.html`), join(to, 'index.html'));
  for (const one of missed) console.log(`warning: ${one}`);
  if (process.env.COURSE_BOOK_RELEASE && missed.size > 0)
    throw new Error('a book for release has all its words in each language');
}

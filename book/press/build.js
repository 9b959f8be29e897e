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
import {book, buildFolder, load} from './folders.js';
import {label} from './expand.js';
import {chapterPage, contentOf, referencePage, wholeBook} from './pages.js';
import {searchDocuments} from './search_documents.js';

const pagesFolder = () => join(buildFolder(), 'pages');

export function writePages(pages) {
  rmSync(pagesFolder(), {recursive: true, force: true});
  mkdirSync(pagesFolder(), {recursive: true});
  for (const page of pages) writeFileSync(join(pagesFolder(), page.file), page.markdown);
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

export async function bindBook() {
  const to = join(buildFolder(), 'html');
  const from = join(buildFolder(), 'doxygen', 'html');
  const pages = JSON.parse(readFileSync(join(buildFolder(), 'pages.json'), 'utf8'));
  rmSync(to, {recursive: true, force: true});
  mkdirSync(join(to, 'reference'), {recursive: true});
  for (const page of pages)
    page.content = contentOf(readFileSync(join(from, `${label(page.name)}.html`), 'utf8'), page);
  for (const page of pages) writeFileSync(join(to, `${page.name}.html`), chapterPage(page, pages));
  writeFileSync(join(to, 'whole.html'), wholeBook(pages));
  const reference = readdirSync(from).filter(isReference);
  for (const name of reference)
    writeFileSync(
      join(to, 'reference', name),
      referencePage(readFileSync(join(from, name), 'utf8'), name, reference, pages),
    );
  writeFileSync(
    join(to, 'documents.js'),
    `window.bookDocuments = ${JSON.stringify(searchDocuments(pages))};\n`,
  );
  await bundle(to);
  if (!existsSync(join(to, 'index.html')))
    copyFileSync(join(to, `${pages[0].name}.html`), join(to, 'index.html'));
}

// Pages of the book from Doxygen's: the finished HTML in place of its tokens, and the frame around it. Over 400 lines, as a
// frame is many small parts, each used once.
import {element as e, escape} from '../drawing/html.js';
import {plural} from '../widgets/frame/frame.js';
import {inWords} from '../words/phrases.js';
import {answersAtTheEnd} from './answers.js';
import {CARDS} from './blocks.js';
import {isOwn} from './folders.js';
import {movedFrom} from './moved.js';
import {openerHtml} from './openers.js';
import {CLASS_TITLE, classMain} from './class_page.js';
import {playgroundMain} from './playground.js';

const BOOK_TITLE = 'CUDA shared memory';
const PLAYGROUND = 'playground'; // a page that is no chapter: not in the walk, the search and the PDF
const isIndex = ({name}) => name === 'index';
// Somebody's own course is called as its introduction, or else as its first chapter.
const bookTitle = (pages) => (isOwn ? escape((pages.find(isIndex) ?? pages[0]).title) : BOOK_TITLE);

// Doxygen's text of a page with the tokens replaced. Its sections are h1 below the title: here h2 and h3.
export function contentOf(html, page) {
  const begin = html.indexOf('<div class="textblock">'),
    end = html.indexOf('</div></div><!-- contents -->');
  if (begin < 0 || end < 0) throw new Error(`${page.file}: Doxygen's page has no text`);
  const token = /TOKEN(\d+)NEKOT/;
  let text = html
    .slice(begin + '<div class="textblock">'.length, end)
    .replace(/<a class="anchor" id="md_[^"]*"><\/a>\s*/g, '')
    .replace(
      /<h([123])><a class="anchor" id="[^"]*?--([^"]+)"><\/a>\s*([^]*?)<\/h\1>/g,
      (_, level, anchor, title) =>
        `<h${Number(level) + 1} id="${anchor}">${title.trim()} <a class="anchor" href="#${anchor}" aria-label="link to this section">#</a></h${Number(level) + 1}>`,
    )
    .replace(/<p[^>]*>\s*(TOKEN\d+NEKOT)\s*<\/p>/g, '$1')
    .replace(/<p >/g, '<p>')
    .replace(
      /<(table|tr|th|td) class="markdownTable(?:Head|Body|Row\w+)?(Right|Center|Left|None)?"/g,
      (_, tag, side) =>
        `<${tag}${side === 'Right' || side === 'Center' ? ` class="${side.toLowerCase()}"` : ''}`,
    )
    .replace(
      /<th class="markdownTableHead(Right|Center|Left|None)"/g,
      (_, side) => `<th class="${side.toLowerCase()}"`,
    )
    .replace(
      /<td class="markdownTableBody(Right|Center|Left|None)"/g,
      (_, side) => `<td class="${side.toLowerCase()}"`,
    )
    .replace(/<table>/g, '<div class="scroll" tabindex="0" role="group" aria-label="table"><table>')
    .replace(/<\/table>/g, '</table></div>');
  const used = new Set();
  while (token.test(text))
    text = text.replace(new RegExp(token, 'g'), (_, number) => {
      used.add(Number(number));
      return page.html[number];
    });
  if (used.size !== page.html.length)
    throw new Error(`${page.file}: Doxygen dropped ${page.html.length - used.size} pieces`);
  return text;
}

// A link to a chapter that is not written yet is plain text; the press has said so.
const withoutDeadLinks = (html, pages) =>
  html.replace(/<a href="(\w+)\.html[^"]*">([^]*?)<\/a>/g, (link, name, inner) =>
    name === 'index' || pages.some((page) => page.name === name) ? link : inner,
  );

const numberOf = (page) => (/^\d/.test(page.name) ? Number(page.name.slice(0, 2)) : undefined);

// The exercises of other chapters' labs that a page sets: live.js looks for all others in the chapter of their lab.
const setForOthers = ({name, exercises = []}) =>
  exercises.filter((id) => !id.startsWith(`${name}/`)).join(' ') || undefined;

function contents(pages, current, {up, home}) {
  const items = pages.map((page, i) => {
    const isHere = page === current;
    const number = numberOf(page);
    const isAfter = number === undefined && i > 0 && numberOf(pages[i - 1]) !== undefined;
    const sections = isHere && page.sections.filter((section) => section.level === 2);
    return e(
      'li',
      {class: [isHere && 'here', isAfter && 'after'].filter(Boolean).join(' ') || undefined},
      e(
        'a',
        {
          href: `${home}${page.name}.html`,
          'aria-current': isHere && 'page',
          'data-exercises': setForOthers(page),
        },
        e('span', {class: 'number'}, number ?? ''),
        e('span', {lang: langOf(page)}, escape(page.title)),
      ),
      sections?.length > 0 &&
        e(
          'ol',
          {class: 'sections'},
          sections.map((section) =>
            e(
              'li',
              {},
              e(
                'a',
                {href: `#${section.anchor}`, lang: langOf(page)},
                section.title.replace(/<\/?a[^>]*>/g, ''),
              ),
            ),
          ),
        ),
    );
  });
  const isReference = current === null;
  const isPlayground = current?.name === PLAYGROUND;
  return e(
    'nav',
    {class: 'contents', 'aria-label': 'Contents'},
    e(
      'ol',
      {class: 'chapters'},
      items,
      e(
        'li',
        {class: isPlayground ? 'after here' : 'after'},
        e(
          'a',
          {href: `${home}${PLAYGROUND}.html`, 'aria-current': isPlayground && 'page'},
          e('span', {class: 'number'}),
          e('span', {}, 'Playground'),
        ),
      ),
      !isOwn &&
        e(
          'li',
          {class: isReference && 'here'},
          e(
            'a',
            {href: `${up}reference/files.html`, 'aria-current': isReference && 'page'},
            e('span', {class: 'number'}),
            e('span', {}, 'Reference'),
          ),
        ),
    ),
  );
}

const search = (id) =>
  e(
    'div',
    {class: 'search', hidden: true},
    e('label', {for: id, class: 'unseen'}, 'Search the book'),
    e('input', {
      type: 'search',
      id,
      placeholder: 'Search  /',
      autocomplete: 'off',
      'aria-controls': `${id}-found`,
    }),
    e('div', {class: 'found', id: `${id}-found`, 'aria-live': 'polite', hidden: true}),
  );

// What a page in another language says of a page that is still in English.
const langOf = ({isEnglish}) => isEnglish && 'en';

// The same page in each of the other languages: `others` are {code, name, tag}, the book's own language without a code.
const switches = ({others, up, name}) =>
  others.map(({code, name: title, tag}) =>
    e(
      'a',
      {
        class: 'language',
        href: `${up}${code ? `${code}/` : ''}${name}.html`,
        hreflang: tag,
        lang: tag,
        'data-code': code ?? 'en',
      },
      title,
    ),
  );

// An emphasised word in Latin letters is no word of a language that has others: it is slanted, where that one has dots.
const withLatinWords = (html, language) =>
  language && !language.latin
    ? html.replace(/<em>([ -~]*[A-Za-z][ -~]*)<\/em>/g, '<em lang="en">$1</em>')
    : html;

// The frame of every page. `up` leads from the page to the book's folder, `home` to that of its language. `languages`: all that
// the book is in; `language`: that of the page, if it is not English.
function frame({
  title,
  up = '',
  home = '',
  pages,
  current,
  main,
  kind,
  language,
  languages = [],
  script,
}) {
  const list = contents(pages, current, {up, home});
  const others = [
    ...(language ? [{name: 'English', tag: 'en'}] : []),
    ...languages.filter(({code}) => code !== language?.code),
  ];
  const name = current?.name ?? 'index';
  const hasCounterpart = Boolean(current);
  const alternates =
    hasCounterpart && !language
      ? others.map(({code, tag}) =>
          e('link', {rel: 'alternate', hreflang: tag, href: `${up}${code}/${name}.html`}),
        )
      : [];
  return `<!doctype html>
<html lang="${language?.tag ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title${current?.isEnglish ? ' lang="en"' : ''}>${escape(title)}</title>
<link rel="stylesheet" href="${up}look.css">
<link rel="icon" href="data:,">
${alternates.join('\n')}
<script src="${up}first.js"></script>
</head>
<body class="${kind}" data-up="${up}" data-home="${home}">
<a class="skip" href="#text">Skip to the text</a>
<header class="masthead">
<details class="menu"><summary aria-label="Contents"><span aria-hidden="true">☰</span></summary>${list}</details>
<a class="book-title" href="${home}index.html">${bookTitle(pages)}</a>
${search('find')}
${switches({others, up, name}).join('')}
<button type="button" class="theme" hidden>Dark</button>
</header>
<div class="sheet">
<div class="side">${list.replace('aria-label="Contents"', 'aria-label="Contents, at the side"')}</div>
<main id="text" tabindex="-1">${withLatinWords(main, language)}</main>
</div>
${language ? `<script src="${home}words.js"></script>` : ''}
${script ? `<script src="${up}${script}"></script>\n` : ''}<script src="${up}book.js"></script>
</body>
</html>
`;
}

function origins(page) {
  const tables = new Map();
  for (const {source} of page.origins) if (source) tables.set(source.table, source);
  if (page.origins.length === 0) return '';
  const hasModel = page.origins.some(({source}) => !source);
  return e(
    'section',
    {class: 'origins', 'aria-labelledby': 'origins'},
    e('h2', {id: 'origins'}, 'Where the numbers come from'),
    e(
      'ul',
      {},
      [...tables.values()].map((source) =>
        e(
          'li',
          {},
          e('strong', {lang: 'en'}, escape(source.device)),
          e('span', {lang: 'en'}, `, ${escape(source.date)}: `),
          e('code', {}, escape(source.file)),
          e('span', {lang: 'en'}, `. ${escape(source.command)}.`),
        ),
      ),
      hasModel &&
        e(
          'li',
          {},
          e('strong', {}, 'The model'),
          ' of ',
          e('code', {}, 'grader/device/model'),
          ', which gives the measured counts of all 552 patterns in ',
          e('code', {}, 'grader/device/model/data'),
          '.',
        ),
    ),
  );
}

// "4 exercises, 6 questions", of a page that has any.
function workOf(page) {
  const work = [
    page.exercises.length > 0 && plural(page.exercises.length, 'exercise'),
    page.questions > 0 && plural(page.questions, 'question'),
  ].filter(Boolean);
  return work.join(', ');
}

function chapterHead(page) {
  const number = numberOf(page);
  const work = number !== undefined && workOf(page);
  return e(
    'header',
    {class: `head ${page.name === 'index' ? 'cover' : ''}`.trim()},
    openerHtml(page.name),
    e(
      'div',
      {},
      number !== undefined && e('p', {class: 'number'}, `Chapter ${number}`),
      e('h1', {lang: langOf(page)}, escape(page.title)),
      page.lead && e('p', {class: 'lead', lang: langOf(page)}, page.lead),
      work && e('p', {class: 'work'}, work),
    ),
  );
}

// {{contents …}}: the numbered chapters, each with its question.
const cardsOf = (pages) =>
  e(
    'ol',
    {class: 'cards'},
    pages
      .filter((page) => numberOf(page) !== undefined)
      .map((page) =>
        e(
          'li',
          {},
          e(
            'a',
            {href: `${page.name}.html`},
            e('span', {class: 'number'}, numberOf(page)),
            e('strong', {lang: langOf(page)}, escape(page.title)),
          ),
          e('p', {lang: langOf(page)}, page.lead),
          e('p', {class: 'work'}, workOf(page)),
        ),
      ),
  );

function pager(page, pages) {
  const at = pages.indexOf(page);
  const link = (to, rel, word) =>
    to
      ? e(
          'a',
          {href: `${to.name}.html`, rel},
          e('span', {}, word),
          e('strong', {lang: langOf(to)}, escape(to.title)),
        )
      : e('span', {});
  return e(
    'nav',
    {class: 'pager', 'aria-label': 'Previous and next'},
    link(pages[at - 1], 'prev', 'Previous'),
    link(pages[at + 1], 'next', 'Next'),
  );
}

// The body of a chapter; of one that is still in English among others, a remark first. `after` makes of its text what follows it.
const bodyOf = (page, pages, after = () => '') =>
  [
    page.isEnglish && e('p', {class: 'remark'}, 'This page is not translated yet.'),
    page.isEnglish
      ? e('div', {class: 'english', lang: 'en'}, textOf(page, pages))
      : textOf(page, pages),
    after(page.content),
    origins(page),
  ]
    .filter(Boolean)
    .join('');
const textOf = (page, pages) =>
  withoutDeadLinks(page.content, pages).replace(CARDS, () => cardsOf(pages));

// `of`: {language, languages, find, missed}: the page's language, if it is not English, and its phrases.
const localised = (html, {find, missed}) => (find ? inWords(html, find, missed) : html);
const titleIn = (pages, {find}) => (isOwn ? bookTitle(pages) : (find?.(BOOK_TITLE) ?? BOOK_TITLE));
const placeOf = ({language}) => (language ? {up: '../'} : {});

export function chapterPage(page, pages, of = {}) {
  const moved = movedFrom(page, pages);
  const said = Object.keys(moved).length > 0 ? {'data-moved': JSON.stringify(moved)} : {};
  const main = e('article', said, chapterHead(page), bodyOf(page, pages)) + pager(page, pages);
  const html = frame({
    ...placeOf(of),
    ...of,
    title: page.name === 'index' ? titleIn(pages, of) : `${page.title} · ${titleIn(pages, of)}`,
    pages,
    current: page,
    main,
    kind: 'chapter',
  });
  return localised(html, of);
}

export function playgroundPage(programs, pages, of = {}) {
  const title = of.find?.('Playground') ?? 'Playground';
  const html = frame({
    ...placeOf(of),
    ...of,
    title: `${title} · ${titleIn(pages, of)}`,
    pages,
    current: {name: PLAYGROUND, sections: []},
    main: playgroundMain(programs, pages),
    kind: 'play',
    script: 'programs.js',
  });
  return localised(html, of);
}

export function classPage(pages, of = {}) {
  const title = of.find?.(CLASS_TITLE) ?? CLASS_TITLE;
  const html = frame({
    ...placeOf(of),
    ...of,
    title: `${title} · ${titleIn(pages, of)}`,
    pages,
    current: {name: 'class', sections: []},
    main: classMain(),
    kind: 'play',
  });
  return localised(html, of);
}

// All chapters on one page, for the PDF. Anchors get their chapter's name, so that they stay unique.
export function wholeBook(pages, of = {}) {
  const main = pages.map((page) =>
    e(
      'article',
      {id: page.name},
      page.name !== 'index' && chapterHead(page),
      bodyOf(page, pages, answersAtTheEnd)
        .replace(/\bid="([^"]+)"/g, `id="${page.name}-$1"`)
        .replace(/\baria-labelledby="([^"]+)"/g, `aria-labelledby="${page.name}-$1"`)
        .replace(/href="#([^"]+)"/g, `href="#${page.name}-$1"`)
        .replace(
          /href="(\w+)\.html(?:#([^"]*))?"/g,
          (_, name, anchor) => `href="#${name}${anchor ? `-${anchor}` : ''}"`,
        ),
    ),
  );
  const list = e(
    'nav',
    {class: 'printed', 'aria-label': 'Contents of the whole book'},
    openerHtml('index'),
    e('h1', {class: 'name'}, bookTitle(pages)),
    e('p', {class: 'lead'}, pages.find(isIndex)?.lead ?? ''),
    e(
      'ol',
      {},
      pages.map((page) =>
        e(
          'li',
          {},
          e('span', {class: 'number'}, numberOf(page) ?? ''),
          e(
            'a',
            {href: `#${page.name}`, lang: langOf(page)},
            escape(page.name === 'index' ? 'Before you begin' : page.title),
          ),
        ),
      ),
    ),
  );
  const html = frame({
    ...placeOf(of),
    ...of,
    title: titleIn(pages, of),
    pages,
    current: undefined,
    main: list + main.join(''),
    kind: 'whole',
  });
  return localised(html, of);
}

const LISTS = {'File List': 'Headers', 'Class List': 'Types', 'Namespace List': 'Namespaces'};
const titleOfReference = (title) =>
  LISTS[title] ??
  title
    .replace(/ Reference$/, '')
    .replace(/^(.+) (File|Struct|Class|Namespace)$/, '$1')
    .replace(/^course::\w+::/, '');

// A page of the reference: Doxygen's own text, its links kept where their target is kept.
export function referencePage(html, name, kept, pages, {languages} = {}) {
  const title = titleOfReference(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? name);
  const begin = html.indexOf('<div class="contents">'),
    end = html.indexOf('</div><!-- contents -->');
  const text = html
    .slice(begin, end)
    .replace(/<p >/g, '<p>')
    .replace(/ ?<a href="[^"]*">More\.\.\.<\/a>/g, '')
    .replace(/<div class="textblock">Here (?:is a list|are)[^<]*<\/div>/, '')
    .replace(/(<a\s[^>]*>)course::(?:\w+::)(?=\w+<)/g, '$1')
    .replace(/(<\/a>)\s*\n, /g, '$1, ')
    .replace(/<a\s[^>]*href="([^"#]+)(?:#[^"]*)?"[^>]*>([^]*?)<\/a>/g, (link, file, inner) =>
      kept.includes(file) ? link : inner,
    )
    .replace(
      /<span[^>]*class="(?:icona?|icondoc|iconf\w+|arrow)"[^>]*>/g,
      '<span class="left-out">',
    )
    .replace(/<img[^>]*>|<map[^]*?<\/map>/g, '')
    .replace(/<div class="directory">[^]*?<table/, '<div class="directory"><table')
    .replace(/ (?:align|valign|width|border|cellspacing|cellpadding|onclick|style)="[^"]*"/g, '');
  const main = e(
    'article',
    {class: 'reference'},
    e('header', {class: 'head'}, e('p', {class: 'number'}, 'Reference'), e('h1', {}, title)),
    e(
      'p',
      {class: 'places'},
      e('a', {href: 'files.html'}, 'headers'),
      ' · ',
      e('a', {href: 'annotated.html'}, 'types'),
    ),
    `${text}</div>`,
  );
  return frame({
    title: `${title} · ${BOOK_TITLE}`,
    up: '../',
    home: '../',
    languages,
    pages,
    current: null,
    main,
    kind: 'reference',
  });
}

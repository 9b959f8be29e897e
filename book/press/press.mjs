// The book's press: from chapters/*.md to Markdown for Doxygen, and from Doxygen's pages to the book.
//
//   node book/press/press.mjs check [FILE…]         every mark, number, link, exercise and word, of these chapters or all
//   node book/press/press.mjs stale LANGUAGE        what a translator has to do: blocks that are not translated, or whose
//                                                   English has changed
//   node book/press/press.mjs translate LANGUAGE FILE…    begin the translation of a chapter, or go on with it
//   node book/press/press.mjs tidy LANGUAGE         wide punctuation where it is not, in a language that has it
//   node book/press/press.mjs value EXPRESSION      what an expression in {{= … }} comes to
//   node book/press/press.mjs record [--all] [FILE…]    run the quoted commands that have no transcript, or all
//   node book/press/press.mjs expand                first half of a build, into COURSE_BOOK_BUILD/pages; with
//                                                   COURSE_BOOK_DRAFT set, it goes on without what is wrong; with
//                                                   COURSE_BOOK_RELEASE set, not with a translation that is not done
//   node book/press/press.mjs bind                  second half, into COURSE_BOOK_BUILD/html
//   node book/press/press.mjs pdf [LANGUAGE]        the whole book as COURSE_BOOK_BUILD/book.pdf, or book.zh.pdf, by Chromium
//   node book/press/press.mjs transcripts           whether the quoted commands still say the same
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readChapters, expandLanguages} from './chapters.js';
import {coverageProblems, readLists} from './coverage.js';
import {evaluate} from './expression.js';
import {exercisesIn, labs, press} from './folders.js';
import {hintsOf} from './hints.js';
import {plainProblems} from './plain.js';
import {panelsOf, wishesOf} from './trace_figure.js';
import {recordTrace, tellsTheSame, traceFile} from './traces.js';
import {
  commandOf,
  fileOf,
  inFreshCourse,
  record,
  recorded,
  run,
  saysTheSame,
  shownIn,
} from './transcripts.js';
import {documentsLeft} from './translation/documents.js';
import {labPrepared} from './translation/exercises.js';
import {chaptersIn, languageOf, languages, narrowIn} from './translation/languages.js';
import {allLabs, isOf, labsIn, translationsChecked, unfinished} from './translation/state.js';
import {prepared} from './translation/translation.js';
import {phrasesMissing} from './translation/words.js';
import {wordingProblems} from './wording.js';

function failOn(problems) {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}

// Every quotation of a command in these chapters (none named: all), found without expanding them: expanding needs the
// transcripts.
const quotations = (files = []) =>
  readChapters()
    .filter(({file}) => files.length === 0 || files.some((one) => one.endsWith(file)))
    .flatMap(({text}) =>
      [...text.matchAll(/^\{\{run\s+(.*?)\s*\}\}\s*$/gm)].map((match) => commandOf(match[1])),
    );

// What every figure of a trace wishes to be recorded, found in the same way.
const wishes = (files = []) =>
  readChapters()
    .filter(({file}) => files.length === 0 || files.some((one) => one.endsWith(file)))
    .flatMap(({text}) => [...text.matchAll(/^::: figure trace\n([^]*?)^:::/gm)])
    .flatMap(([, body]) => panelsOf(body.split('\n')).panels.flatMap(wishesOf))
    .filter((wish, i, all) => all.findIndex((one) => traceFile(one) === traceFile(wish)) === i);

// English, and each language that the command line speaks.
const spoken = () => [undefined, ...languages().filter(({catalogue}) => catalogue)];

const rangeOf = (one, language) =>
  language ? shownIn(recorded(one.command), recorded(one.command, language), one) : one;

const commandsIn = (quoted) => [...new Set(quoted.map((one) => one.command))];

// Hints that the page has in other words than the command.
function otherHints() {
  const squeezed = (text) => text.replace(/\s+/g, ' ').trim();
  const others = (id, course) =>
    hintsOf(id).flatMap((hint, i) =>
      squeezed(run(`./course hint ${id} ${i + 1}`, course)).includes(squeezed(hint))
        ? []
        : [`${id}: the page has another hint ${i + 1} than ./course hint`],
    );
  const exercises = readdirSync(labs).flatMap(exercisesIn);
  return inFreshCourse((course) => exercises.flatMap((id) => others(id, course)));
}

const indented = (text) => text.replace(/^/gm, '    ');

const commands = {
  async stale(code) {
    const language = languageOf(code);
    const chapters = chaptersIn(language, readChapters());
    for (const {file, queue} of chapters.filter((one) => one.isBegun))
      for (const {state, line, digest, was, words} of queue)
        console.log(
          `chapters/${code}/${file}:${line}: ${state}${was && was !== digest ? `, ${was} is ${digest} now` : ` ${digest}`}\n${indented(words)}`,
        );
    for (const {lab, queue} of labsIn(language).filter((one) => one.isBegun))
      for (const {state, where, digest, words} of queue)
        console.log(
          `chapters/${code}/labs/${lab}.toml: ${where}: ${state} ${digest}\n${indented(words)}`,
        );
    for (const {name, line, state, digest, was, words} of documentsLeft(language))
      console.log(
        `${name}:${line}: ${state}, ${was ?? 'of nothing'} is ${digest} now\n${indented(words)}`,
      );
    for (const phrase of phrasesMissing(language))
      console.log(`chapters/${code}/words.toml: no words for "${phrase}"`);
    for (const {file} of chapters.filter((one) => !one.isBegun)) console.log(`${file}: not begun`);
    for (const {lab} of labsIn(language).filter((one) => !one.isBegun))
      console.log(`labs/${lab}: not begun`);
  },
  async tidy(code) {
    const language = languageOf(code);
    for (const {name, tidy} of narrowIn(language)) {
      writeFileSync(join(language.folder, name), tidy);
      console.log(`chapters/${code}/${name}`);
    }
  },
  async translate(code, ...files) {
    const language = languageOf(code);
    const {folder} = language;
    const english = readChapters();
    for (const lab of files.filter((one) => one.startsWith('labs/')).map((one) => one.slice(5))) {
      if (!allLabs().includes(lab)) throw new Error(`there is no labs/${lab}`);
      mkdirSync(join(folder, 'labs'), {recursive: true});
      writeFileSync(join(folder, 'labs', `${lab}.toml`), labPrepared(language, lab));
      console.log(`chapters/${code}/labs/${lab}.toml`);
    }
    for (const file of files.filter((one) => !one.startsWith('labs/'))) {
      const text = english.find((one) => one.file === file)?.text;
      if (text === undefined) throw new Error(`there is no chapters/${file}`);
      const path = join(folder, file);
      const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
      writeFileSync(path, prepared(text, before));
      console.log(`chapters/${code}/${file}`);
    }
  },
  async check(...files) {
    const {misspelled} = await import('./spelling.js');
    const {pages: all, problems, missing} = expandLanguages();
    const pages = all.filter(({code}) => !code);
    const chapters = readChapters();
    const words = misspelled(chapters);
    const translations = translationsChecked(chapters);
    const told = [
      ...coverageProblems(chapters, readLists()),
      ...wordingProblems(chapters),
      ...plainProblems(chapters),
      ...translations.problems,
    ];
    const isAsked = (problem) =>
      files.length === 0 || files.some((file) => isOf(problem, file.replace(/^chapters\//, '')));
    failOn([...problems, ...words.problems, ...told].filter(isAsked));
    for (const one of [...missing.filter(isAsked), ...words.skipped]) console.log(one);
    if (files.length > 0) return console.log(`${files.join(', ')}: all resolves`);
    for (const one of translations.notes) console.log(one);
    console.log(
      `${pages.length} pages, ${pages.reduce((sum, page) => sum + page.origins.length, 0)} numbers, ${pages.reduce((sum, page) => sum + page.questions, 0)} questions: all resolve`,
    );
  },
  async value(text) {
    const {value, origins} = evaluate(text);
    console.log(value);
    for (const {source, text: from, value: cell} of origins)
      console.log(
        `  ${from} = ${cell}  ${source ? `${source.device}, ${source.date}` : 'the model'}`,
      );
  },
  async record(...asked) {
    const all = asked.includes('--all');
    const problems = [];
    const files = asked.filter((one) => one !== '--all');
    for (const language of spoken())
      for (const command of commandsIn(quotations(files)).filter(
        (one) => all || !existsSync(fileOf(one, language)),
      )) {
        console.log(`${language?.code ?? 'en'}: ${command}`);
        try {
          record(command, language);
        } catch (error) {
          problems.push(error.message);
        }
      }
    for (const wish of wishes(files).filter((one) => all || !existsSync(traceFile(one)))) {
      console.log(`the trace of ${wish.file}: ${wish.line}`);
      try {
        recordTrace(wish);
      } catch (error) {
        problems.push(error.message);
      }
    }
    failOn(problems);
  },
  // Only what is quoted has to stay: the rest of an output may have times in it.
  async transcripts() {
    const quoted = quotations();
    const problems = [];
    for (const language of spoken())
      for (const command of commandsIn(quoted)) {
        const now = run(command, undefined, language).replace(/\n+$/, '');
        for (const one of quoted.filter((other) => other.command === command))
          if (!saysTheSame(recorded(command, language), now, rangeOf(one, language)))
            problems.push(
              `it says something else now${language ? ` in ${language.code}` : ''}: ${command}\n  see what: ${press} record --all && git diff book/transcripts`,
            );
      }
    for (const wish of wishes())
      if (!tellsTheSame(wish))
        problems.push(`${wish.file}: its trace is another one now: ${press} record --all`);
    problems.push(...otherHints());
    failOn([...new Set(problems)]);
    console.log(
      `${commandsIn(quoted).length} commands say what the book quotes, and ${wishes().length} traces are as it draws them`,
    );
  },
  async expand() {
    const {writePages} = await import('./build.js');
    const {pages, problems, missing} = expandLanguages();
    if (process.env.COURSE_BOOK_RELEASE) failOn(unfinished(readChapters()));
    if (!process.env.COURSE_BOOK_DRAFT) failOn(problems);
    for (const one of [...problems, ...missing]) console.log(`warning: ${one}`);
    writePages(pages);
  },
  async bind() {
    const {bindBook} = await import('./build.js');
    await bindBook();
  },
  async pdf(code) {
    const {printBook} = await import('./print.js');
    console.log(await printBook(code && languageOf(code)));
  },
};

const [name, ...rest] = process.argv.slice(2);
if (!(name in commands)) {
  console.error(`press: no command ${name ?? ''}; there are ${Object.keys(commands).join(', ')}`);
  process.exit(2);
}
try {
  await commands[name](...rest);
} catch (error) {
  console.error(process.env.DEBUG ? error : error.message);
  process.exit(1);
}

// What commands print, kept in book/transcripts and run again by a test: one file a command, its first line the command. What they
// print in another language is in a folder of its code, book/transcripts/zh; `language` is none for English.
import {spawnSync} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {isOwn, course as ownCourse, press, root} from './folders.js';

const folder = join(ownCourse, 'book', 'transcripts');

// A language that the command line does not speak has the English transcripts.
const codeOf = (language) => (language?.catalogue ? language.code : '');

export const fileOf = (command, language) =>
  join(
    folder,
    codeOf(language),
    command
      .replace(/^\.\//, '')
      .replace(/[^\w.]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 100) + '.txt',
  );

// Runs a command in the course's folder. COURSE: the program that stands for ./course.
export function run(command, course = ownCourse, language, isFirst = true) {
  if (!/^\.\/course /.test(command)) throw new Error(`not a command of the course: ${command}`);
  const program = process.env.COURSE ?? join(root, 'course');
  // Both streams, in the order in which a terminal shows them.
  const done = spawnSync('sh', ['-c', `${command.replace('./course', '"$0"')} 2>&1`, program], {
    cwd: course,
    encoding: 'utf8',
    env: {
      ...process.env,
      COLUMNS: '80',
      NO_COLOR: '1',
      COURSE_ROOT: course,
      COURSE_LANG: language?.catalogue ?? 'en',
    },
  });
  if (done.error) throw done.error;
  // 0 and 1 are passed and failed; anything else says that it could not be run here.
  if (done.status === null || done.status > 1)
    throw new Error(`${command}: exit code ${done.status}: ${done.stdout.slice(0, 400)}`);
  // The grader was not up to date, and is now: what is said about that is no part of the answer.
  if (isFirst && /^course: building /m.test(done.stdout))
    return run(command, course, language, false);
  return done.stdout.replace(/[ \t]+$/gm, '').replace(/\n+$/, '') + '\n';
}

// A folder with the labs and no reader's progress, for commands that would remember being run. Returns what `use` returns.
export function inFreshCourse(use) {
  const course = mkdtempSync(join(tmpdir(), 'course-fresh-'));
  try {
    for (const name of ['labs', 'solutions', 'chapters'])
      symlinkSync(join(ownCourse, name), join(course, name));
    return use(course);
  } finally {
    rmSync(course, {recursive: true});
  }
}

export function record(command, language) {
  const file = fileOf(command, language);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, `$ ${command}\n${run(command, ownCourse, language)}`);
}

// The recorded output. Throws when there is none, or when the file is of another command.
export function recorded(command, language) {
  const said = fileOf(command, language);
  // Somebody's own course may have been recorded in English only.
  const file = isOwn && !existsSync(said) ? fileOf(command) : said;
  if (!existsSync(file)) throw new Error(`not recorded: ${command} (${press} record)`);
  const [first, ...lines] = readFileSync(file, 'utf8').split('\n');
  if (first !== `$ ${command}`) throw new Error(`${file} is of another command: ${first}`);
  return lines.join('\n').replace(/\n+$/, '');
}

// "command | lines 1-12": the command, and which lines of its output are shown; "lines 6-" shows all from the sixth.
export function commandOf(text) {
  const match = /^(.*?)(?:\s\|\s*lines (\d+)-(\d*))?$/.exec(text.trim());
  return {
    command: match[1].trim(),
    from: Number(match[2] ?? 1),
    to: match[3] ? Number(match[3]) : Infinity,
  };
}

export function linesShown(text, {from, to}) {
  const lines = text.split('\n');
  if (from > lines.length || (to !== Infinity && to > lines.length))
    throw new Error(`there are only ${lines.length} lines`);
  return lines.slice(from - 1, to).join('\n');
}

// For each line of an output: [paragraph, lines from its beginning, lines to its end]; an empty line is the end of the one before.
function placesIn(text) {
  const lines = text.split('\n');
  const begins = lines.map((line, i) => i === 0 || (line !== '' && lines[i - 1] === ''));
  const places = [];
  lines.forEach((_, i) => {
    const begun = begins.lastIndexOf(true, i);
    const next = begins.indexOf(true, i + 1);
    places.push([
      begins.slice(0, i + 1).filter(Boolean).length,
      i - begun,
      (next < 0 ? lines.length : next) - i,
    ]);
  });
  return places;
}

// The lines of an output in another language that say what these of the English do: a sentence may take more of them, or fewer.
// They begin as far from the beginning of the same paragraph, and end as far from its end.
export function shownIn(english, other, {from, to}) {
  const [here, there] = [placesIn(english), placesIn(other)];
  if (here.at(-1)[0] !== there.at(-1)[0])
    throw new Error(`${there.at(-1)[0]} paragraphs where the English has ${here.at(-1)[0]}`);
  const lineOf = (line, of) => {
    const place = here[line - 1];
    if (!place) throw new Error(`there are only ${here.length} lines`);
    return there.findIndex((one) => one[0] === place[0] && one[of] === place[of]) + 1;
  };
  const begin = from === 1 ? 1 : lineOf(from, 1);
  const end = to === Infinity ? to : lineOf(to, 2);
  if (begin === 0 || end === 0) throw new Error('the paragraph is too short for these lines');
  return {from: begin, to: end};
}

// What a page quotes of a command's output, in its language.
export function quoted(asked, language) {
  const [english, said] = [recorded(asked.command), recorded(asked.command, language)];
  return linesShown(said, said === english ? asked : shownIn(english, said, asked));
}

// Whether two outputs are the same in the lines shown.
export function saysTheSame(before, now, shown) {
  try {
    return linesShown(before, shown) === linesShown(now, shown);
  } catch {
    return false;
  }
}

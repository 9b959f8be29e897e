// What commands print, kept in book/transcripts and run again by a test: one file a command, its first line the command.
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
import {join} from 'node:path';
import {course as ownCourse, press, root} from './folders.js';

const folder = join(ownCourse, 'book', 'transcripts');

export const fileOf = (command) =>
  join(
    folder,
    command
      .replace(/^\.\//, '')
      .replace(/[^\w.]+/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, 100) + '.txt',
  );

// Runs a command in the course's folder. COURSE: the program that stands for ./course.
export function run(command, course = ownCourse) {
  if (!/^\.\/course /.test(command)) throw new Error(`not a command of the course: ${command}`);
  const program = process.env.COURSE ?? join(root, 'course');
  // Both streams, in the order in which a terminal shows them.
  const done = spawnSync('sh', ['-c', `${command.replace('./course', '"$0"')} 2>&1`, program], {
    cwd: course,
    encoding: 'utf8',
    env: {...process.env, COLUMNS: '80', NO_COLOR: '1', COURSE_ROOT: course},
  });
  if (done.error) throw done.error;
  // 0 and 1 are passed and failed; anything else says that it could not be run here.
  if (done.status === null || done.status > 1)
    throw new Error(`${command}: exit code ${done.status}: ${done.stdout.slice(0, 400)}`);
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

export function record(command) {
  mkdirSync(folder, {recursive: true});
  writeFileSync(fileOf(command), `$ ${command}\n${run(command)}`);
}

// The recorded output. Throws when there is none, or when the file is of another command.
export function recorded(command) {
  const file = fileOf(command);
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

// Whether two outputs are the same in the lines shown.
export function saysTheSame(before, now, shown) {
  try {
    return linesShown(before, shown) === linesShown(now, shown);
  } catch {
    return false;
  }
}

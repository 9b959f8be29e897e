// Code quoted from the files that the tests compile: by its marks or by a function's name, coloured, line by line.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {course, load, root} from './folders.js';
import {element, escape} from '../drawing/html.js';
import {expectGiven} from './withheld.js';

const QUOTABLE = /^(labs|solutions|grader|examples)\//;
const MARK = /^\s*\/\/! \[(\w+)\]\s*$/;
// The lines around a student's work; `//! [work]` twice is the same.
const WORK = /^\s*\/\/ Your work (begins|ends) here\.\s*$/;
const markOf = (line) => (WORK.test(line) ? 'work' : MARK.exec(line)?.[1]);

// The lines of a file with their numbers, without marks; `work`: whether a line is one of the student's.
export function linesOf(text) {
  let work = false;
  const open = new Set();
  const lines = [];
  text
    .replace(/\n$/, '')
    .split('\n')
    .forEach((line, i) => {
      const mark = markOf(line);
      if (!mark) lines.push({number: i + 1, text: line, work, marks: new Set(open)});
      else if (mark === 'work') work = !work;
      else if (!open.delete(mark)) open.add(mark);
    });
  if (work) throw new Error('a [work] mark is never closed');
  if (open.size > 0) throw new Error(`the mark [${[...open]}] is never closed`);
  return lines;
}

// From the line that begins `name(...)`'s definition to the brace in the first column that ends it.
function functionOf(lines, name) {
  const isHead = (line) =>
    new RegExp(`^[\\w:<].*\\b${name}\\(`).test(line.text) && !/;\s*$/.test(line.text);
  let begin = lines.findIndex(isHead);
  if (begin < 0)
    begin = lines.findIndex(
      (line, i) =>
        new RegExp(`^\\s+${name}\\(`).test(line.text) &&
        /^(__global__|__device__|template)/.test(lines[i - 1]?.text ?? ''),
    );
  if (begin < 0) throw new Error(`no function ${name}`);
  while (/^(template|__global__|__device__|__launch_bounds__)/.test(lines[begin - 1]?.text ?? ''))
    --begin;
  if (/\}\s*$/.test(lines[begin].text)) return [lines[begin]];
  const end = lines.findIndex((line, i) => i > begin && /^\}/.test(line.text));
  if (end < 0) throw new Error(`${name} has no } in the first column`);
  return lines.slice(begin, end + 1);
}

// What `what` selects: "name", "name()", "work in name", or nothing for the whole file.
export function selected(text, what) {
  const lines = linesOf(text);
  const inner = /^work in (.+)$/.exec(what ?? '');
  const name = inner ? inner[1] : what;
  const region = !name
    ? lines
    : name.endsWith('()')
      ? functionOf(lines, name.slice(0, -2))
      : lines.filter((line) => (name === 'work' ? line.work : line.marks.has(name)));
  if (region.length === 0) throw new Error(`no mark //! [${name}]`);
  if (inner && !region.some((line) => line.work)) throw new Error(`${name} has no work lines`);
  const margin = Math.min(
    ...region.filter((line) => line.text.trim()).map((line) => line.text.search(/\S/)),
  );
  return region.map((line) => ({
    ...line,
    text: line.text.slice(margin),
    faded: Boolean(inner) && !line.work,
  }));
}

const CUDA = [
  '__global__',
  '__device__',
  '__host__',
  '__shared__',
  '__constant__',
  '__restrict__',
  '__launch_bounds__',
  '__syncthreads',
  '__syncwarp',
  '__shfl_sync',
  '__shfl_up_sync',
  '__shfl_down_sync',
  '__shfl_xor_sync',
  '__ldg',
  'threadIdx',
  'blockIdx',
  'blockDim',
  'gridDim',
  'dim3',
  'float2',
  'float4',
  'int2',
  'int4',
];
let highlighter;

// HTML of each line of C++ or CUDA. The highlighter's spans may cross lines: they are closed and opened again.
export function highlighted(text) {
  if (!highlighter) {
    const hljs = load('highlight.js/lib/core');
    hljs.registerLanguage('cuda', (engine) => {
      const cpp = load('highlight.js/lib/languages/cpp')(engine);
      cpp.keywords.built_in = [...(cpp.keywords.built_in ?? []), ...CUDA];
      return cpp;
    });
    highlighter = hljs;
  }
  const open = [];
  return highlighter
    .highlight(text, {language: 'cuda'})
    .value.split('\n')
    .map((line) => {
      const before = open.join('');
      for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g))
        tag === '</span>' ? open.pop() : open.push(tag);
      return before + line + '</span>'.repeat(open.length);
    });
}

// The figure that stands on the page. `path` is relative to the course, or to the project where the grader is.
export function codeFigure(path, what) {
  if (!QUOTABLE.test(path) || path.includes('..'))
    throw new Error(`${path} is not under labs/, solutions/, grader/ or examples/`);
  const file = join(/^(grader|examples)\//.test(path) ? root : course, path);
  expectGiven(path);
  if (!existsSync(file)) throw new Error(`there is no ${path}`);
  const lines = selected(readFileSync(file, 'utf8'), what);
  const isScreen = path.endsWith('.txt'); // what a program showed: neither numbers nor colours
  const html = isScreen
    ? lines.map((line) => escape(line.text))
    : highlighted(lines.map((line) => line.text).join('\n'));
  const isSkeleton = path.startsWith('labs/') && lines.some((line) => line.work);
  const shown = lines.map((line, i) =>
    element(
      'span',
      {
        class: ['line', line.work && 'work', line.faded && 'faded'].filter(Boolean).join(' '),
        'data-line': isScreen ? undefined : line.number,
      },
      html[i] || ' ',
    ),
  );
  const where =
    lines.length > 1
      ? `lines ${lines[0].number}–${lines.at(-1).number}`
      : `line ${lines[0].number}`;
  return element(
    'figure',
    {class: isSkeleton ? 'code skeleton' : 'code'},
    element(
      'figcaption',
      {},
      element('span', {class: 'path'}, escape(path)),
      ' ',
      element('span', {class: 'where'}, where),
      isSkeleton && element('span', {class: 'yours'}, 'marked lines are yours'),
    ),
    element(
      'pre',
      {tabindex: 0, role: 'region', 'aria-label': `${path}, ${where}`},
      element('code', {}, shown.join('\n')),
    ),
  );
}

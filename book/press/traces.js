// What the emulated H200 saw on one line of a kernel, kept in book/traces and recorded again by a test: one file a line,
// with each request of some warps of a block, and for each bank the words that it served and for which lanes.
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {course, exercisesIn, press} from './folders.js';
import {run} from './transcripts.js';
import {sourceOf} from './variants.js';
import {expectGiven} from './withheld.js';

const folder = join(course, 'book', 'traces');
const named = (text) => text.replace(/[^\w]+/g, '_').replace(/^_|_$/g, '');

// A wish is {file, line, block, warps}: `line` is text that stands in one line of the file only, warps [first, last].
export const traceFile = ({file, line, block, warps}) =>
  join(
    folder,
    `${named(file.replace(/\.cu$/, ''))}__${named(line).slice(0, 40)}__block_${named(block)}_warps_${warps.join('_')}.json`,
  );

// The number of the one line that has this text.
export function lineNumber(source, text, file) {
  const found = source.split('\n').flatMap((line, i) => (line.includes(text) ? [i + 1] : []));
  if (found.length !== 1)
    throw new Error(`${file}: ${found.length} lines have ${text}, and it should be one`);
  return found[0];
}

// How `course trace` names a file: the student's, the solution, or another one that takes the place of an exercise's.
export function subjectOf(file) {
  const match = /^(labs|solutions)\/(\w+)\/(wrong\/)?(\w+)\.cu$/.exec(file);
  if (!match) throw new Error(`${file} is no file of an exercise, and only those are traced`);
  const [, tree, lab, wrong, name] = match;
  const id = exercisesIn(lab)
    .filter((one) => name === basename(one) || (wrong && name.startsWith(`${basename(one)}_`)))
    .at(-1);
  if (!id) throw new Error(`${file} belongs to no exercise`);
  if (wrong) return `${id} --file ${file}`;
  return tree === 'labs' ? id : `${id} --solution`;
}

// "32 wavefronts where 1 would do: 32-way", "1 wavefront, no conflict".
function costOf(text) {
  const cost = /^(\d+) wavefronts?(?:, no conflict| where (\d+) would do(?:: \d+-way)?)$/.exec(
    text,
  );
  if (!cost) throw new Error(`no cost of a request to shared memory: ${text}`);
  const wavefronts = Number(cost[1]);
  return {wavefronts, ideal: Number(cost[2] ?? wavefronts)};
}

// The requests to shared memory in a picture by `course trace --svg`: its titles say what each cell shows.
export function requestsIn(svg, warp) {
  if (/>and \d+ more<|>\d+ more are not drawn</.test(svg))
    throw new Error('the trace is longer than its picture; choose a shorter line');
  return svg
    .split('<text class="title"')
    .slice(2)
    .flatMap((part) => {
      const [, step, access, cost] = /^[^>]*>step (\d+), ([^:<]+): ([^<]*)</.exec(part) ?? [];
      if (!/^(shared|ldmatrix)/.test(access ?? '')) return [];
      const served = [
        ...part.matchAll(/<title>bank (\d+), word (\d+): lane ([\d, ]+)<\/title>/g),
      ].map(([, bank, word, lanes]) => [Number(bank), Number(word), lanes.split(', ').map(Number)]);
      if (served.length === 0) throw new Error(`step ${step} of the trace serves nobody`);
      return [{warp, step: Number(step), access, ...costOf(cost), served}];
    });
}

// Executes the wish, and returns what there is to keep.
export function traced(wish) {
  const source = sourceOf(wish.file);
  const place = `--line ${lineNumber(source, wish.line, wish.file)} --block ${wish.block}`;
  const command = `./course trace ${subjectOf(wish.file)} ${place}`;
  const pictures = mkdtempSync(join(tmpdir(), 'course-traces-'));
  try {
    const requests = [];
    for (let warp = wish.warps[0]; warp <= wish.warps[1]; ++warp) {
      const picture = join(pictures, `${warp}.svg`);
      run(`${command} --warp ${warp} --svg ${picture}`);
      requests.push(...requestsIn(readFileSync(picture, 'utf8'), warp));
    }
    return {...wish, requests};
  } finally {
    rmSync(pictures, {recursive: true});
  }
}

// A request a line, so that a difference shows where it is.
const written = ({requests, ...rest}) =>
  `{${JSON.stringify(rest).slice(1, -1)},"requests":[\n${requests.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`;

export function recordTrace(wish) {
  mkdirSync(folder, {recursive: true});
  writeFileSync(traceFile(wish), written(traced(wish)));
}

export const tellsTheSame = (wish) =>
  existsSync(traceFile(wish)) && readFileSync(traceFile(wish), 'utf8') === written(traced(wish));

export function recordedTrace(wish) {
  if (!existsSync(traceFile(wish))) expectGiven(wish.file);
  if (!existsSync(traceFile(wish)))
    throw new Error(`not recorded: the trace of ${wish.file} (${press} record)`);
  return JSON.parse(readFileSync(traceFile(wish), 'utf8'));
}

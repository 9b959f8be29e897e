// Wrong variants by the paths that name them, solutions/NN_name/wrong/K_step_what.cu: a file, or edits of the solution in
// wrong/K_step.diff (grader/lab/README.md), which the course applies.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {course, exercisesIn} from './folders.js';
import {run} from './transcripts.js';

const textOf = (path) => readFileSync(join(course, path), 'utf8');

// The path of the edits that make the variant, and its name there; nothing where it is a file, or none.
function editsOf(path) {
  const [, lab, stem] = /^solutions\/(\w+)\/wrong\/(\w+)\.cu$/.exec(path) ?? [];
  if (!lab || existsSync(join(course, path))) return undefined;
  return exercisesIn(lab)
    .map((id) => id.slice(lab.length + 1))
    .filter((step) => stem.startsWith(`${step}_`))
    .map((step) => [`solutions/${lab}/wrong/${step}.diff`, stem.slice(step.length + 1)])
    .find(([edits]) => existsSync(join(course, edits)));
}

// What is said at the beginning of the variant: "// wrong: conflicts: the tile is not padded". Empty: there is none.
export function commentOf(path) {
  const [edits, name] = editsOf(path) ?? [];
  const text = edits ?? (existsSync(join(course, path)) ? path : undefined);
  if (!text) return '';
  const lines = textOf(text).split('\n');
  return (edits ? lines[lines.indexOf(`=== ${name}`) + 1] : lines[0]) ?? '';
}

export const sourceOf = (path) =>
  editsOf(path) ? run(`./course grade --wrong ${path} --print`, course) : textOf(path);

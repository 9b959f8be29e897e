// The hints of the exercises, where `course hint` has them: labs/NN_name/K_step.toml.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {labs, load} from './folders.js';

// Spaces and line breaks between words are one space.
const inOneLine = (text) => text.trim().split(/\s+/).join(' ');

export const hintsIn = (toml) => load('smol-toml').parse(toml).hints.map(inOneLine);

export function hintsOf(id) {
  const path = join(labs, `${id}.toml`);
  const found = existsSync(path) ? hintsIn(readFileSync(path, 'utf8')) : [];
  if (found.length !== 3) throw new Error(`${id} should have three hints in labs/${id}.toml`);
  return found.filter((hint) => hint !== ''); // the last is empty in what students get
}

// The hints of the exercises, read where `course hint` has them: grader/lab/NN_name.cpp.
import {existsSync, readFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {exercisesIn, root} from './folders.js';

// The string literals of C++ source, each with its place, and the commas and braces between them.
function tokensOf(source) {
  const tokens = [];
  const pattern = /\/\/[^\n]*|"((?:[^"\\\n]|\\.)*)"|exercise\.hints = \{|[,}]/g;
  for (const match of source.matchAll(pattern)) {
    if (match[1] !== undefined) tokens.push({text: unescaped(match[1])});
    else if (!match[0].startsWith('//')) tokens.push({sign: match[0]});
  }
  return tokens;
}

function unescaped(literal) {
  if (/\\[^"\\]/.test(literal)) throw new Error(`an escape that is not known here: ${literal}`);
  return literal.replace(/\\(["\\])/g, '$1');
}

// The hints of each step, such as {"2_pad": [three of them]}. They stand below the one mention of the step's name, with
// its lab or without; literals side by side are one text.
export function hintsIn(source, steps) {
  const hints = {};
  let step, open;
  for (const {text, sign} of tokensOf(source)) {
    if (sign?.startsWith('exercise')) open = [''];
    else if (open && sign === ',') open.push('');
    else if (open && sign === '}') {
      if (!step) throw new Error('hints of no exercise');
      hints[step] = open.filter((one) => one !== '');
      step = open = undefined;
    } else if (open) open[open.length - 1] += text;
    else if (text !== undefined && steps.includes(basename(text))) step = basename(text);
  }
  return hints;
}

export function hintsOf(id) {
  const [lab, step] = id.split('/');
  const path = join(root, 'grader', 'lab', `${lab}.cpp`);
  const steps = exercisesIn(lab).map((one) => basename(one));
  const found = existsSync(path) ? hintsIn(readFileSync(path, 'utf8'), steps)[step] : undefined;
  if (found?.length !== 3)
    throw new Error(`${id} should have three hints in grader/lab/${lab}.cpp`);
  return found;
}

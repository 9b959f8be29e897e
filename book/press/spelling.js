// The words of the chapters that neither the dictionaries of English nor book/words.txt have.
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {book, chapters, isOwn} from './folders.js';

// The prose of a chapter, line by line: without code, maths, numbers, addresses and directives.
export function proseOf(text) {
  let inMaths = false,
    inFigure = false,
    inSketch = false;
  return text.split('\n').map((line) => {
    if (line.startsWith('```')) inSketch = !inSketch;
    if (line.trim() === '$$') inMaths = !inMaths;
    if (line.startsWith('::: figure')) inFigure = true;
    if (line.trim() === ':::') inFigure = false;
    if (inMaths || inSketch || line.startsWith('{{') || line.startsWith('```')) return '';
    if (inFigure && !line.startsWith('caption:')) return '';
    if (/^(answer|unit|choices):/.test(line)) return '';
    return line
      .replace(/^::: \w+/, '')
      .replace(/\| when .*$/, '')
      .replace(/^(because|caption):/, '')
      .replace(/`[^`]*`/g, ' ')
      .replace(/\{\{[^}]*\}\}/g, ' ')
      .replace(/\$[^$]*\$/g, ' ')
      .replace(/\]\([^)]*\)/g, ' ')
      .replace(/[*_]/g, ' ')
      .replace(/[’]/g, "'")
      .replace(/'s\b/g, '');
  });
}

// The words of somebody's own course: chapters/words.txt.
const ownWords = () => {
  const path = join(chapters, 'words.txt');
  return isOwn && existsSync(path) ? readFileSync(path, 'utf8').split(/\s+/) : [];
};

// {problems, skipped}: a problem is "chapters/file:line: word".
export function misspelled(files) {
  const done = (input) =>
    spawnSync(
      'hunspell',
      ['-l', '-i', 'utf-8', '-d', 'en_GB,en_US', '-p', join(book, 'words.txt')],
      {input, encoding: 'utf8'},
    );
  const probe = done('');
  if (probe.error || probe.status !== 0)
    return {
      problems: [],
      skipped: ['spelling skipped: hunspell with en_GB and en_US is not installed'],
    };
  const problems = [];
  const known = ownWords();
  const list = isOwn ? 'chapters/words.txt is yours' : 'book/words.txt is ours';
  for (const {file, text} of files) {
    const prose = proseOf(text);
    const wrong = new Set(
      done(prose.join('\n'))
        .stdout.split('\n')
        .filter((word) => word && !known.includes(word)),
    );
    prose.forEach((line, i) => {
      for (const word of line.match(/[\p{L}][\p{L}'-]*/gu) ?? [])
        if (
          wrong.delete(word) ||
          [...wrong].some((one) => word.split(/[-']/).includes(one) && wrong.delete(one))
        )
          problems.push(
            `chapters/${file}:${i + 1}: the dictionary does not have "${word}" (${list})`,
          );
    });
  }
  return {problems, skipped: []};
}

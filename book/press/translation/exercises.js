// What the exercises of a lab say, in another language: chapters/LANGUAGE/labs/NN_name.toml has a table for each exercise, and in
// it a text for each part that has words; its table `of` has the digest of the English of each.
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {exercisesIn, labs, load} from '../folders.js';
import {codeMarked, taskOf} from '../task.js';
import {digestOf} from './blocks.js';
import {inlineProblems} from './compare.js';

const inOneLine = (text) => text.trim().split(/\s+/).join(' ');
const read = (path) => load('smol-toml').parse(readFileSync(path, 'utf8'));
const step = (id) => id.split('/')[1];

// {title, task, hint_1, hint_2, hint_3, explanation, does_not_pay, question_CHECK …, reason_CHECK …} of an exercise. The paragraphs of a task have an empty
// line between them; everything else is one paragraph.
export function partsOf(id) {
  const path = join(labs, id);
  const {title, task} = taskOf(readFileSync(`${path}.cu`, 'utf8'), id);
  const shared = join(dirname(path), 'lab.toml'); // what the lab's exercises say alike
  const ofLab = existsSync(shared) ? read(shared).check : {};
  const {hints = [], explanation, time, check: own = {}} = read(`${path}.toml`);
  const checks = new Set([...Object.keys(ofLab ?? {}), ...Object.keys(own)]);
  const ofChecks = (key) =>
    Object.fromEntries(
      [...checks].map((name) => [
        `${key}_${name}`,
        inOneLine(own[name]?.[key] ?? ofLab?.[name]?.[key] ?? ''),
      ]),
    );
  const parts = {
    title,
    task: task.join('\n\n'),
    ...Object.fromEntries(hints.map((hint, i) => [`hint_${i + 1}`, inOneLine(hint)])),
    ...(explanation ? {explanation: inOneLine(explanation)} : {}),
    ...(time?.does_not_pay ? {does_not_pay: inOneLine(time.does_not_pay)} : {}),
    ...ofChecks('question'),
    ...ofChecks('reason'),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text));
}

const fileOf = ({folder}, lab) => join(folder, 'labs', `${lab}.toml`);

function readLab(language, lab) {
  const path = fileOf(language, lab);
  return existsSync(path) ? read(path) : undefined;
}

// One part as it is shown: {state, text}; in English when there is no translation of it, and where it is "=", the same in both.
function shownPart(english, text, digest) {
  if (!text || inOneLine(text) === inOneLine(english)) return {state: 'missing', text: english};
  const state = digest === digestOf(english) ? 'fresh' : 'stale';
  return {state, text: text.trim() === '=' ? english : text.trim()};
}

// The parts of an exercise in a language: {title: {state, text}, …}.
export function exerciseIn(language, id) {
  const given = readLab(language, id.split('/')[0])?.[step(id)] ?? {};
  return Object.fromEntries(
    Object.entries(partsOf(id)).map(([part, english]) => [
      part,
      shownPart(english, given[part], given.of?.[part]),
    ]),
  );
}

// A path is code, wherever it stands, and so is a name of a name space.
const marked = (text) =>
  codeMarked(text.replace(/(?:\.\/|\b)[\w.]+(?:\/[\w.]+)+|\b\w+(?:::\w+)+/g, '`$&`'));

// C++ stands here as it is: a Latin word that the English has too is one of its names, if it is no term. In a hint it may be
// one all the same. A number may stand in code that only the translation marks; such code is the English word for word.
export function problemsOfPart(part, english, text, glossary) {
  const isHint = part.startsWith('hint_');
  const known = new Set(english.match(/[A-Za-z]\w*/g));
  const isName = (word) => word && known.has(word) && !glossary.knows(word);
  const bare = inOneLine(english).replaceAll('`', '');
  const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  const isInCode = (number) => codes.some((code) => code.match(/\d+(?:\.\d+)?/g)?.includes(number));
  return [
    ...inlineProblems(marked(english), marked(text), glossary).filter(
      (one) =>
        !isName(/^(\S+) is not in the glossary$/.exec(one)?.[1]) &&
        !isInCode(/^the number (\S+) is missing$/.exec(one)?.[1]) &&
        !/^(code|the English has no code) /.test(one) &&
        !(isHint && / is not in the glossary$|^"[^"]+" is called /.test(one)),
    ),
    ...codes
      .filter((code) => !bare.includes(code.replace(/;$/, '')))
      .map((code) => `the English has no code ${code}`),
  ];
}

// {problems, queue, isBegun} of a lab: as sentences with their place, and as {state, where, digest, words}.
export function labChecked(language, lab, glossary) {
  const given = readLab(language, lab);
  const problems = [],
    queue = [];
  const at = `chapters/${language.code}/labs/${lab}.toml: `;
  if (!given) return {problems, queue, isBegun: false};
  const ids = exercisesIn(lab);
  for (const name of Object.keys(given))
    if (!ids.some((id) => step(id) === name)) problems.push(`${at}there is no exercise ${name}`);
  for (const id of ids) {
    const parts = partsOf(id);
    for (const name of Object.keys(given[step(id)] ?? {}))
      if (name !== 'of' && !(name in parts)) problems.push(`${at}${step(id)} has no ${name}`);
    for (const [part, {state, text}] of Object.entries(exerciseIn(language, id))) {
      const where = `${step(id)}.${part}`;
      if (state === 'fresh')
        problems.push(
          ...problemsOfPart(part, parts[part], text, glossary).map(
            (one) => `${at}${where}: ${one}`,
          ),
        );
      else queue.push({state, where, digest: digestOf(parts[part]), words: parts[part]});
    }
  }
  return {problems, queue, isBegun: true};
}

const quoted = (text) => (/[\n\\"]|.{70}/.test(text) ? `'''\n${text}'''` : `"${text}"`);

// A lab's file for a translator to begin with, or to go on with.
export function labPrepared(language, lab) {
  const given = readLab(language, lab) ?? {};
  const tables = exercisesIn(lab).map((id) => {
    const parts = partsOf(id);
    const own = given[step(id)] ?? {};
    const line = ([part, english]) => `${part} = ${quoted(own[part]?.trim() ?? english)}`;
    const digest = ([part, english]) => `${part} = "${own.of?.[part] ?? digestOf(english)}"`;
    const all = Object.entries(parts);
    return `[${step(id)}]\n${all.map(line).join('\n')}\n\n[${step(id)}.of]\n${all.map(digest).join('\n')}\n`;
  });
  return tables.join('\n');
}

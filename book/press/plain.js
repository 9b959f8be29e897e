// Plain English, as far as a machine sees it: turns of phrase that chapters/STYLE.md replaces, in what people read. What it
// looks at is prose, line by line, without code.
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isOwn, labs, root} from './folders.js';
import {proseOf} from './spelling.js';

// Each pattern with what to write instead.
const TURNS = [
  [
    /(?:^|[.!?] |["“])Of (?!course)[^.,;:?]{1,90}, (?!and )/,
    'begins with "Of …,": put the subject first',
  ],
  [
    /(?<!\b[Tt]here )\b(?:is|are) no (?!(?:longer|more|less|matter|different|doubt|\w+er)\b)\w+/,
    '"is no": say "is not a"',
  ],
  [/\bso many\b(?! that\b)/, '"so many": say how many, or "that many"'],
  [/\bwho (?:has|have) to\b/, '"who has to": say "must", and who'],
  [
    /(?<!\b(?:left|stays?|stay|hide|far|algebra|falls?|fell) )\bbehind\b(?! the scenes)/,
    '"behind": say "after", or "past" the end',
  ],
  [
    /\b(?:bytes|floats|operations|numbers|words|requests|elements|instructions|submissions|gradings|files|G[Bb]) (?:in )?a second\b/,
    '"a second": say "per second"',
  ],
];

export const turnsIn = (prose) =>
  TURNS.flatMap(([pattern, instead]) => (pattern.test(prose) ? [instead] : []));

const DOCUMENTS = [
  'README.md',
  'INSTALL.md',
  'INSTRUCTORS.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'labs/README.md',
];

// The texts of a lab's exercises; what stands behind # is for who writes them.
const spoken = (toml) => toml.replace(/^(?:#.*|way = .*)$/gm, '').replace(/`[^`]*`/g, ' ');

const textsOf = (files) => [
  ...files.map(({file, text}) => [`chapters/${file}`, proseOf(text)]),
  ...(isOwn ? [] : DOCUMENTS.filter((file) => existsSync(join(root, file)))).map((file) => [
    file,
    proseOf(readFileSync(join(root, file), 'utf8')),
  ]),
  ...(existsSync(labs) ? readdirSync(labs, {recursive: true}) : [])
    .filter((file) => file.endsWith('.toml'))
    .map((file) => [`labs/${file}`, spoken(readFileSync(join(labs, file), 'utf8')).split('\n')]),
];

// Problems as "file:line: sentence". In quotation marks stands what others wrote.
export const plainProblems = (files) =>
  textsOf(files).flatMap(([file, lines]) =>
    lines.flatMap((line, i) =>
      turnsIn(line.replace(/"[^"]*"/g, '""')).map((instead) => `${file}:${i + 1}: ${instead}`),
    ),
  );

import assert from 'node:assert/strict';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {labChecked, problemsOfPart} from './exercises.js';
import {Glossary} from './glossary.js';
import {glossaryOf, languageOf, strangersIn} from './languages.js';

const GLOSSARY = new Glossary('english,word,held,never\ncopy,复制,,拷贝\n');
const ENGLISH = 'return i + i / 32 * 2; and kWords = 256 + 8 * 2, which is no copy.';
const problems = (text) => problemsOfPart('hint_3', ENGLISH, text, GLOSSARY);

test('a number of a hint may stand in code that the translation marks', () => {
  assert.deepEqual(problems('`return i + i / 32 * 2;`，并且 kWords = 256 + 8 * 2'), []);
  assert.deepEqual(problems('并且 kWords = 256 + 8 * 2'), ['the number 32 is missing']);
});

test('code in a hint is that of the English, word for word', () => {
  assert.deepEqual(problems('`return i + i / 16 * 2;`，32，kWords = 256 + 8 * 2'), [
    'the English has no code return i + i / 16 * 2;',
  ]);
});

test('a hint says the words of the glossary', () => {
  assert.deepEqual(problems('`return i + i / 32 * 2;`，kWords = 256 + 8 * 2，不是拷贝'), [
    '拷贝: the glossary has 复制',
  ]);
});

const LAB = '02_padding';

// What is said of a lab's Chinese, and of the files beside it, when `change` has been done to it.
function checked(change, name = `${LAB}.toml`) {
  const language = languageOf('zh');
  const folder = mkdtempSync(join(tmpdir(), 'course-lab-'));
  try {
    mkdirSync(join(folder, 'labs'));
    const text = readFileSync(join(language.folder, 'labs', `${LAB}.toml`), 'utf8');
    assert.ok(change === undefined || change(text) !== text, 'the fault is planted');
    writeFileSync(join(folder, 'labs', name), change ? change(text) : text);
    const {problems, queue} = labChecked({...language, folder}, LAB, glossaryOf(language));
    return [
      ...strangersIn({...language, folder}, []),
      ...problems.map((one) => one.replace(/^.*\.toml: /, '')),
      ...queue.map(({state, where}) => `${where} is ${state}`),
    ];
  } finally {
    rmSync(folder, {recursive: true});
  }
}

test('all that the exercises of a lab say has its translation, and nothing else has one', () => {
  assert.deepEqual(checked(), []);
  for (const [change, says] of [
    [(text) => text.replace('title = "86cfeba"', 'title = "86cfebb"'), '1_square.title is stale'],
    [(text) => text.replace(/^reason_time = .*\n/m, ''), '1_square.reason_time is missing'],
    [
      (text) => text.replace('[1_square]\n', '[1_square]\nhint_9 = "再想想"\n'),
      '1_square has no hint_9',
    ],
    [(text) => `${text}\n[9_gone]\ntitle = "没有了"\n`, 'there is no exercise 9_gone'],
    [
      (text) => text.replace('行距 32 个字', '行距 31 个字'),
      '1_square.hint_2: the English has no number 31',
    ],
    [
      (text) => text.replace('存储体一点', '内存库一点'),
      '1_square.hint_2: 内存库: the glossary has 存储体',
    ],
    [
      (text) => text.replace('kTile + 1];`', 'kTile + 2];`'),
      '1_square.hint_3: the English has no code',
    ],
  ])
    assert.ok(
      checked(change).some((one) => one.startsWith(says)),
      `${says}; but: ${checked(change).join('; ')}`,
    );
});

test('a translation of a lab that is not there is found', () => {
  assert.deepEqual(checked(undefined, '77_gone.toml'), [
    'chapters/zh/labs/77_gone.toml: there is no lab of this name',
  ]);
});

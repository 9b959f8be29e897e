import assert from 'node:assert/strict';
import {test} from 'node:test';
import {slug} from '../slug.js';
import {blocksOf, cellsOf} from './blocks.js';
import {Glossary} from './glossary.js';
import {entriesOf, prepared, translated} from './translation.js';

const ENGLISH = `# Banks

*Why 32?*

A warp has 32 lanes and takes {{= 1 + 1}} steps, or {{= banks("32*t").wavefronts}}; see [there](02_padding.md#one-word) and \`t\`.^[Or $s$.]

{{widget banks index="2*t"}}

## When one is not enough

| stride | steps |
| ---: | ---: |
| 1 | {{= banks("t").wavefronts}} |
| two words | {{= banks("2*t").wavefronts}} |
| 4 | {{= banks("4*t").wavefronts}} |

::: question
How many?
answer: banks("32*t").wavefronts
choices: 1, 32
because: All in one bank.
:::

::: question
Which?
- the first | when 1 < 2
- the second | when 1 > 2
because: So.
:::

::: figure bars
caption: Two ways.
unit: µs
naive = 1
ceiling: a copy = 2
:::

::: fold More of it
Inside.
:::

$$
1 + 1
$$
`;
const GLOSSARY = new Glossary(`english,word,held,never
bank,存储体,yes,内存库
warp,线程束,yes,
lane,通道,,
`);

// The words of each block, as somebody might translate them.
const CHINESE = [
  '# 存储体',
  '*为什么是 32?*',
  '一个线程束有 32 条通道,要 {{2}} 步,或者 {{1}} 步;见[那里](02_padding.md#one-word)和 `t`。^[或者 $s$。]',
  '## 一个不够的时候',
  '| 步长 | 步数 |\n| = |\n| 两个字 |',
  '几个?\nbecause: 都在一个存储体里。',
  '哪一个?\n- 前一个\n- 后一个\nbecause: 就这样。',
  'caption: 两种办法。\n- 朴素\n- 复制',
  '更多',
  '里面。',
];
const worded = (english) => blocksOf(english).filter((block) => block.digest);
const fileOf = (english, words) =>
  worded(english)
    .map((block, i) => `<!-- ${block.digest} -->\n${words[i]}\n`)
    .join('\n');
const CHAPTER = fileOf(ENGLISH, CHINESE);
const done = (translation, english = ENGLISH) => translated(english, translation, GLOSSARY);
const planted = (from, to) => {
  assert.ok(CHAPTER.includes(from), from);
  return done(CHAPTER.replace(from, to)).problems.map((one) => one.says);
};

test('a chapter is written in another language with the numbers, answers and anchors of the English', () => {
  const {text, problems, queue} = done(CHAPTER);
  assert.deepEqual(problems, []);
  assert.deepEqual(queue, []);
  for (const line of [
    '# 存储体',
    '要 {{= banks("32*t").wavefronts}} 步,或者 {{= 1 + 1}} 步',
    '{{widget banks index="2*t"}}',
    '## 一个不够的时候 {#when-one-is-not-enough}',
    '| 步长 | 步数 |\n| ---: | ---: |\n| 1 | {{= banks("t").wavefronts}} |\n| 两个字 | {{= banks("2*t").wavefronts}} |\n| 4 | {{= banks("4*t").wavefronts}} |',
    '几个?\nanswer: banks("32*t").wavefronts\nchoices: 1, 32\nbecause: 都在一个存储体里。\n:::',
    '- 前一个 | when 1 < 2\n- 后一个 | when 1 > 2\nbecause: 就这样。',
    'caption: 两种办法。\nunit: µs\n朴素 = 1\nceiling: 复制 = 2\n:::',
    '::: fold 更多\n\n里面。\n\n:::',
    '$$\n1 + 1\n$$',
  ])
    assert.ok(text.includes(line), `${line}\n\n${text}`);
});

test('a changed English block makes its translation stale, and it is shown with a mark', () => {
  const {text, queue, problems} = done(CHAPTER, ENGLISH.replace('Inside.', 'Inside of it.'));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    queue.map(({state, words}) => [state, words]),
    [['stale', 'Inside of it.']],
  );
  assert.match(text, /::: stale\n里面。\n:::/);
});

test('an old text that lacks a number of today is not shown: the English is', () => {
  const {text, queue} = done(CHAPTER, ENGLISH.replace('or {{= banks', 'or {{= 7}} or {{= banks'));
  assert.equal(queue[0].state, 'stale');
  assert.match(text, /::: missing\nA warp has 32 lanes/);
});

test('a number that changes by its expression alone makes nothing stale', () => {
  const {text, queue} = done(CHAPTER, ENGLISH.replace('{{= 1 + 1}}', '{{= 1 + 2}}'));
  assert.deepEqual(queue, []);
  assert.match(text, /或者 \{\{= 1 \+ 2\}\} 步/);
});

test('a new block is missing, one that was left out is gone, and the others stay with theirs', () => {
  const more = done(CHAPTER, ENGLISH.replace('## When', 'A new one.\n\n## When'));
  assert.deepEqual(
    more.queue.map(({state, words}) => [state, words]),
    [['missing', 'A new one.']],
  );
  assert.match(more.text, /::: missing\nA new one\.\n:::/);
  const less = done(CHAPTER, ENGLISH.replace('*Why 32?*\n', ''));
  assert.deepEqual(
    less.queue.map(({state}) => state),
    ['gone'],
  );
});

test('a block that moves takes its translation along', () => {
  const [before, moved] = ['::: fold More of it', '$$\n1 + 1\n$$'].map((one) =>
    ENGLISH.indexOf(one),
  );
  const english = `${ENGLISH.slice(0, before)}${ENGLISH.slice(moved)}\n${ENGLISH.slice(before, moved)}`;
  const question = english
    .replace(
      'A warp has',
      '::: question\nHow many?\nanswer: banks("32*t").wavefronts\nchoices: 1, 32\nbecause: All in one bank.\n:::\n\nA warp has',
    )
    .replace(/(## When[^]*?)::: question\nHow many[^]*?:::\n/, '$1');
  const {queue, text} = done(CHAPTER, question);
  assert.deepEqual(queue, []);
  assert.ok(text.indexOf('几个?') < text.indexOf('一个线程束'));
});

test('what is still English is not translated', () => {
  const {queue} = done(prepared(ENGLISH));
  assert.equal(queue.length, CHINESE.length);
  assert.ok(queue.every(({state}) => state === 'missing'));
});

test('going on with a chapter keeps what is there', () => {
  const english = ENGLISH.replace('## When', 'A new one.\n\n## When');
  const {queue} = done(prepared(english, CHAPTER), english);
  assert.deepEqual(
    queue.map(({words}) => words),
    ['A new one.'],
  );
});

test('a missing placeholder, a number that is another one, and one that is left out are found', () => {
  assert.deepEqual(planted('{{2}}', '两'), ['placeholder {{2}} is missing']);
  assert.deepEqual(planted('{{2}} 步', '{{1}} 步'), [
    'placeholder {{2}} is missing',
    'the English has no placeholder {{1}}',
  ]);
  assert.deepEqual(planted('有 32 条', '有 31 条'), [
    'the number 32 is missing',
    'the English has no number 31',
  ]);
  assert.deepEqual(planted('要 {{2}} 步', '要 {{= 3}} 步'), [
    'an expression stands in the English alone: {{1}} is its place',
  ]);
});

test('code, formulas, links, notes and choices have to be those of the English', () => {
  assert.deepEqual(planted('`t`', '`u`'), ['code t is missing', 'the English has no code u']);
  assert.deepEqual(planted('$s$', '$n$'), ['formula s is missing', 'the English has no formula n']);
  assert.deepEqual(planted('#one-word', '#one-ward'), [
    'link to 02_padding.md#one-word is missing',
    'the English has no link to 02_padding.md#one-ward',
  ]);
  assert.deepEqual(planted('^[或者 $s$。]', '或者 $s$。'), [
    '1 margin notes in English, and 0 here',
  ]);
  assert.match(planted('- 后一个\n', '')[1], /2 lines "- …"/);
  assert.match(planted('## 一个', '### 一个')[0], /begins with "## "/);
  assert.match(planted('| 两个字 |', '|  = |')[0], /left in English: two words/);
  assert.match(planted('- 复制', '- 复制\n- 多余')[1], /no such words: - 多余/);
});

test('a term has its word, what must not be said is not, and a Latin word is one that is known', () => {
  assert.deepEqual(planted('都在一个存储体里', '都在一处'), ['"bank" is called 存储体 here']);
  assert.match(
    planted('都在一个存储体里', '都在一个内存库里')[1],
    /内存库: the glossary has 存储体/,
  );
  assert.deepEqual(planted('里面。', '里面的 bank。'), ['bank is not in the glossary']);
  assert.deepEqual(planted('里面。', '“bank”在里面\uff08bank\uff09。'), []);
});

test('in code that is only shown, its remarks are translated and its names are not', () => {
  const english = '```text\nload(part);  // of a lane\n```\n';
  const saidOf = (words) =>
    translated(english, fileOf(english, [words]), GLOSSARY).problems.map((one) => one.says);
  assert.deepEqual(saidOf('load(part);  // 一条通道的'), []);
  assert.deepEqual(saidOf('load(part);  // 通道的 remark'), ['remark is not in the glossary']);
});

test('text that belongs to no block is said', () => {
  assert.match(entriesOf('text\n<!-- 1234567 -->\nmore').problems[0].says, /before the first/);
});

test('a bar in code or in an expression ends no cell', () => {
  assert.deepEqual(cellsOf('| `a | b` | {{= x["a|b"]}} | $|x|$ |'), [
    '`a | b`',
    '{{= x["a|b"]}}',
    '$|x|$',
  ]);
});

test('anchors are those of the English headings', () => {
  assert.equal(slug('When one is not enough'), 'when-one-is-not-enough');
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  catalogueProblems,
  documentProblems,
  messagesIn,
  pairProblems,
  phraseProblems,
} from './elsewhere.js';
import {Glossary} from './glossary.js';

const GLOSSARY = new Glossary(`english,word,held,never
copy;copied,复制,,拷贝
emulated,模拟,yes,仿真
cluster,集群,yes,簇
`);

const CATALOGUE = `msgid ""
msgstr "Language: zh_CN\\n"

#: a.cpp:1
msgid "a block of the "
"cluster"
msgstr "集群的"
"线程块"

#: b.cpp:2
#, fuzzy
msgid "a cluster that has changed"
msgstr "线程块簇"

msgid "{} cluster"
msgid_plural "{} clusters"
msgstr[0] "{} 个集群"

#~ msgid "cluster"
#~ msgstr "簇"
`;

test('the messages of a catalogue are found, but for those that are not used', () => {
  assert.deepEqual(messagesIn(CATALOGUE), [
    {english: 'a block of the cluster', said: '集群的线程块', line: 7},
    {english: '{} cluster', said: '{} 个集群', line: 17},
  ]);
});

test('a message says the words of the glossary', () => {
  assert.deepEqual(catalogueProblems(CATALOGUE, GLOSSARY), []);
  assert.deepEqual(catalogueProblems(CATALOGUE.replace('集群的', '线程组的'), GLOSSARY), [
    {line: 7, says: '"cluster" is called 集群 here'},
  ]);
  assert.deepEqual(catalogueProblems(CATALOGUE.replace('个集群', '个集群的拷贝'), GLOSSARY), [
    {line: 17, says: '拷贝: the glossary has 复制'},
  ]);
});

test('an option or a file that is called as a term is none', () => {
  const said = (english) => catalogueProblems(`msgid "${english}"\nmsgstr "这样用"\n`, GLOSSARY);
  assert.deepEqual(said('use --device emulated, as grader/cluster/x.csv or cluster.sync'), []);
  assert.deepEqual(said('course cluster --all'), []);
  assert.equal(said('use the emulated device').length, 1);
  assert.deepEqual(
    catalogueProblems('msgid "emulated, gpu"\nmsgstr "emulated、gpu"', GLOSSARY),
    [],
  );
});

test('a word that must not be said is found in phrases and documents, and may be quoted', () => {
  assert.deepEqual(phraseProblems({'a copy': '一次拷贝', copied: '复制了'}, GLOSSARY), [
    '"a copy": 拷贝: the glossary has 复制',
  ]);
  assert.deepEqual(documentProblems('复制\n拷贝\n“拷贝”和 `拷贝`', GLOSSARY), [
    {line: 2, says: '拷贝: the glossary has 复制'},
  ]);
});

const DOCUMENT =
  '# Labs\n```\n./course new 09_mine  # writes it\n```\n| file | who |\n| --- | --- |\n';

test('a document has the commands, headings and rows of its English, and comments of its own', () => {
  const said = DOCUMENT.replace('Labs', '实验').replace('writes it', '写出它');
  const says = (text) => pairProblems(DOCUMENT, text).map((one) => one.says);
  assert.deepEqual(says(said), []);
  assert.deepEqual(says(said.replace('new', 'make')), [
    'the English has the command ./course new 09_mine',
    'the English has no command ./course make 09_mine',
  ]);
  assert.deepEqual(says(`${said}## 又一节\n`), ['1 headings in English, and 2 here']);
  assert.deepEqual(says(said.replace('| --- | --- |\n', '')), [
    '2 rows of tables in English, and 1 here',
  ]);
});

test('what must not be said may be a pattern, in which a placeholder is a number', () => {
  const strict = new Glossary(`english,word,held,never
times as fast,速度是……的几倍,,/快了? ?[0-9两三]+ ?倍/
numbers,数字,,/[0-9] ?[万亿]/
you,你,,您
`);
  const said = (text) => documentProblems(text, strict).map((one) => one.says);
  for (const text of ['速度是它的 2.5 倍', '四百万个字', '“快 2 倍”和 `5 万`', '快一点'])
    assert.deepEqual(said(text), [], text);
  assert.deepEqual(said('快两倍'), ['快两倍: the glossary has 速度是……的几倍']);
  assert.deepEqual(said('快 {{1}} 倍'), ['快 0 倍: the glossary has 速度是……的几倍']);
  assert.deepEqual(said('{} 万个'), ['0 万: the glossary has 数字']);
  assert.deepEqual(said('请问您'), ['您: the glossary has 你']);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CARDS} from './blocks.js';
import {chapterPage, contentOf, wholeBook} from './pages.js';
import {plainText, searchDocuments} from './search_documents.js';
import {proseOf} from './spelling.js';

const doxygen = (text) =>
  `<div class="contents"><div class="textblock">${text}</div></div><!-- contents -->`;
const page = (more = {}) => ({
  file: '01_a.md',
  name: '01_a',
  title: 'A',
  lead: '',
  sections: [],
  origins: [],
  exercises: [],
  questions: 0,
  html: [],
  ...more,
});

test('tokens become their HTML, also inside each other, and block tokens lose their paragraph', () => {
  assert.equal(
    contentOf(
      doxygen('<p >TOKEN1NEKOT</p><p >x TOKEN0NEKOT</p>'),
      page({html: ['<b>0</b>', '<i></i>']}),
    ),
    '<i></i><p>x <b>0</b></p>',
  );
});

test('a piece that Doxygen dropped is an error', () => {
  assert.throws(() => contentOf(doxygen('<p>x</p>'), page({html: ['lost']})), /dropped 1/);
  assert.throws(() => contentOf('<p>x</p>', page()), /no text/);
});

test("Doxygen's sections are one level down, with the chapter's own anchors", () => {
  assert.match(
    contentOf(doxygen('<h1><a class="anchor" id="page-01_a--one-two"></a>\nOne two</h1>'), page()),
    /^<h2 id="one-two">One two <a class="anchor" href="#one-two"/,
  );
});

test('links to chapters that are not written are text', () => {
  const html = chapterPage(
    page({content: '<a href="02_b.html#x">b</a> <a href="01_a.html">a</a>'}),
    [page()],
  );
  assert.ok(!html.includes('02_b.html'));
  assert.ok(html.includes('<a href="01_a.html">a</a>'));
});

test('an emphasised Latin word is English on a page in other letters', () => {
  const content = '<em>warpgroup</em> <em>自己</em> <em>16</em>';
  const language = {code: 'zh', tag: 'zh-CN', latin: false, name: '中文'};
  const html = chapterPage(page({content}), [page()], {language});
  assert.ok(html.includes('<em lang="en">warpgroup</em> <em>自己</em> <em>16</em>'));
  assert.ok(chapterPage(page({content}), [page()]).includes('<em>warpgroup</em>'));
});

test('the list of chapters has each one, with its question and its work', () => {
  const all = [
    page({name: 'index', title: 'Book', content: CARDS}),
    page({lead: 'Why <em>a</em>?', exercises: ['01_a/1_x'], questions: 5}),
    page({name: 'errata', title: 'Errata'}),
  ];
  const html = chapterPage(all[0], all);
  assert.match(
    html,
    /<a href="01_a.html"><span class="number">1<\/span><strong>A<\/strong><\/a><p>Why <em>a<\/em>\?<\/p>/,
  );
  assert.match(html, /1 exercise, 5 questions/);
  assert.equal(html.match(/class="work"/g).length, 1); // errata is no chapter
  assert.match(wholeBook(all.map((one) => ({content: '', ...one}))), /<a href="#01_a"><span/);
});

test('on the page of the whole book anchors are unique and links stay inside', () => {
  const two = [
    page({content: '<h2 id="x">X</h2><a href="02_b.html#x">b</a>'}),
    page({name: '02_b', file: '02_b.md', title: 'B', content: '<h2 id="x">X</h2>'}),
  ];
  const html = wholeBook(two);
  assert.match(html, /href="#02_b-x"/);
  assert.match(html, /id="01_a-x"[^]*id="02_b-x"/);
});

test('on paper the answers of a chapter stand at its end, and on its own page beside their questions', () => {
  const asked = (number, answer) =>
    `<section class="question" aria-label="Question ${number}"><p>How?</p><details class="answer"><summary>Answer</summary><p>${answer}</p></details></section>`;
  const one = page({content: `${asked(1, 'So.')}<p>Then</p>${asked(2, 'Thus.')}`});
  const html = wholeBook([one, page({name: '02_b', title: 'B', content: '<p>none</p>'})]);
  assert.match(
    html,
    /Then[^]*<h2 id="01_a-answers">Answers<\/h2><ol><li value="1"><p>So.<\/p><\/li><li value="2"><p>Thus.<\/p><\/li><\/ol>/,
  );
  assert.equal(html.match(/class="answers"/g).length, 1);
  assert.doesNotMatch(chapterPage(one, [one]), /class="answers"/);
});

test('search knows each section by its own words', () => {
  const documents = searchDocuments([
    page({
      content:
        '<p>intro</p><h2 id="s">Sec <a class="anchor">#</a></h2><p>a &lt; b<svg>no</svg></p>',
    }),
  ]);
  assert.deepEqual(
    documents.map((one) => [one.address, one.title, one.text]),
    [
      ['01_a.html', 'A', 'intro'],
      ['01_a.html#s', 'Sec', 'a < b'],
    ],
  );
  assert.equal(plainText('<p>a</p><p>b</p>'), 'a b');
});

test('the speller sees prose, and no code, numbers or addresses', () => {
  const lines = proseOf(
    "A `kodd` word $x$ {{= nix }} [link](http://adres).\n{{code labs/kodd}}\n$$\nkodd\n$$\n::: figure bars\ncaption: Seen.\nkodd = 1\n:::\nanswer: kodd\n```text\nkodd\n```\nA warp's end",
  );
  assert.deepEqual(
    lines.map((line) => line.trim().replace(/ +/g, ' ')),
    ['A word [link .', '', '', '', '', '', 'Seen.', '', ':::', '', '', '', '', 'A warp end'],
  );
});

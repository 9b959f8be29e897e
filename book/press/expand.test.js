import assert from 'node:assert/strict';
import {test} from 'node:test';
import {expandAll, filesInOrder} from './chapters.js';
import {argumentsOf, expand} from './expand.js';
import {exercisesIn} from './folders.js';

const page = (body, file = 'errata.md') => expand(file, `# Title\n\n${body}\n`);
const html = (body) => page(body).html.join('\n');
const problems = (body) => page(body).problems;

test('plain Markdown passes, and what Doxygen would take for its own does not', () => {
  const {
    markdown,
    html: held,
    problems: none,
  } = page('Some *text* with a < b, @file, \\ref, #tag and std::vector.\n\n> A quotation.');
  assert.deepEqual(none, []);
  assert.match(markdown, /Some TOKEN\d+NEKOTtextTOKEN\d+NEKOT with a TOKEN/);
  assert.match(markdown, /\n> A quotation/);
  for (const special of ['&lt;', '@', '\\', '#', '::']) assert.ok(held.includes(special), special);
});

test('emphasis works beside anything, and a list may begin with a star', () => {
  assert.match(
    page('**"So."** and *a `b`*.').markdown.replace(/TOKEN(\d+)NEKOT/g, '[$1]'),
    /\n\[1\]"So."\[2\] and \[3\]a \[0\]\[4\]\.\n/,
  );
  assert.match(page('* one\n* two').markdown, /\n\* one\n\* two/);
});

test('numbers, code, maths and notes become finished HTML', () => {
  assert.match(
    html('It took {{= 7 / 2 : 1 }} of `a < b`.'),
    /<data class="number" value="3.5">3.5<\/data>[^]*<code>a &lt; b<\/code>/,
  );
  assert.match(html('$x^2$'), /katex/);
  assert.match(
    page('A word.^[A note, with `code`.] More.').markdown,
    /TOKEN\d+NEKOT\n\nA word.TOKEN/,
  );
});

test('headings get anchors from their words, once each', () => {
  assert.deepEqual(
    page('## When `x` is 3\n\nText.').sections.map((one) => one.anchor),
    ['when-x-is-3'],
  );
  assert.match(problems('## One\n\n## One')[0], /a second heading/);
  assert.match(expand('errata.md', 'no title\n').problems[0], /no # title/);
});

test('a question is answered by the press, and refuses choices without the answer', () => {
  assert.match(
    html(
      '::: question\nHow many?\nanswer: banks("32*t").wavefronts\nchoices: 1, 32\nbecause: So.\n:::',
    ),
    /data-right="1"/,
  );
  assert.match(
    problems(
      '::: question\nHow many?\nanswer: banks("32*t").wavefronts\nchoices: 1, 2\nbecause: So.\n:::',
    )[0],
    /the answer is 32, and the choices are 1, 2/,
  );
  assert.match(
    problems('::: question\nWhich?\n- one | when 1 < 2\n- two | when 2 < 3\nbecause: So.\n:::')[0],
    /2 of the question's choices are true/,
  );
  assert.match(
    problems('::: question\nWhich?\n- one | when 3 < 2\n- two | when 5 < 3\nbecause: So.\n:::')[0],
    /0 of the question's/,
  );
  assert.match(problems('::: question\nHow many?\nanswer: 1\n:::')[0], /no because/);
});

test('a wrong directive is named with its line, and the rest is still read', () => {
  assert.deepEqual(
    problems('{{code labs/none.cu}}\n\nText.\n\n{{widget clock}}').map((one) => one.split(': ')[0]),
    ['chapters/errata.md:3', 'chapters/errata.md:7'],
  );
  for (const [body, message] of [
    ['{{fetch x}}', /no directive fetch/],
    ['{{run ls}}', /not recorded/],
    ['::: figure pie\ncaption: x\n:::', /no figure pie/],
    ['::: figure bars\na = 1\nb = 2\n:::', /needs a caption/],
    ['::: box\n:::', /no block box/],
    ['::: fold never', /never closed/],
    ['$$\nx', /never closed/],
    ['A {{= 1 + }} b.', /expected/],
    ['A `b', /never closed/],
    ['$\\nope$', /Undefined control/],
    ['```cuda\nint x;\n```', /quoted, not pasted/],
    ['{{exercise 05_transpose/9_none}}', /no labs/],
    ['Text {{code x}} text.', /line of its own/],
  ])
    assert.match(problems(body)[0] ?? 'nothing', message, body);
});

test('links are followed over all pages', () => {
  const all = expandAll([
    {
      file: 'measuring.md',
      text: '# A\n\n[good](errata.md#two) [bad](errata.md#three) [none](nowhere.md) [here](#one)\n\n## One\n\nText.\n',
    },
    {file: 'errata.md', text: '# B\n\n## Two\n\nText, and [later](01_banks.md).\n'},
  ]);
  assert.equal(all.problems.length, 2);
  assert.match(all.problems[0], /errata.md#three; the page has two/);
  assert.match(all.problems[1], /nowhere.md, and there is no such page/);
  assert.deepEqual(all.missing, ['chapters/errata.md:5: 01_banks.md is not written']);
});

test('the chapters must set every exercise of a lab, once', () => {
  const {problems: found} = expandAll([
    {
      file: '05_transpose.md',
      text: '# T\n\n{{exercise 05_transpose/1_tile}}\n\n{{exercise 05_transpose/1_tile}}\n',
    },
  ]);
  assert.ok(found.some((one) => /2_pad is not set/.test(one)));
  assert.ok(found.some((one) => /1_tile is set twice/.test(one)));
});

test('a chapter may set exercises of a lab that another one begins', () => {
  const set = (file, ...ids) => ({
    file,
    text: `# T\n\n${ids.map((id) => `{{exercise ${id}}}`).join('\n\n')}\n`,
  });
  const [first, ...rest] = exercisesIn('05_transpose');
  const problems = (...files) => expandAll(files).problems.filter((one) => /exercise/.test(one));
  assert.deepEqual(problems(set('05_transpose.md', first), set('06_more.md', ...rest)), []);
  assert.deepEqual(problems(set('05_transpose.md', first, ...rest), set('06_more.md', first)), [
    `chapters/06_more.md:1: the exercise ${first} is set twice`,
  ]);
});

test('pages come in their order, and strangers are refused', () => {
  assert.deepEqual(
    filesInOrder(['errata.md', '02_b.md', 'README.md', 'index.md', '01_a.md', 'measuring.md']),
    ['index.md', '01_a.md', '02_b.md', 'measuring.md', 'errata.md'],
  );
  assert.throws(() => filesInOrder(['notes.md']), /notes.md: a chapter is called/);
});

test('arguments may be quoted', () => {
  assert.deepEqual(argumentsOf('banks index="33 * t" width=8'), {
    words: ['banks'],
    settings: {index: '33 * t', width: '8'},
  });
});

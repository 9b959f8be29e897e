import assert from 'node:assert/strict';
import {test} from 'node:test';
import {codeFigure, highlighted, linesOf, selected} from './code.js';

const FILE = `// head
//! [kernel]
__global__ void turn(float* out,
                     int n) {
  //! [work]
  /* one
     two */
  out[0] = n;
  //! [work]
}
//! [kernel]

__device__ int own() { return threadIdx.x; }

void launch() {
  turn<<<1, 32>>>(0, 1);
}
`;
const numbers = (what) => selected(FILE, what).map((line) => line.number);

test("a student's work stands between two plain sentences, too", () => {
  const inWords = FILE.replace('//! [work]', '// Your work begins here.').replace(
    '//! [work]',
    '// Your work ends here.',
  );
  assert.deepEqual(linesOf(inWords), linesOf(FILE));
});

test('a mark selects its lines, without marks, with the numbers of the file', () => {
  assert.deepEqual(numbers('kernel'), [3, 4, 6, 7, 8, 10]);
  assert.deepEqual(
    selected(FILE, 'kernel')
      .filter((line) => line.work)
      .map((line) => line.number),
    [6, 7, 8],
  );
});

test('a function is selected by its name, long or short', () => {
  assert.deepEqual(numbers('turn()'), [3, 4, 6, 7, 8, 10]);
  assert.deepEqual(numbers('own()'), [13]);
  assert.deepEqual(numbers('launch()'), [15, 16, 17]);
});

test('work lines stand out from the faded rest, and by themselves lose their indent', () => {
  assert.deepEqual(
    selected(FILE, 'work in kernel').map((line) => line.faded),
    [true, true, false, false, false, true],
  );
  assert.equal(selected(FILE, 'work')[2].text, 'out[0] = n;');
});

test('a mark, a function or a file that is not there is an error', () => {
  assert.throws(() => selected(FILE, 'kernels'), /no mark/);
  assert.throws(() => selected(FILE, 'turns()'), /no function turns/);
  assert.throws(() => linesOf('//! [a]\nx\n'), /\[a\] is never closed/);
  assert.throws(() => linesOf('//! [work]\nx\n'), /never closed/);
  assert.throws(() => codeFigure('labs/none.cu'), /there is no/);
  assert.throws(() => codeFigure('chapters/README.md'), /not under/);
  assert.throws(() => codeFigure('labs/../chapters/README.md'), /not under/);
});

test('a comment over two lines is whole in each', () => {
  const lines = highlighted('/* one\n   two */ int x;');
  assert.equal(lines.length, 2);
  for (const line of lines)
    assert.equal((line.match(/<span/g) ?? []).length, (line.match(/<\/span/g) ?? []).length);
  assert.match(lines[1], /hljs-comment/);
});

test("a skeleton's figure says which lines are the student's", () => {
  const html = codeFigure('labs/05_transpose/2_pad.cu', 'kernel');
  assert.match(html, /marked lines are yours/);
  assert.match(html, /class="line work"/);
  assert.match(html, /hljs-built_in">__shared__/);
});

test('what a program showed has neither line numbers nor colours', () => {
  const html = codeFigure('grader/cli/lsp/neovim/golden/02_hover.txt');
  assert.match(html, /bank {4}0/);
  assert.doesNotMatch(html, /data-line|hljs/);
});

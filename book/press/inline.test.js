import assert from 'node:assert/strict';
import {test} from 'node:test';
import {mathsHtml} from './inline.js';

test('TeX becomes a formula with MathML in it, and TeX that is wrong an error', () => {
  assert.match(mathsHtml('33 \\bmod 32 = 1'), /<math[^]*<annotation[^]*class="katex-html"/);
  assert.throws(() => mathsHtml('\\frac{1'), /Expected|KaTeX/);
  assert.throws(() => mathsHtml('\\nosuchcommand'), /Undefined control sequence/);
});

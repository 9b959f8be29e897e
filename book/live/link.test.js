import assert from 'node:assert/strict';
import {test} from 'node:test';
import {deflateRawSync} from 'node:zlib';
import {fragmentOf, MOST_BYTES, textIn} from './link.js';

const PROGRAM = '__global__ void k() {} // 核函数, 🙂\n'.repeat(200);

test('a program comes out of its link as it went in, deflated or not', async () => {
  for (const text of ['', 'int main() {}\n', PROGRAM])
    for (const canDeflate of [true, false]) {
      const fragment = await fragmentOf(text, canDeflate);
      assert.match(fragment, /^[zt]=[\w-]*$/);
      if (text) assert.equal(await textIn(`#${fragment}`), text);
    }
  assert.ok((await fragmentOf(PROGRAM)).length < 300);
});

test('what is no link of a program, or a part of one, is nothing', async () => {
  const whole = await fragmentOf(PROGRAM);
  const zero = Buffer.from('a\0b').toString('base64url');
  const notUtf8 = Buffer.from([0xff, 0xfe]).toString('base64url');
  for (const one of ['', '#', '#at-3-400', '#z=', '#z=!!', '#t=a', `#${whole.slice(0, 60)}`])
    assert.equal(await textIn(one), undefined, one);
  for (const one of [`#t=${zero}`, `#t=${notUtf8}`, `#z=${notUtf8}`, `${whole}&x=1`, `#x=${zero}`])
    assert.equal(await textIn(one), undefined, one);
});

test('a small link that would grow beyond any program is given up', async () => {
  const bomb = deflateRawSync(Buffer.alloc(50 << 20)).toString('base64url');
  assert.equal(await textIn(`#z=${bomb}`), undefined);
  const large = Buffer.alloc(MOST_BYTES + 1, 'x');
  assert.equal(await textIn(`#t=${large.toString('base64url')}`), undefined);
  assert.equal(await textIn(`#z=${deflateRawSync(large).toString('base64url')}`), undefined);
});

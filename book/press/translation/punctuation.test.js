import assert from 'node:assert/strict';
import {test} from 'node:test';
import {spacedLines, widened} from './punctuation.js';

// Wide characters by their codes, so that nothing on the way to this file can change them.
const wide = (text) =>
  text.replace(/<([,;:?!()])>/g, (_, mark) => String.fromCodePoint(mark.codePointAt(0) + 0xfee0));

test('punctuation beside Chinese is wide, and between numbers or Latin words it is not', () => {
  for (const [typed, right] of [
    ['读,写;看:问?', '读<,>写<;>看<:>问<?>'],
    ['1,024 个数,字 0, 2, 4 都在', '1,024 个数<,>字 0, 2, 4 都在'],
    ['`t`, `u`,还有 `f(a, b)`', '`t`<,> `u`<,>还有 `f(a, b)`'],
    ['**存储体**(bank)是', '**存储体**<(>bank<)>是'],
    [
      '见[第 8 章](08_x.md#a-b),要 {{1}} 个 wavefront?',
      '见[第 8 章](08_x.md#a-b)<,>要 {{1}} 个 wavefront<?>',
    ],
    ['叫 **wavefront**,NVIDIA 说', '叫 **wavefront**<,>NVIDIA 说'],
    ['是 gcd(s, 32)', '是 gcd(s, 32)'],
    ['用 cuda::atomic_ref 来', '用 cuda::atomic_ref 来'],
    ['because: 好,是', 'because: 好<,>是'],
    ['no Chinese, none: left (as it is)', 'no Chinese, none: left (as it is)'],
    ['<!-- a, 中 -->', '<!-- a, 中 -->'],
  ]) {
    assert.equal(widened(typed), wide(right));
    assert.equal(widened(wide(right)), wide(right), 'and once is enough');
  }
});

test('a space beside a wide mark is found: there code has got a wide mark', () => {
  for (const [text, lines] of [
    ['写 tile[x][33]<;> 循环不改', [1]],
    ['甲\n问 <?> 乙', [2]],
    ['写 `tile[x][33]; a`<;>循环不改', []],
    ['| 甲<,> | 乙<:>    丙 |', []],
    ['<!-- a<,> b -->', []],
  ])
    assert.deepEqual(spacedLines(wide(text)), lines);
});

import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {LAYOUTS, meetings} from './hardware_sketches.js';
import {chapters, isOwn} from '../press/folders.js';
import {CHAPTERS, SKETCHES, elementsOf, scanOf} from './sketches.js';

test('every sketch says in words what it shows, and stays inside its picture', () => {
  for (const [name, draw] of Object.entries(SKETCHES)) {
    const svg = draw();
    assert.match(svg, /aria-label="[A-Z][^"]{40,}"/, name);
    const [width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg).slice(1).map(Number);
    for (const [, x, y, w, h] of svg.matchAll(
      /<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    ))
      assert.ok(
        Number(x) >= 0 && Number(x) + Number(w) <= width && Number(y) + Number(h) <= height,
        `${name}: a box at ${x}, ${y}`,
      );
  }
});

test('the three levels of the scan add up to running sums', () => {
  const {numbers, result, beforeBlock} = scanOf([3, 1, 4, 1, 5, 9, 2, 6]);
  let sum = 0;
  assert.deepEqual(
    result,
    numbers.map((each) => (sum += each)),
  );
  assert.deepEqual(beforeBlock, [0, 0, 0, 0, 9, 9, 9, 9]);
});

test('elements side by side and apart belong to one thread each', () => {
  for (const isApart of [false, true]) {
    const seen = new Set();
    for (let row = 0; row < 4; ++row)
      for (let column = 0; column < 4; ++column) {
        const {rows, columns} = elementsOf({row, column, threads: 4, each: 4, isApart});
        for (const r of rows) for (const c of columns) seen.add(`${r},${c}`);
      }
    assert.equal(seen.size, 256);
  }
  assert.deepEqual(
    elementsOf({row: 0, column: 1, threads: 4, each: 4, isApart: true}).columns,
    [1, 5, 9, 13],
  );
});

test('at a barrier nobody goes on before the last has come', () => {
  const [first, second] = meetings([
    [2, 3],
    [4, 1],
  ]);
  assert.deepEqual(first, {begin: 0, come: [2, 4], end: 4});
  assert.deepEqual(second, {begin: 4, come: [7, 5], end: 7});
});

test('a core matrix fills a line once in both layouts that a descriptor has, and in plain rows one place', () => {
  const eight = [0, 1, 2, 3, 4, 5, 6, 7];
  const places = (layout, unit) =>
    new Set(eight.map((row) => LAYOUTS[layout](row, unit).place)).size;
  for (const unit of eight)
    assert.deepEqual(
      ['cores', 'swizzled', 'plain'].map((layout) => places(layout, unit)),
      [8, 8, 1],
    );
  for (const at of Object.values(LAYOUTS))
    assert.equal(
      new Set(eight.flatMap((row) => eight.map((unit) => JSON.stringify(at(row, unit))))).size,
      64,
    );
});

test(
  'the picture of chapters has each of them, and a chapter names those that it builds on',
  {skip: isOwn},
  () => {
    const files = readdirSync(chapters).filter((name) => /^\d\d_/.test(name));
    assert.deepEqual(
      Object.keys(CHAPTERS).map(Number),
      files.map((name) => Number(name.slice(0, 2))),
    );
    for (const [number, {on}] of Object.entries(CHAPTERS)) {
      const text = readFileSync(join(chapters, files[number - 1]), 'utf8');
      for (const before of on) {
        assert.ok(before < number, `${number} on ${before}`);
        const says = new RegExp(
          `chapter ${before}\\b|\\]\\(${String(before).padStart(2, '0')}_`,
          'i',
        );
        assert.match(text, says, `${number} on ${before}`);
      }
    }
  },
);

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {valuesOf} from '../frame/frame.js';
import tile from './tile.js';

const rows = (given) =>
  [
    ...tile
      .view(valuesOf(tile, given))
      .details.html.matchAll(
        /<tr><th scope="row">.*?<\/th><td>(\d+)<\/td><td>(\d+)<\/td><td>(\d+)<\/td>/g,
      ),
  ].map((row) => Number(row[3]));

test('conflicts along a row and down a column are those that were measured', () => {
  assert.deepEqual(rows({}), [0, 31]);
  assert.deepEqual(rows({pitch: 33}), [0, 0]);
  assert.deepEqual(rows({swizzle: 'xor'}), [0, 0]);
  assert.deepEqual(rows({rows: 16, columns: 16, pitch: 16}), [0, 7]); // tr_smem<0 16 16>: 3,670,016 of 524,288 requests
  assert.deepEqual(rows({rows: 16, columns: 16, pitch: 17}), [1, 1]); // tr_smem<1 16 16>
  assert.deepEqual(rows({rows: 16, columns: 16, pitch: 16, swizzle: 'xor'}), [0, 0]); // labs/02_padding/demo/sixteen_wide.cu
});

// rc_rowcol, rc_pad1 and rc_pad of grader/device/emulator/conformance/source_kernels.csv, 16 requests each.
test('a rectangle is taken two columns at a time, as measured', () => {
  assert.deepEqual(rows({rows: 16, pitch: 32}), [0, 240 / 16]);
  assert.deepEqual(rows({rows: 16, pitch: 33}), [0, 16 / 16]);
  assert.deepEqual(rows({rows: 16, pitch: 34}), [0, 0]);
});

test('a pitch shorter than a row, and a swizzle of odd rows, are refused', () => {
  assert.throws(() => rows({pitch: 31}), /at least as many/);
  assert.throws(() => rows({columns: 24, swizzle: 'xor'}), /power of two/);
});

test('the picture has every word, and marks what the warp asks for', () => {
  const {picture} = tile.view(valuesOf(tile, {rows: 4, columns: 8, pitch: 9, warp: 'row'}));
  assert.equal(picture.match(/<rect/g).length, 36);
  assert.equal(picture.match(/<rect[^>]*touched/g).length, 32);
  assert.equal(picture.match(/<rect[^>]*padding/g).length, 4);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {table} from '../../press/tables.js';
import {valuesOf} from '../frame/frame.js';
import box, {readOf} from './box.js';

const view = (given) => box.view(valuesOf(box, given));
const says = (given) => view(given).says.replace(/<[^>]+>/g, '');

test('reads cost what an H200 counted for the boxes that were measured', () => {
  const reads = {
    'along rows': ['row', 0],
    'down a column third chunk or last': ['column', 3],
  };
  let compared = 0;
  for (const row of table('h200.tensor_tile_reads').rows) {
    if (!(row.pattern in reads)) continue;
    const [read, last] = reads[row.pattern];
    const rowBytes = Number(row.inner_bytes);
    const chunk = Math.min(last, rowBytes / 16 - 1);
    const {cost} = readOf({rowBytes, rows: 32, swizzle: row.swizzle, base: 1024}, read, {
      width: Number(row.read_width),
      chunk,
    });
    assert.equal(cost.wavefronts, Number(row.wavefronts_counted), JSON.stringify(row));
    ++compared;
  }
  assert.equal(compared, 36);
});

test('a column of chunks is free with a swizzle, one of words is not', () => {
  assert.match(says({}), /4 wavefronts, no more than the bytes need: no conflicts/);
  assert.match(says({width: 4}), /4 wavefronts where 1 would do: 3 conflicts, 4-way/);
  assert.match(says({swizzle: 'none'}), /32 wavefronts where 4 would do/);
  assert.match(says({read: 'four', chunk: 0}), /8 wavefronts where 4/);
  assert.match(says({read: 'quarters', chunk: 0}), /4 wavefronts, no more/);
});

test('a box that the driver refuses is refused, in words', () => {
  assert.throws(() => says({row: 24}), /refuses this box: 24 bytes are no multiple of 16/);
  assert.throws(() => says({row: 64, swizzle: '32B'}), /longer than the 32 of the swizzle/);
  assert.throws(() => says({row: 16}), /the row has 1 chunk, 0 to 0/);
  assert.match(says({row: 256, swizzle: 'none'}), /brings 8,192 bytes/);
});

test('a box narrower than its span leaves gaps', () => {
  assert.match(says({row: 64, chunk: 0}), /rows lie 128 bytes apart/);
  const {picture} = view({row: 64, rows: 8, chunk: 0});
  assert.equal(picture.match(/<rect[^>]*padding/g).length, 32);
});

test('the picture shows each chunk twice, and what the warp reads', () => {
  const {picture} = view({rows: 32});
  assert.equal(picture.match(/<rect[^>]*class="word bank (quiet|touched)/g).length, 2 * 256);
  assert.equal(picture.match(/<rect[^>]*class="word bank touched/g).length, 2 * 32);
  assert.equal(picture.match(/class="middle touched">\d+\.2</g).length, 32);
});

test('lanes behind the last row take no part', () => {
  assert.match(says({rows: 8}), /^8 lanes, 16 bytes each/);
});

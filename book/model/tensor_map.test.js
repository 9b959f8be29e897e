import assert from 'node:assert/strict';
import {test} from 'node:test';
import {table} from '../press/tables.js';
import {sharedCost} from './hardware.js';
import {addressOf, spanOf, swizzled, whyRefused} from './tensor_map.js';

const BYTES = /64$/;
const elementBytes = (type) =>
  BYTES.test(type) ? 8 : type.endsWith('32') ? 4 : type.endsWith('16') ? 2 : 1;

test('the model accepts the boxes that the driver encoded, and no others', () => {
  const {rows} = table('h200.tensor_maps');
  assert.equal(rows.length, 272);
  for (const row of rows) {
    const box = {
      swizzle: row.swizzle,
      rowBytes: Number(row.inner_bytes),
      rows: 8,
      elementBytes: elementBytes(row.type),
    };
    assert.equal(whyRefused(box) === null, row.accepted === 'yes', JSON.stringify(row));
  }
});

// Row and first byte of what each lane reads, by the pattern's name in the table.
const PLACES = {
  'along rows': ({rowBytes, width}, lane) => [
    Math.floor((lane * width) / rowBytes),
    (lane * width) % rowBytes,
  ],
  'down a column third chunk or last': ({rowBytes, width}, lane) => [
    lane,
    (rowBytes > 48 ? 48 : rowBytes - 16) + 16 - width,
  ],
  '8 lanes a row by 4 rows': ({rowBytes, width}, lane) => [
    Math.floor(lane / 8),
    ((lane % 8) * width) % rowBytes,
  ],
};
function wavefrontsOf(row) {
  const box = {
    swizzle: row.swizzle,
    rowBytes: Number(row.inner_bytes),
    width: Number(row.read_width),
    base: 1024,
  };
  const offset = Array.from({length: 32}, (_, lane) =>
    addressOf(box, ...PLACES[row.pattern](box, lane)),
  );
  return sharedCost({offset, width: box.width}).wavefronts;
}

test('reads of a tile that a map has brought cost what was counted', () => {
  const {rows} = table('h200.tensor_tile_reads');
  assert.equal(rows.length, 54);
  for (const row of rows)
    assert.equal(wavefrontsOf(row), Number(row.wavefronts_counted), JSON.stringify(row));
  const plainly = (row) => wavefrontsOf({...row, swizzle: 'none'});
  assert.ok(rows.filter((row) => plainly(row) !== wavefrontsOf(row)).length > 5);
});

test('rows are as far apart as the span, and each of them keeps its own chunks', () => {
  assert.equal(spanOf('64B', 32), 64);
  assert.equal(spanOf('none', 48), 48);
  for (const swizzle of ['32B', '64B', '128B']) {
    const span = spanOf(swizzle, 16);
    for (let row = 0; row < 64; ++row) {
      const chunks = Array.from({length: span / 16}, (_, chunk) =>
        addressOf({swizzle, rowBytes: span}, row, 16 * chunk),
      );
      assert.equal(new Set(chunks).size, span / 16);
      assert.ok(chunks.every((at) => Math.floor(at / span) === row));
    }
  }
});

test('the pattern repeats after 256, 512 and 1,024 bytes, and is that of absolute addresses', () => {
  for (const [swizzle, period] of [
    ['32B', 256],
    ['64B', 512],
    ['128B', 1024],
  ])
    for (let at = 0; at < 4096; at += 16) {
      assert.equal(swizzled(at + period, swizzle), swizzled(at, swizzle) + period);
      assert.equal(swizzled(swizzled(at, swizzle), swizzle), at);
    }
  assert.notEqual(swizzled(128, '128B') - 128, swizzled(0, '128B'));
});

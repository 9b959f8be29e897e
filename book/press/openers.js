// The picture above a chapter's title: what its subject looks like from the banks, by the model. A row is a request, a
// column a bank; w in an index is the row's number.
import {bankPicture} from '../drawing/heat.js';
import {element as e} from '../drawing/html.js';
import {bankLoads} from '../model/hardware.js';
import {offsetsOf} from '../model/lane_expression.js';
import {isOwn} from './folders.js';

const firstLanes = (count) => (count >= 32 ? 0xffffffff : 2 ** count - 1);
const lanesFrom = (first) => (0xffffffff << first) >>> 0;

const OPENERS = {
  index: {rows: 32, index: '(w + 1) * t', says: 'Strides of 1 to 32 words'},
  '01_banks': {index: '(w + 1) * t', says: 'Strides of 1 to 8 words'},
  '02_padding': {
    index: '(w + 29) * t',
    says: 'A column of a tile, with rows of 29 to 36 words',
  },
  '03_dynamic_smem': {
    index: 't % 8 * (w + 29) + t / 8',
    says: 'Four columns of eight rows at once, with rows of 29 to 36 words',
  },
  '04_reduction': {
    index: 't << (w + 1)',
    mask: (w) => firstLanes(128 >> w),
    says: 'Eight rounds of a reduction, interleaved: ever longer queues, until the lanes run out',
  },
  '05_transpose': {index: '32 * t + 4 * w', says: 'Eight columns of a tile, one after the other'},
  '06_constant_memory': {
    rows: 6,
    index: 't >> w',
    says: 'Lanes that agree, more and more, until all want one word',
  },
  '07_shuffles': {
    rows: 6,
    index: 't',
    mask: (w) => (w === 0 ? 0xffffffff : lanesFrom(2 ** (w - 1))),
    says: 'The lanes that add in each step of a scan',
  },
  '08_tiled_product': {
    index: 't % 16 * (w + 1)',
    says: 'Two rows of threads read columns 1 to 8 words apart',
  },
  '09_histograms': {
    index: '(t * t * 11 + t * 37 + w * w * 29 + w * t) % 256',
    says: 'Eight requests of a warp whose lanes have whatever bins the data say',
  },
  '10_matrix_units': {
    index: 't / 4 * (28 + w) + t % 4',
    says: 'Eight rows of 16 bytes, 28 to 35 words apart',
  },
  '11_async_memory': {
    index: '32 * t + 4 * (t % 8 ^ w)',
    says: 'Eight columns of words of a tile that a tensor map has swizzled, four in each of eight banks',
  },
  '12_other_readers': {
    rows: 4,
    index: '32 * (t / 4) + 4 * (t / 4 % (1 << w)) + t % 4',
    says: 'A core matrix in rows of 128 bytes, spread by a swizzle of no bits, of one, of two and of three',
  },
};

export function openerHtml(name) {
  const opener = isOwn ? undefined : OPENERS[name];
  if (!opener) return '';
  const {rows = 8, index, mask, says} = opener;
  const loads = Array.from({length: rows}, (_, w) =>
    bankLoads({offset: offsetsOf(index.replace(/\bw\b/g, String(w)), 4), mask: mask?.(w)}),
  );
  const label = `${says}: how many words each of the 32 banks serves.`;
  return e(
    'figure',
    {class: 'opener'},
    bankPicture({rows: loads, label}),
    e('figcaption', {}, label),
  );
}

export const openers = () => Object.keys(OPENERS).map(openerHtml);

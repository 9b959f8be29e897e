// A box that a tensor map brings: where its chunks of 16 bytes lie in shared memory, and what reading them costs.
import {piecesPicture} from '../../drawing/chunks.js';
import {element as e} from '../../drawing/html.js';
import {passesPicture} from '../../drawing/passes.js';
import {BANKS, LANES, WORD, sharedCost} from '../../model/hardware.js';
import {CHUNK, SWIZZLES, addressOf, spanOf, whyRefused} from '../../model/tensor_map.js';
import {sentence} from '../banks/banks.js';
import {plural, tableOf} from '../frame/frame.js';

const LINE = BANKS * WORD;

// Row and first byte of what each lane reads; width is that of a lane, chunk the first of a column.
const READS = {
  row: {
    title: 'along the rows',
    at: ({rowBytes}, {width}, lane) => [
      Math.floor((lane * width) / rowBytes),
      (lane * width) % rowBytes,
    ],
  },
  column: {title: 'a column: a row each lane', at: (_, {chunk}, lane) => [lane, CHUNK * chunk]},
  second: {
    title: 'a column, every second row',
    at: (_, {chunk}, lane) => [2 * lane, CHUNK * chunk],
  },
  four: {
    title: '8 rows, 4 lanes side by side',
    at: (_, {width, chunk}, lane) => [Math.floor(lane / 4), CHUNK * chunk + (lane % 4) * width],
  },
  quarters: {
    title: '8 rows a quarter of the warp',
    at: (_, {chunk}, lane) => [lane % 8, CHUNK * (chunk + Math.floor(lane / 8))],
  },
};

// What a read of the box asks for: {places: [{lane, row, byte}], cost}. Lanes outside of the box take no part.
export function readOf(box, read, {width, chunk}) {
  const places = Array.from({length: LANES}, (_, lane) => {
    const [row, byte] = READS[read].at(box, {width, chunk}, lane);
    return {lane, row, byte};
  }).filter(({row, byte}) => row < box.rows && byte + width <= box.rowBytes);
  const offset = Array(LANES).fill(0);
  for (const {lane, row, byte} of places) offset[lane] = addressOf(box, row, byte);
  const mask = places.reduce((bits, {lane}) => bits + 2 ** lane, 0);
  return {places, cost: sharedCost({offset, width, mask})};
}

// On a phone there is no room for numbers.
const ofNumbers = (what) => `<span class="for-wide">; numbers are ${what}</span>`;
const figure = (picture, caption) => e('figure', {}, picture, e('figcaption', {}, caption));

function pictures(box, places) {
  const span = spanOf(box.swizzle, box.rowBytes);
  const chunks = box.rowBytes / CHUNK;
  const touched = new Set(places.map(({row, byte}) => `${row} ${Math.floor(byte / CHUNK)}`));
  const held = new Map(); // by chunk of shared memory from the first line on
  const first = Math.floor(box.base / LINE) * LINE;
  for (let row = 0; row < box.rows; ++row)
    for (let chunk = 0; chunk < chunks; ++chunk)
      held.set((addressOf(box, row, CHUNK * chunk) - first) / CHUNK, {row, chunk});
  const kind = ({row, chunk}) => (touched.has(`${row} ${chunk}`) ? 'touched' : 'quiet');
  const bankOf = (row, chunk) => (addressOf(box, row, CHUNK * chunk) / WORD) % BANKS;
  const lines = Math.ceil((box.base - first + box.rows * span) / LINE);
  const inTensor = piecesPicture({
    rows: box.rows,
    columns: chunks,
    width: chunks > 8 ? 22 : 34,
    label: `the box in the tensor: ${plural(box.rows, 'row')} of ${plural(chunks, 'chunk')}, each with the first of its four banks`,
    names: (row) => row,
    cells: (row, chunk) => ({
      bank: bankOf(row, chunk),
      text: bankOf(row, chunk),
      class: kind({row, chunk}),
    }),
  });
  const inMemory = piecesPicture({
    rows: lines,
    columns: LINE / CHUNK,
    width: 34,
    label: `the same in shared memory: ${plural(lines, 'line')} of 128 bytes, each chunk with its row and column of the box`,
    names: (line) => first + line * LINE,
    cells(line, column) {
      const chunk = held.get((line * LINE) / CHUNK + column);
      return chunk
        ? {bank: 4 * column, text: `${chunk.row}.${chunk.chunk}`, class: kind(chunk)}
        : {class: 'padding'};
    },
  });
  return e(
    'div',
    {class: 'pair'},
    figure(inTensor, `in the tensor${ofNumbers('banks')}`),
    figure(inMemory, `in shared memory${ofNumbers('row.chunk')}`),
  );
}

export default {
  name: 'box',
  title: 'A box of a tensor map',
  fields: [
    {name: 'row', label: 'bytes of a row', type: 'number', min: 4, max: 256, step: 16, value: 128},
    {name: 'rows', label: 'rows', type: 'number', min: 1, max: 64, value: 32},
    {
      name: 'swizzle',
      label: 'swizzle',
      type: 'select',
      value: '128B',
      options: Object.fromEntries(Object.entries(SWIZZLES).map(([name, {title}]) => [name, title])),
    },
    {
      name: 'base',
      label: 'begins at byte',
      type: 'select',
      value: '0',
      options: Object.fromEntries(
        Array.from({length: 8}, (_, i) => [String(128 * i), String(128 * i)]),
      ),
    },
    {
      name: 'read',
      label: 'the warp reads',
      type: 'select',
      value: 'column',
      options: Object.fromEntries(Object.entries(READS).map(([name, {title}]) => [name, title])),
    },
    {
      name: 'width',
      label: 'bytes per lane',
      type: 'select',
      value: '16',
      options: {4: '4', 8: '8', 16: '16'},
    },
    {name: 'chunk', label: 'from chunk', type: 'range', min: 0, max: 15, value: 2},
  ],
  view({row, rows, swizzle, base, read, width, chunk}) {
    const box = {rowBytes: row, rows, swizzle, base: Number(base)};
    const refused = whyRefused(box);
    if (refused) throw new Error(`cuTensorMapEncodeTiled refuses this box: ${refused}`);
    const chunks = row / CHUNK;
    if (read !== 'row' && chunk >= chunks)
      throw new Error(`from chunk: the row has ${plural(chunks, 'chunk')}, 0 to ${chunks - 1}`);
    const {places, cost} = readOf(box, read, {width: Number(width), chunk});
    const span = spanOf(swizzle, row);
    const says = `${sentence(cost, `${plural(places.length, 'lane')}, ${width} bytes each`)} The copy brings ${plural(rows * row, 'byte')}, and its barrier has to expect as many${span > row ? `; rows lie ${span} bytes apart, and the gaps are not written` : ''}.`;
    return {
      picture: pictures(box, places) + passesPicture(cost, {label: says.replace(/<[^>]+>/g, '')}),
      says,
      details: {
        title: 'all ways to read this box',
        html: tableOf(
          ['wavefronts, and at best', '4 bytes per lane', '8 bytes', '16 bytes'],
          Object.entries(READS).map(([name, {title}]) => [
            title,
            ...[4, 8, 16].map((each) => {
              const {cost: one} = readOf(box, name, {
                width: each,
                chunk: Math.min(chunk, chunks - 1),
              });
              return `${one.wavefronts} of ${one.ideal}`;
            }),
          ]),
        ),
      },
    };
  },
};

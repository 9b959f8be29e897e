// The transpose view: what one warp reads and writes of a 32 x 32 piece, in sectors, and its way through the tile.
import {gridPicture} from '../../drawing/tiles.js';
import {LANES, SECTOR, sectors, sharedCost} from '../../model/hardware.js';
import {plural, tableOf} from '../frame/frame.js';

const SIDE = 32,
  WORDS = SECTOR / 4;
const lanes = Array.from({length: LANES}, (_, lane) => lane);
const row = (index) => lanes.map((lane) => ({row: index, column: lane}));
const column = (index) => lanes.map((lane) => ({row: lane, column: index}));
const sectorsOf = (elements, pitch) =>
  sectors(elements.map((one) => 4 * (one.row * pitch + one.column)));

// What a warp touches of `in` and of `out`, and of the tile on the way (null: none).
export function stepsOf({way, warp, rows, columns}) {
  const read = row(warp);
  const written = way === 'naive' ? column(warp) : row(warp);
  const pitch = {tile: SIDE, padded: SIDE + 1}[way];
  const tile = (elements) =>
    sharedCost({offset: elements.map((one) => 4 * (one.row * pitch + one.column))});
  return {
    read,
    written,
    readSectors: sectorsOf(read, columns),
    writtenSectors: sectorsOf(written, rows),
    store: pitch ? tile(row(warp)) : null,
    load: pitch ? tile(column(warp)) : null,
  };
}

function piece(elements, kind, label) {
  const touched = new Set(elements.map((one) => one.row * SIDE + one.column));
  const held = new Set(elements.map((one) => one.row * SIDE + Math.floor(one.column / WORDS)));
  return gridPicture({
    rows: SIDE,
    columns: SIDE,
    cell: 9,
    label,
    cells: (r, c) => ({
      class: touched.has(r * SIDE + c)
        ? kind
        : held.has(r * SIDE + Math.floor(c / WORDS))
          ? 'fetched'
          : 'rests',
    }),
    outlines: [...held].map((id) => ({
      row: Math.floor(id / SIDE),
      column: (id % SIDE) * WORDS,
      width: WORDS,
      class: 'sector',
    })),
  });
}

const figure = (picture, caption) =>
  `<figure>${picture}<figcaption>${caption}</figcaption></figure>`;

export default {
  name: 'transpose',
  title: 'Transpose view',
  fields: [
    {
      name: 'way',
      label: 'way',
      type: 'select',
      value: 'naive',
      options: {
        naive: 'straight from in to out',
        tile: 'through a tile',
        padded: 'through a padded tile',
      },
    },
    {name: 'warp', label: 'warp', type: 'range', min: 0, max: 31, value: 0},
    {name: 'rows', label: 'rows of the matrix', type: 'number', min: 32, max: 65536, value: 64},
    {name: 'columns', label: 'columns', type: 'number', min: 32, max: 65536, value: 64},
  ],
  view(values) {
    const {read, written, readSectors, writtenSectors, store, load} = stepsOf(values);
    const waste = `${plural(writtenSectors, 'sector')} of ${SECTOR} bytes for ${4 * LANES} bytes`;
    const through = load
      ? ` In the tile, the store takes ${plural(store.wavefronts, 'wavefront')} and the load ${plural(load.wavefronts, 'wavefront')}: <strong>${plural(store.conflicts + load.conflicts, 'conflict')}</strong>.`
      : '';
    return {
      picture:
        `<div class="pair">${figure(piece(read, 'receives', `in: row ${values.warp}, ${readSectors} sectors`), `<code>in</code>: ${plural(readSectors, 'sector')} read`)}` +
        `${figure(piece(written, 'gives', `out: ${writtenSectors} sectors`), `<code>out</code>: ${plural(writtenSectors, 'sector')} written`)}</div>`,
      says: `Warp ${values.warp} reads ${plural(readSectors, 'sector')} and writes <strong>${waste}</strong>.${through}`,
      details: {
        title: 'the three ways, side by side',
        html: tableOf(
          ['way', 'sectors read', 'sectors written', 'tile store', 'tile load'],
          Object.entries(this.fields[0].options).map(([way, title]) => {
            const one = stepsOf({...values, way});
            return [
              title,
              one.readSectors,
              one.writtenSectors,
              one.store ? plural(one.store.wavefronts, 'wavefront') : '',
              one.load ? plural(one.load.wavefronts, 'wavefront') : '',
            ];
          }),
        ),
      },
    };
  },
};

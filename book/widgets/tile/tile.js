// The tile view: where the words of a tile lie, and what a warp pays to walk along a row or a column of it.
import {gridPicture} from '../../drawing/tiles.js';
import {BANKS, LANES, sharedCost} from '../../model/hardware.js';
import {sentence} from '../banks/banks.js';
import {plural, tableOf} from '../frame/frame.js';

const SIZE = {type: 'number', min: 2, max: 64};

// The word of element (row, column). The swizzle moves an element within its row.
function wordOf({pitch, swizzle, columns}, row, column) {
  return row * pitch + (swizzle === 'xor' ? (column ^ row) % columns : column);
}

// The element of each lane of the first warp, or null outside the tile. Along the rows, as tile[y][x]: one row after the
// other. Down the columns, as tile[x][y]: one column after the other, since a warp that writes rows of the turned tile
// takes two columns where they are only 16 long.
function touched({rows, columns}, turned) {
  return Array.from({length: LANES}, (_, lane) => {
    const length = turned ? rows : columns;
    const far = Math.floor(lane / length);
    const near = lane % length;
    const [row, column] = turned ? [near, far] : [far, near];
    return row < rows && column < columns ? {lane, row, column} : null;
  });
}

function costOf(values, turned) {
  const elements = touched(values, turned);
  const mask = elements.reduce((bits, element, lane) => (element ? bits + 2 ** lane : bits), 0);
  const offset = elements.map((element) =>
    element ? 4 * wordOf(values, element.row, element.column) : 0,
  );
  return sharedCost({offset, mask});
}

export default {
  name: 'tile',
  title: 'Tile view',
  fields: [
    {name: 'rows', label: 'rows', value: 32, ...SIZE, min: 1},
    {name: 'columns', label: 'columns', value: 32, ...SIZE},
    {name: 'pitch', label: 'words from row to row', value: 32, ...SIZE, max: 72},
    {
      name: 'swizzle',
      label: 'column',
      type: 'select',
      value: 'none',
      options: {none: 'as it is', xor: 'column ^ row'},
    },
    {
      name: 'warp',
      label: 'the warp takes',
      type: 'select',
      value: 'column',
      options: {row: 'rows: tile[y][x]', column: 'columns: tile[x][y]'},
    },
  ],
  view(values) {
    const {rows, columns, pitch, swizzle, warp} = values;
    if (pitch < columns)
      throw new Error('words from row to row: at least as many as there are columns');
    if (swizzle === 'xor' && (columns & (columns - 1)) !== 0)
      throw new Error('column ^ row needs a power of two of columns');
    const lanes = new Map();
    for (const element of touched(values, warp === 'column'))
      if (element) lanes.set(wordOf(values, element.row, element.column), element.lane);
    const along = costOf(values, false),
      turned = costOf(values, true);
    const says = sentence(
      warp === 'column' ? turned : along,
      warp === 'column' ? 'The first warp, down the columns' : 'The first warp, along the rows',
    );
    return {
      picture: gridPicture({
        rows,
        columns: pitch,
        label: says.replace(/<[^>]+>/g, ''),
        cells(row, column) {
          const word = row * pitch + column;
          const isTouched = lanes.has(word);
          return {
            bank: word % BANKS,
            text: word % BANKS,
            class: `${isTouched ? 'touched' : 'quiet'}${column >= columns ? ' padding' : ''}`,
          };
        },
      }),
      says: `${says} Numbers are banks; bright ones are what the warp asks for.`,
      details: {
        title: 'both ways through this tile',
        html:
          tableOf(
            ['the first warp takes', 'wavefronts', 'ideal', 'conflicts'],
            [
              ['rows, <code>tile[y][x]</code>', along.wavefronts, along.ideal, along.conflicts],
              [
                'columns, <code>tile[x][y]</code>',
                turned.wavefronts,
                turned.ideal,
                turned.conflicts,
              ],
            ],
          ) + `<p>The tile takes ${plural(4 * rows * pitch, 'byte')}.</p>`,
      },
    };
  },
};

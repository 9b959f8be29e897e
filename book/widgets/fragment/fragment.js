// A fragment: which rows of a tile lanes name for ldmatrix, which numbers each gets, and what the order of units makes of
// the wavefronts.
import {piecesPicture} from '../../drawing/chunks.js';
import {element as e} from '../../drawing/html.js';
import {passesPicture} from '../../drawing/passes.js';
import {gridPicture} from '../../drawing/tiles.js';
import {ORDERS, fragmentCost, gotBy, namedBy, placeOf} from '../../model/fragments.js';
import {BANKS, LANES} from '../../model/hardware.js';
import {sentence} from '../banks/banks.js';
import {tableOf} from '../frame/frame.js';

const ROWS = 16;
const READS = {
  word: {title: 'a load of 4 bytes per lane', matrices: 0, says: 'The load'},
  one: {title: 'ldmatrix.x1', matrices: 1, says: 'One matrix, a row for each of lanes 0 to 7'},
  four: {title: 'ldmatrix.x4', matrices: 4, says: 'Four matrices, a row for each lane'},
};

const figure = (picture, caption) => e('figure', {}, picture, e('figcaption', {}, caption));

function tilePicture(tile, read, lane) {
  const touched = new Map();
  for (let one = 0; one < LANES; ++one) {
    const named = namedBy(one, read);
    if (named) touched.set(placeOf(tile, named.row, named.unit), one);
  }
  const mine = namedBy(lane, read);
  const chosen = mine && placeOf(tile, mine.row, mine.unit);
  const held = new Map();
  for (let row = 0; row < ROWS; ++row)
    for (let unit = 0; unit < tile.units; ++unit) held.set(placeOf(tile, row, unit), unit);
  const columns = tile.units + tile.extra;
  return piecesPicture({
    rows: ROWS,
    columns,
    width: columns > 5 ? 30 : 44,
    label: `${ROWS} rows of ${tile.units} units of 16 bytes; ${touched.size} of them are read`,
    names: (row) => row,
    cells(row, column) {
      const place = row * columns + column;
      if (!held.has(place)) return {class: 'padding'};
      return {
        bank: (4 * place) % BANKS,
        text: held.get(place),
        class: place === chosen ? 'touched chosen' : touched.has(place) ? 'touched' : 'quiet',
      };
    },
  });
}

function fragmentPicture(read, lane) {
  const side = read.matrices === 4 ? 16 : 8;
  const owners = new Map();
  for (let one = 0; one < LANES; ++one)
    for (const {row, column} of gotBy(one, read)) owners.set(row * side + column, one);
  return gridPicture({
    rows: side,
    columns: side,
    cell: side === 16 ? 18 : 26,
    label: `which lane gets which number of ${side} by ${side}`,
    cells(row, column) {
      const owner = owners.get(row * side + column);
      return {text: owner, class: owner === lane ? 'receives' : 'rests'};
    },
  });
}

function laneSays(lane, read) {
  const named = namedBy(lane, read);
  const got = gotBy(lane, read);
  const rows = [...new Set(got.map(({row}) => row))],
    columns = [...new Set(got.map(({column}) => column))];
  const list = (all) =>
    all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
  const gets = `gets columns ${list(columns)} of row${rows.length > 1 ? 's' : ''} ${list(rows)}`;
  if (read.matrices === 0) return `Lane ${lane} ${gets}: the word that it has asked for.`;
  return named
    ? `Lane ${lane} names row ${named.row} of unit ${named.unit}, and ${gets}.`
    : `Lane ${lane} names nothing, and ${gets}.`;
}

const choices = (values) =>
  Object.fromEntries(values.map((value) => [String(value), String(value)]));

export default {
  name: 'fragment',
  title: 'A fragment and its rows',
  fields: [
    {
      name: 'read',
      label: 'read by',
      type: 'select',
      value: 'four',
      options: Object.fromEntries(Object.entries(READS).map(([name, {title}]) => [name, title])),
    },
    {
      name: 'units',
      label: 'units of 16 bytes in a row',
      type: 'select',
      value: '8',
      options: choices([2, 4, 8]),
    },
    {
      name: 'extra',
      label: 'and left empty',
      type: 'select',
      value: '0',
      options: choices([0, 1, 2]),
    },
    {
      name: 'order',
      label: 'place of a unit',
      type: 'select',
      value: 'plain',
      options: Object.fromEntries(Object.entries(ORDERS).map(([name, {title}]) => [name, title])),
    },
    {name: 'unit', label: 'from unit', type: 'range', min: 0, max: 7, value: 0},
    {name: 'lane', label: 'lane', type: 'range', min: 0, max: LANES - 1, value: 9},
  ],
  view({read, units, extra, order, unit, lane}) {
    const tile = {units: Number(units), extra: Number(extra), order};
    const {matrices, says: who} = READS[read];
    const last = unit + (matrices === 4 ? 1 : 0);
    if (last >= tile.units)
      throw new Error(
        `from unit: there are units 0 to ${tile.units - 1}${matrices === 4 ? ', and four matrices take two' : ''}`,
      );
    const request = {matrices, unit};
    const cost = fragmentCost(tile, request);
    const says = `${sentence(cost, who)} ${laneSays(lane, request)}`;
    return {
      picture:
        e(
          'div',
          {class: 'pair'},
          figure(
            tilePicture(tile, request, lane),
            'the tile<span class="for-wide">; numbers are units</span>; colours are banks',
          ),
          figure(
            fragmentPicture(request, lane),
            'the fragment<span class="for-wide">; numbers are lanes</span>',
          ),
        ) + passesPicture(cost, {label: says.replace(/<[^>]+>/g, '')}),
      says,
      details: {
        title: 'all orders of these rows',
        html: tableOf(
          ['wavefronts', 'as it is', 'one unit left empty', 'unit ^ row', 'unit ^ row / 2'],
          Object.values(READS).map(({title, matrices: count}) => [
            title,
            ...[
              {extra: 0, order: 'plain'},
              {extra: 1, order: 'plain'},
              {extra: 0, order: 'row'},
              {extra: 0, order: 'half'},
            ].map(
              (way) =>
                fragmentCost({units: tile.units, ...way}, {matrices: count, unit: 0}).wavefronts,
            ),
          ]),
        ),
      },
    };
  },
};

// Fragments of 8x8 matrices of 16-bit numbers: who holds what, which rows lanes name for ldmatrix, and what that costs
// (the rule of grader/device/model/matrix.hpp). A tile has rows of units of 16 bytes, eight numbers each.
import {LANES, sharedCost} from './hardware.js';

export const UNIT = 16;
const SIDE = 8; // of a matrix

// The place of a unit in its row.
export const ORDERS = {
  plain: {title: 'as it is', of: (unit) => unit},
  row: {title: 'unit ^ row % units', of: (unit, row, units) => unit ^ (row % units)},
  half: {
    title: 'unit ^ row / 2 % units',
    of: (unit, row, units) => unit ^ (Math.floor(row / 2) % units),
  },
};

// The number of a unit in shared memory; rows are `extra` units longer than what is in them.
export const placeOf = ({units, extra, order}, row, unit) =>
  row * (units + extra) + ORDERS[order].of(unit, row, units);

// What each lane names: a row of a matrix for ldmatrix, a word for a load. `matrices`: 0 for a load, 1, or 4, of which
// the second lies below the first, the third and the fourth to the right.
export function namedBy(lane, {matrices, unit}) {
  if (matrices === 0) return {row: Math.floor(lane / 4), unit, byte: 4 * (lane % 4)};
  if (lane >= SIDE * matrices) return null;
  return {row: lane % 16, unit: unit + Math.floor(lane / 16), byte: 0};
}

// The rows and columns of the numbers that a lane gets, from the first of the matrices on.
export function gotBy(lane, {matrices}) {
  const row = Math.floor(lane / 4),
    column = 2 * (lane % 4);
  const corners =
    matrices === 4
      ? [
          [0, 0],
          [SIDE, 0],
          [0, SIDE],
          [SIDE, SIDE],
        ]
      : [[0, 0]];
  return corners.flatMap(([down, right]) => [
    {row: down + row, column: right + column},
    {row: down + row, column: right + column + 1},
  ]);
}

// Passes of the request: each matrix's eight rows are served together, as if by a load of 16 bytes a lane.
export function fragmentCost(tile, read) {
  const offset = Array.from({length: LANES}, (_, lane) => {
    const named = namedBy(lane, read);
    return named ? UNIT * placeOf(tile, named.row, named.unit) + named.byte : 0;
  });
  return read.matrices === 0 ? sharedCost({offset}) : matrixCost(offset, read.matrices);
}

// The same for any addresses of rows.
export function matrixCost(offset, matrices) {
  const costs = Array.from({length: matrices}, (_, i) =>
    sharedCost({offset, width: UNIT, mask: (0xff << (SIDE * i)) >>> 0}),
  );
  const sum = (of) => costs.reduce((all, cost) => all + of(cost), 0);
  return {
    passes: costs.flatMap(({passes}) => passes),
    ways: Math.max(...costs.map(({ways}) => ways)),
    ideal: sum(({ideal}) => ideal),
    wavefronts: sum(({wavefronts}) => wavefronts),
    conflicts: sum(({conflicts}) => conflicts),
  };
}

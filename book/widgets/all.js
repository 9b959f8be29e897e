// Every widget of the book, by name.
import banks from './banks/banks.js';
import histogram from './histogram/histogram.js';
import occupancy from './occupancy/occupancy.js';
import reduction from './reduction/reduction.js';
import shuffle from './shuffle/shuffle.js';
import tile from './tile/tile.js';
import transpose from './transpose/transpose.js';

export const widgets = Object.fromEntries(
  [banks, tile, reduction, transpose, shuffle, occupancy, histogram].map((one) => [one.name, one]),
);

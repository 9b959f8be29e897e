// Every widget of the book, by name.
import banks from './banks/banks.js';
import box from './box/box.js';
import cluster from './cluster/cluster.js';
import fragment from './fragment/fragment.js';
import histogram from './histogram/histogram.js';
import occupancy from './occupancy/occupancy.js';
import reduction from './reduction/reduction.js';
import ring from './ring/ring.js';
import shuffle from './shuffle/shuffle.js';
import tile from './tile/tile.js';
import transpose from './transpose/transpose.js';

export const widgets = Object.fromEntries(
  [
    banks,
    tile,
    reduction,
    transpose,
    shuffle,
    occupancy,
    histogram,
    ring,
    box,
    cluster,
    fragment,
  ].map((one) => [one.name, one]),
);

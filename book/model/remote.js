// What a request to the shared memory of another block of a cluster costs: the rules of grader/device/model/remote.hpp,
// measured on an H200. No bank is asked; what counts is sectors of 32 bytes and lines of 128.
import {ALL, LANES, SECTOR, WORD} from './hardware.js';

export const LINE = 128;

// An address of the window through which a cluster is seen: the rank of a block, and a place in its shared memory.
export const mapa = (place, rank) => rank * 2 ** 24 + place;
export const shownAddress = (address) => `0x${address.toString(16).padStart(8, '0')}`;

// A load or store has one round. Atomics do not merge on the way: the k-th lane of each word is in round k.
function roundsOf(active, access, offset) {
  if (access !== 'atomic') return active.length > 0 ? [active] : [];
  const rounds = [];
  const seen = new Map();
  for (const lane of active) {
    const word = Math.floor(offset[lane] / WORD);
    const round = seen.get(word) ?? 0;
    seen.set(word, round + 1);
    (rounds[round] ??= []).push(lane);
  }
  return rounds;
}

// The lanes that touch each piece of `size` bytes, by its number.
function piecesOf(lanes, offset, width, size) {
  const pieces = new Map();
  for (const lane of lanes)
    for (
      let piece = Math.floor(offset[lane] / size);
      piece <= Math.floor((offset[lane] + width - 1) / size);
      ++piece
    ) {
      if (!pieces.has(piece)) pieces.set(piece, []);
      pieces.get(piece).push(lane);
    }
  return pieces;
}

// A request of a warp: access 'load', 'store' or 'atomic'; width 4, 8 or 16; offset: bytes, for each lane. What is not
// known for certain is null: the bytes of a store, and the lines of an atomic. `touched`: sectors, with their lanes.
export function remoteCost({access = 'load', width = 4, mask = ALL, offset}) {
  const active = Array.from({length: LANES}, (_, lane) => lane).filter(
    (lane) => (mask >>> lane) & 1,
  );
  const rounds = roundsOf(active, access, offset);
  const sectors = rounds.reduce(
    (sum, lanes) => sum + piecesOf(lanes, offset, width, SECTOR).size,
    0,
  );
  const lines = access === 'atomic' ? null : piecesOf(active, offset, width, LINE).size;
  return {
    sectors,
    lines,
    bytes: {load: 32 * sectors, atomic: 64 * sectors, store: null}[access],
    rounds: rounds.length,
    touched: piecesOf(active, offset, width, SECTOR),
  };
}

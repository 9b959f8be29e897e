import assert from 'node:assert/strict';
import {test} from 'node:test';
import {table} from '../press/tables.js';
import {sharedCost} from './hardware.js';
import {mapa, remoteCost, shownAddress} from './remote.js';

const each = (offsetOf) => Array.from({length: 32}, (_, lane) => offsetOf(lane));

// Patterns have names in the table, or are listed.
const NAMED = {
  broadcast: () => 0,
  '2 lines same banks': (lane) => (lane % 16) * 4 + Math.floor(lane / 16) * 128,
  '4 lines no bank shared': (lane) => lane * 4 + Math.floor(lane / 8) * 128,
  reversed: (lane) => 124 - lane * 4,
  'offset 64': (lane) => lane * 4 + 64,
};
function offsetOf(pattern) {
  if (pattern.startsWith('offsets ')) return pattern.slice(8).split(' ').map(Number);
  const stride = /^stride(\d+)/.exec(pattern);
  return each(stride ? (lane) => 4 * lane * Number(stride[1]) : NAMED[pattern]);
}
const ACCESS = {ld: 'load', st: 'store', 'st.async': 'store', atom: 'atomic', red: 'atomic'};
const requestOf = (row) => ({
  access: ACCESS[row.operation],
  width: Number(row.width_bytes),
  mask: Number(row.active_mask),
  offset: offsetOf(row.pattern),
});

function differs(row) {
  const {sectors, lines, bytes} = remoteCost(requestOf(row));
  return (
    sectors !== Number(row.dshared_sectors) ||
    (lines !== null && lines !== Number(row.dshared_lines)) ||
    (bytes !== null && bytes !== Number(row.dshared_bytes))
  );
}
const measured = table('h200.remote_patterns').rows;
const remote = measured.filter((row) => row.target === 'remote');

test('the model reproduces every request to another block that was measured', () => {
  assert.equal(remote.length, 116);
  assert.deepEqual(remote.filter(differs), []);
  assert.ok(remote.every((row) => row.shared_wavefronts === '0' || row.shared_wavefronts === ''));
});

test('a row with another count is found', () => {
  const [row] = remote;
  assert.ok(differs({...row, dshared_sectors: Number(row.dshared_sectors) + 1}));
  assert.ok(differs({...row, dshared_lines: Number(row.dshared_lines) + 1}));
});

test('through the window to the block itself, banks are all that counts', () => {
  const own = measured.filter((row) => row.target === 'own');
  assert.equal(own.length, 34);
  for (const row of own)
    assert.equal(sharedCost(requestOf(row)).wavefronts, Number(row.shared_wavefronts), row.pattern);
});

test('a stride without bank conflicts costs as much as one with 31', () => {
  const strided = (words) => remoteCost({offset: each((lane) => 4 * words * lane)});
  assert.equal(strided(32).sectors, 32);
  assert.equal(strided(33).sectors, 32);
  assert.equal(strided(1).sectors, 4);
});

test('a broadcast is one sector, and 32 for additions', () => {
  const offset = each(() => 64);
  assert.equal(remoteCost({offset}).sectors, 1);
  const added = remoteCost({access: 'atomic', offset});
  assert.deepEqual([added.sectors, added.rounds, added.lines], [32, 32, null]);
});

test('an address of the window has the rank in its highest byte', () => {
  assert.equal(shownAddress(mapa(0x400, 2)), '0x02000400');
  assert.equal(shownAddress(mapa(0x400, 15)), '0x0f000400');
});

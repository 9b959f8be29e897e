import assert from 'node:assert/strict';
import {test} from 'node:test';
import {table} from '../press/tables.js';
import {fragmentCost, gotBy, matrixCost, namedBy} from './fragments.js';

const MATRICES = {
  'ldmatrix.x1': 1,
  'ldmatrix.x2': 2,
  'ldmatrix.x4': 4,
  'ldmatrix.x4.trans': 4,
};

test('ldmatrix takes the cycles that an H200 took, by the distance of rows', () => {
  const {rows} = table('h200.ldmatrix');
  assert.equal(rows.length, 52);
  for (const row of rows) {
    const offset = Array.from({length: 32}, (_, lane) => lane * Number(row.row_bytes));
    const {wavefronts} = matrixCost(offset, MATRICES[row.request]);
    assert.equal(wavefronts, Math.round(Number(row.cycles)), JSON.stringify(row));
  }
});

test('it takes the wavefronts that were counted, for any rows', () => {
  const rows = table('h200.patterns_matrix').rows.filter(({access}) => access.includes('ldmatrix'));
  assert.ok(rows.length > 100);
  for (const row of rows) {
    const matrices = Number(/x(\d)/.exec(row.access)[1]);
    const offset = Array.from({length: 32}, (_, lane) => Number(row[`lane${lane}`]));
    assert.equal(matrixCost(offset, matrices).wavefronts, Number(row.wavefronts), row.access);
  }
});

const cost = (tile, matrices = 1, unit = 0) =>
  fragmentCost({units: 8, extra: 0, order: 'plain', ...tile}, {matrices, unit}).wavefronts;

test('padding by a unit and either order free what they are made for', () => {
  assert.deepEqual([cost({}), cost({extra: 1}), cost({order: 'row'})], [8, 1, 1]);
  assert.deepEqual(
    [cost({units: 4}), cost({units: 4, order: 'row'}), cost({units: 4, order: 'half'})],
    [4, 2, 1],
  );
  assert.equal(cost({order: 'row'}, 4), 4);
  assert.equal(cost({order: 'row'}, 0), 1);
  assert.equal(cost({}, 0), 8);
});

test('every number is held once, and every row is named once', () => {
  for (const matrices of [1, 4]) {
    const held = Array.from({length: 32}, (_, lane) => gotBy(lane, {matrices})).flat();
    const side = matrices === 4 ? 16 : 8;
    assert.equal(new Set(held.map(({row, column}) => row * side + column)).size, side * side);
    const named = Array.from({length: 32}, (_, lane) => namedBy(lane, {matrices, unit: 0}));
    assert.equal(
      new Set(named.filter(Boolean).map(({row, unit}) => `${row} ${unit}`)).size,
      8 * matrices,
    );
  }
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {MISTAKES, TILES, run} from './ring.js';

const SHAPES = [1, 2, 3, 4].flatMap((stages) =>
  [1, 2, 3, 4].flatMap((copySteps) =>
    [1, 2, 3].map((slowSteps) => ({stages, copySteps, slowSteps})),
  ),
);
const usual = {stages: 3, copySteps: 3, slowSteps: 2};
const kinds = ({states}) => [...new Set(states.at(-1).found.map(({kind}) => kind))];

test('without a mistake every ring brings all tiles, and nobody reads a wrong one', () => {
  for (const shape of SHAPES) {
    const result = run(shape);
    assert.equal(result.end, 'done', JSON.stringify(shape));
    assert.deepEqual(result.states.at(-1).found, []);
    const {full, empty} = result.states.at(-1).stages[0];
    const rounds = Math.ceil(TILES / shape.stages);
    assert.deepEqual([full.phase, empty.phase], [rounds, rounds]);
  }
});

test('each warp reads each tile once, in order', () => {
  for (const shape of SHAPES)
    for (const number of [0, 1]) {
      const read = run(shape)
        .states.map(({warps}) => warps[number])
        .filter(({does}) => does === 'releases')
        .map(({tile}) => tile - 1);
      assert.deepEqual(
        read,
        Array.from({length: TILES}, (_, tile) => tile),
      );
    }
});

test('stages hide copies, until the warps are what is waited for', () => {
  const steps = [1, 2, 3, 4].map(
    (stages) => run({stages, copySteps: 4, slowSteps: 1}).states.length - 1,
  );
  assert.ok(steps[0] > steps[1] && steps[1] > steps[2], String(steps));
  const slow = [2, 3, 4].map(
    (stages) => run({stages, copySteps: 1, slowSteps: 3}).states.length - 1,
  );
  assert.deepEqual(new Set(slow.slice(1)).size, 1);
});

test('a producer that begins with parity 0 asks for nothing', () => {
  for (const shape of SHAPES) {
    const {states, end} = run({...shape, mistake: 'start'});
    assert.equal(end, 'stuck');
    assert.ok(states.every(({copies}) => copies.length === 0));
  }
});

test('without a wait for empty, a tile is refilled while it is read', () => {
  const result = run({...usual, mistake: 'unreleased'});
  assert.deepEqual(kinds(result).slice(0, 2), ['refilled', 'overwritten']);
});

test('without a wait for full, a warp reads what has not come', () => {
  const result = run({stages: 1, copySteps: 3, slowSteps: 2, mistake: 'unfilled'});
  assert.equal(kinds(result)[0], 'early');
  assert.equal(result.states.at(-1).found[0].holds, null);
});

test('a phase in which more arrive than it waits for is where the run ends', () => {
  const {states, end} = run({stages: 1, copySteps: 3, slowSteps: 1, mistake: 'unreleased'});
  assert.equal(end, 'undefined');
  assert.equal(states.at(-1).found.at(-1).kind, 'crowded');
});

test('a mistake that depends on time may not show', () => {
  const result = run({stages: 4, copySteps: 1, slowSteps: 1, mistake: 'unreleased'});
  assert.equal(result.end, 'done');
  assert.ok(!kinds(result).includes('overwritten'));
});

test('a warp that does not arrive lets the producer fill each stage once', () => {
  for (const shape of SHAPES) {
    const {states, end} = run({...shape, mistake: 'silent'});
    assert.equal(end, 'stuck');
    const last = states.at(-1);
    assert.deepEqual([last.producer.tile, last.producer.does], [shape.stages, 'waits']);
    assert.deepEqual(last.found, []);
  }
});

test('too many arrivals end phases early, and two of them look like none', () => {
  const early = run({...usual, slowSteps: 3, mistake: 'twice'});
  assert.equal(kinds(early)[0], 'refilled');
  const twoPhases = run({...usual, slowSteps: 1, mistake: 'twice'});
  assert.deepEqual([twoPhases.end, kinds(twoPhases)[0]], ['stuck', 'missed']);
});

test('too few bytes let the warps in early, too many and odd sizes never', () => {
  for (const shape of SHAPES.filter(({copySteps}) => copySteps > 1))
    assert.equal(run({...shape, mistake: 'few'}).states.at(-1).found[0].kind, 'early');
  for (const mistake of ['many', 'size'])
    for (const shape of SHAPES) {
      const {states, end} = run({...shape, mistake});
      assert.equal(end, 'stuck');
      assert.ok(states.every(({warps}) => warps.every(({tile}) => tile === 0)));
      assert.ok(states.at(-1).stages[0].full.bytes > 0);
    }
});

test('every run ends, and only a correct one is without a trace for every shape', () => {
  for (const mistake of Object.keys(MISTAKES)) {
    const results = SHAPES.map((shape) => run({...shape, mistake}));
    const shows = results.some((result) => result.end !== 'done' || kinds(result).length > 0);
    assert.equal(shows, mistake !== 'none', mistake);
    for (const {states} of results) assert.ok(states.length - 1 <= 40, mistake);
  }
});

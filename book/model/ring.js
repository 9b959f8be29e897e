// A ring of stages in shared memory, step by step: a producer that asks for bulk copies, two consumer warps, and two
// barriers a stage. Nothing is decided in advance: what a mistake leads to follows from barrier.js.
//
// A step is a while of no particular length. In each, what is on its way comes first, then the warps, then the producer.
import {Barrier, partsOfCopy} from './barrier.js';

export const TILES = 6;
export const TILE_BYTES = 1024;
const PARTS = 4; // of a tile, that a copy brings one after the other
const WARPS = 2;
const MOST_STEPS = 64;

// What can be done wrong, as the program would have it.
export const MISTAKES = {
  none: 'nothing',
  start: 'the producer begins with parity 0',
  unfilled: 'the warps do not wait for the last stage to be full',
  unreleased: 'the producer does not wait for a stage to be empty',
  flip: 'the warps never change their parity',
  silent: 'warp 1 does not arrive at empty',
  twice: 'each warp arrives at empty twice',
  few: 'half the bytes are expected',
  many: 'more bytes are expected than come',
  size: 'a tile has 1,000 bytes, no multiple of 16',
};

const bytesOf = (mistake) => (mistake === 'size' ? 1000 : TILE_BYTES);
const expectedOf = (mistake) =>
  ({few: TILE_BYTES / 2, many: TILE_BYTES + 256})[mistake] ?? bytesOf(mistake);

class Ring {
  constructor({stages, copySteps, slowSteps, mistake}) {
    Object.assign(this, {copySteps, mistake, step: 0, found: [], isUndefined: false});
    this.stages = Array.from({length: stages}, () => ({
      parts: Array(PARTS).fill(null), // the tile that each part is of
      full: new Barrier(1),
      empty: new Barrier(WARPS),
    }));
    this.producer = {tile: 0, parity: mistake === 'start' ? 0 : 1, does: 'begins'};
    this.warps = [1, slowSteps].map((steps) => ({
      tile: 0,
      parity: 0,
      steps,
      left: 0,
      does: 'begins',
    }));
    this.copies = [];
  }

  stageOf(tile) {
    return tile % this.stages.length;
  }
  roundOf(tile) {
    return Math.floor(tile / this.stages.length);
  }
  find(kind, more) {
    const isKnown = this.found.some(
      (one) => one.kind === kind && one.warp === more.warp && one.tile === more.tile,
    );
    if (!isKnown) this.found.push({kind, step: this.step, ...more});
  }

  // The parts that each copy brings in this step; a copy that is through is no longer there.
  bring() {
    for (const copy of this.copies) {
      ++copy.age;
      const stage = this.stages[this.stageOf(copy.tile)];
      for (; copy.come < Math.floor((PARTS * copy.age) / this.copySteps); ++copy.come) {
        stage.parts[copy.come] = copy.tile;
        stage.full.come(copy.bytes[copy.come]);
      }
    }
    const before = this.copies.length;
    this.copies = this.copies.filter(({come}) => come < PARTS);
    return before > 0;
  }

  // A parity says only whether the number of complete phases is odd or even: who wants `phases` of them, and finds more,
  // waits for another.
  noteMissed(barrier, phases, more) {
    if (barrier.phase > phases) this.find('missed', more);
  }

  goOnWithWarp(number) {
    const warp = this.warps[number];
    if (warp.tile >= TILES) {
      warp.does = 'is done';
      return false;
    }
    const at = this.stageOf(warp.tile);
    const stage = this.stages[at];
    if (warp.left === 0) {
      const looks = !(this.mistake === 'unfilled' && at === this.stages.length - 1);
      if (looks && !stage.full.isPast(warp.parity)) {
        this.noteMissed(stage.full, this.roundOf(warp.tile) + 1, {
          barrier: 'full',
          warp: number,
          tile: warp.tile,
        });
        warp.does = 'waits';
        return false;
      }
      warp.left = warp.steps;
    }
    warp.does = 'reads';
    const strange = stage.parts.find((tile) => tile !== warp.tile);
    if (strange !== undefined)
      this.find(strange !== null && strange > warp.tile ? 'overwritten' : 'early', {
        warp: number,
        tile: warp.tile,
        holds: strange,
      });
    if (--warp.left === 0) this.release(number);
    return true;
  }

  release(number) {
    const warp = this.warps[number];
    const {empty} = this.stages[this.stageOf(warp.tile)];
    const times = {silent: number === 1 ? 0 : 1, twice: 2}[this.mistake] ?? 1;
    for (let i = 0; i < times; ++i) empty.arrive();
    warp.does = 'releases';
    ++warp.tile;
    if (this.stageOf(warp.tile) === 0 && this.mistake !== 'flip') warp.parity ^= 1;
  }

  goOnWithProducer() {
    const {producer} = this;
    if (producer.tile >= TILES) {
      producer.does = 'is done';
      return false;
    }
    const {tile} = producer;
    const stage = this.stages[this.stageOf(tile)];
    if (this.mistake !== 'unreleased' && !stage.empty.isPast(producer.parity)) {
      this.noteMissed(stage.empty, this.roundOf(tile), {barrier: 'empty', tile});
      producer.does = 'waits';
      return false;
    }
    this.warps.forEach((warp, number) => {
      const still = tile - this.stages.length;
      const isReading = warp.tile === still && warp.left > 0;
      if (warp.tile <= still) this.find('refilled', {warp: number, tile, still, isReading});
    });
    producer.does = 'asks';
    if (stage.full.pending === 0) {
      this.find('crowded', {tile});
      this.isUndefined = true;
    }
    stage.full.arriveExpecting(expectedOf(this.mistake));
    this.copies.push({tile, age: 0, come: 0, bytes: partsOfCopy(bytesOf(this.mistake), PARTS)});
    ++producer.tile;
    if (this.stageOf(producer.tile) === 0) producer.parity ^= 1;
    return true;
  }

  // What the picture shows: all of it at the end of a step.
  state() {
    const who = ({tile, does, parity, left}) => ({tile, does, parity, left});
    return {
      step: this.step,
      producer: who(this.producer),
      warps: this.warps.map(who),
      stages: this.stages.map(({parts, full, empty}) => ({
        parts: [...parts],
        full: {...full},
        empty: {...empty},
      })),
      copies: this.copies.map(({tile, come}) => ({tile, come})),
      found: [...this.found],
    };
  }
}

// The states after each step, the first before any, and how it ends: 'done'; 'stuck' when nobody can go on; 'undefined' when
// more arrive in a phase than it waits for, as nothing says what happens then.
export function run({stages, copySteps, slowSteps, mistake = 'none'}) {
  const ring = new Ring({stages, copySteps, slowSteps, mistake});
  const states = [ring.state()];
  for (;;) {
    ++ring.step;
    const isMoving = [
      ring.bring(),
      ...ring.warps.map((_, number) => ring.goOnWithWarp(number)),
      ring.goOnWithProducer(),
    ].some(Boolean);
    if (!isMoving) break;
    states.push(ring.state());
    if (ring.isUndefined) return {states, end: 'undefined'};
    if (ring.step > MOST_STEPS) throw new Error('the ring does not come to an end');
  }
  // Waits of the last step are those of ever after.
  const last = ring.state();
  const end = [last.producer, ...last.warps].every(({tile}) => tile >= TILES) ? 'done' : 'stuck';
  if (end === 'stuck') states.push(last);
  return {states, end};
}

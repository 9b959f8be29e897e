// A ring of stages with phases: a producer, bulk copies and two warps, step by step, as it should be or with one mistake.
import {stagesPicture, timePicture} from '../../drawing/ring.js';
import {MISTAKES, TILES, run} from '../../model/ring.js';
import {plural, tableOf} from '../frame/frame.js';

const MOST_STEPS = 40;

const numbers = (from, to) =>
  Object.fromEntries(
    Array.from({length: to - from + 1}, (_, i) => [String(from + i), String(from + i)]),
  );

const barrierName = (kind, tile, stages) => `${kind}[${tile % stages.length}]`;

function producerSays({producer, stages}) {
  const {tile, does, parity} = producer;
  if (does === 'begins') return '';
  if (does === 'is done') return 'The producer has asked for all tiles.';
  if (does === 'asks')
    return `The producer asks for tile ${tile - 1}, into stage ${(tile - 1) % stages.length}.`;
  const {empty} = stages[tile % stages.length];
  return `The producer waits for ${barrierName('empty', tile, stages)} with parity ${parity} (phases complete: ${empty.phase}).`;
}

function warpSays({tile, does, parity}, number, {stages}) {
  if (does === 'begins') return '';
  if (does === 'is done') return `Warp ${number} is done.`;
  if (does === 'reads') return `Warp ${number} reads tile ${tile}.`;
  if (does === 'releases')
    return `Warp ${number} reads tile ${tile - 1}, and leaves stage ${(tile - 1) % stages.length}.`;
  const {full} = stages[tile % stages.length];
  return `Warp ${number} waits for ${barrierName('full', tile, stages)} with parity ${parity} (phases complete: ${full.phase}).`;
}

// What went wrong first, in words.
function foundSays({kind, step, warp, tile, holds, still, isReading, barrier}, {stages}) {
  const stage = tile % stages.length;
  const what = {
    early: () =>
      `warp ${warp} reads tile ${tile} in stage ${stage}, where ${holds === null ? 'not all of it has come' : `part of tile ${holds} still lies`}`,
    overwritten: () =>
      `warp ${warp} reads tile ${tile} in stage ${stage}, where part of tile ${holds} lies by now`,
    refilled: () =>
      `a copy of tile ${tile} begins to go into stage ${stage}, where warp ${warp} ${isReading ? 'is still reading' : 'has not yet read'} tile ${still}`,
    missed: () =>
      `${warp === undefined ? 'the producer' : `warp ${warp}`} is late at ${barrierName(barrier, tile, stages)}: another phase is complete by then, and the parity is again as it was before the one that is waited for`,
    crowded: () =>
      `the producer arrives at ${barrierName('full', tile, stages)}, whose phase waits for no more arrivals: nothing says what comes of that`,
  }[kind]();
  return `In step ${step} ${what}.`;
}

const missingSays = ({full}) =>
  full.bytes > 0 && full.pending === 0 ? `, which still wants ${full.bytes} bytes` : '';

function nobodySays({producer, warps, stages}) {
  const waiting = [
    producer.does === 'waits' &&
      `the producer waits for ${barrierName('empty', producer.tile, stages)}`,
    ...warps.map(
      ({tile, does}, number) =>
        does === 'waits' &&
        `warp ${number} for ${barrierName('full', tile, stages)}${missingSays(stages[tile % stages.length])}`,
    ),
  ].filter(Boolean);
  return `Nobody can go on: ${waiting.join('; ')}. The kernel never ends, and no error says why.`;
}

function verdictOf({states, end}, at, mistake) {
  const isLast = at === states.length - 1;
  const state = states[at];
  const [first] = state.found;
  const says = [];
  if (first) says.push(foundSays(first, state));
  if (isLast && end === 'undefined') {
    const last = state.found.at(-1);
    if (last !== first) says.push(foundSays(last, state));
    says.push('The widget stops here.');
  }
  if (isLast && end === 'stuck') says.push(nobodySays(state));
  if (isLast && end === 'done') {
    const isWrong = state.found.some(({kind}) => kind === 'early' || kind === 'overwritten');
    says.push(
      isWrong
        ? 'The kernel ends, with a wrong result.'
        : mistake === 'none'
          ? `All ${TILES} tiles are read, in ${plural(at, 'step')}.`
          : `All ${TILES} tiles are read, in ${plural(at, 'step')}: this time the mistake does not show.`,
    );
  }
  return says.length > 0 ? ` <strong>${says.join(' ')}</strong>` : '';
}

export default {
  name: 'ring',
  title: 'A ring of stages',
  fields: [
    {name: 'stages', label: 'stages', type: 'select', value: '3', options: numbers(1, 4)},
    {name: 'copy', label: 'steps of a copy', type: 'select', value: '3', options: numbers(1, 4)},
    {
      name: 'slow',
      label: "warp 1's steps per tile",
      type: 'select',
      value: '2',
      options: numbers(1, 3),
    },
    {name: 'mistake', label: 'what is wrong', type: 'select', value: 'none', options: MISTAKES},
    {name: 'step', label: 'step', type: 'range', min: 0, max: MOST_STEPS, value: 0},
  ],
  view({stages, copy, slow, mistake, step}) {
    const result = run({
      stages: Number(stages),
      copySteps: Number(copy),
      slowSteps: Number(slow),
      mistake,
    });
    const {states} = result;
    const at = Math.min(step, states.length - 1);
    const state = states[at];
    const done = [producerSays(state), ...state.warps.map((warp, i) => warpSays(warp, i, state))];
    const says =
      at === 0
        ? `Before the first step: ${plural(state.stages.length, 'stage')}, nothing in ${state.stages.length === 1 ? 'it' : 'them'}. <em lang="en">full</em> waits for one arrival and a tile's bytes, <em lang="en">empty</em> for both warps.`
        : `Step ${at}. ${done.filter(Boolean).join(' ')}${verdictOf(result, at, mistake)}`;
    const label = says.replace(/<[^>]+>/g, '');
    return {
      picture:
        stagesPicture(state, label) +
        (at === 0
          ? ''
          : timePicture(
              states.slice(0, at + 1),
              `who did what in ${plural(at, 'step')}; numbers are tiles, frames are waits`,
            )),
      says,
      details: {
        title: 'all steps',
        html: tableOf(
          ['step', 'producer', 'warp 0', 'warp 1', 'phases of full', 'phases of empty'],
          states
            .slice(1)
            .map((one, i) => [
              i + 1,
              one.producer.does === 'asks'
                ? `asks for ${one.producer.tile - 1}`
                : one.producer.does,
              ...one.warps.map(({does, tile}) =>
                does === 'releases'
                  ? `reads ${tile - 1}, arrives`
                  : does === 'reads'
                    ? `reads ${tile}`
                    : does,
              ),
              one.stages.map(({full}) => full.phase).join(' '),
              one.stages.map(({empty}) => empty.phase).join(' '),
            ]),
        ),
      },
    };
  },
};

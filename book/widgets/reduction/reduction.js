// The reduction stepper: who adds what in each step, and which banks the first warp asks.
import {passesPicture} from '../../drawing/passes.js';
import {gridPicture} from '../../drawing/tiles.js';
import {LANES, sharedCost} from '../../model/hardware.js';
import {sentence} from '../banks/banks.js';
import {plural, tableOf} from '../frame/frame.js';

// The word that thread t adds to in the step of distance `apart`, or null when it rests.
const TARGETS = {
  neighbours: (t, apart) => (t % (2 * apart) === 0 ? t : null),
  interleaved: (t, apart, threads) => (2 * apart * t < threads ? 2 * apart * t : null),
  sequential: (t, apart) => (t < apart ? t : null),
};

export function stepsOf({threads, order}) {
  const count = Math.log2(threads);
  return Array.from({length: count}, (_, i) => {
    const apart = order === 'sequential' ? threads >> (i + 1) : 1 << i;
    const target = Array.from({length: threads}, (_, t) => TARGETS[order](t, apart, threads));
    const working = target.filter((word) => word !== null).length;
    const warps = new Set(
      target.flatMap((word, t) => (word === null ? [] : [Math.floor(t / LANES)])),
    ).size;
    // The load of the partner by the first warp; the load and the store of the own word cost the same.
    const lanes = Array.from({length: LANES}, (_, lane) => target[lane] ?? null);
    const mask = lanes.reduce((bits, word, lane) => (word === null ? bits : bits + 2 ** lane), 0);
    const cost = sharedCost({
      offset: lanes.map((word) => (word === null ? 0 : 4 * (word + apart))),
      mask,
    });
    return {apart, target, working, warps, cost};
  });
}

const powers = Object.fromEntries(
  [32, 64, 128, 256, 512, 1024].map((count) => [count, String(count)]),
);

export default {
  name: 'reduction',
  title: 'Reduction stepper',
  fields: [
    {name: 'threads', label: 'threads in the block', type: 'select', value: '64', options: powers},
    {
      name: 'order',
      label: 'who adds',
      type: 'select',
      value: 'interleaved',
      options: {
        neighbours: 'threads at multiples (t % 2s == 0)',
        interleaved: 'interleaved (word 2 s t)',
        sequential: 'sequential (t < s)',
      },
    },
    {name: 'step', label: 'step', type: 'range', min: 0, max: 9, value: 0},
  ],
  view({threads, order, step}) {
    const count = Number(threads);
    const steps = stepsOf({threads: count, order});
    const index = Math.min(step, steps.length - 1);
    const {apart, target, working, warps, cost} = steps[index];
    const receives = new Set(target.filter((word) => word !== null));
    const gives = new Set([...receives].map((word) => word + apart));
    const columns = Math.min(count, 32);
    const says =
      `Step ${index}, s = ${apart}: ${plural(working, 'thread')} in ${plural(warps, 'warp')} ${working === 1 ? 'adds' : 'add'}. ` +
      sentence(cost, `The first warp reads its partners with`).replace('with:', 'in');
    return {
      picture:
        gridPicture({
          rows: count / columns,
          columns,
          cell: 20,
          label: `words of the block: ${working} receive, ${working} are added`,
          cells(row, column) {
            const word = row * columns + column;
            return {
              text: word,
              class: receives.has(word) ? 'receives' : gives.has(word) ? 'gives' : 'rests',
            };
          },
        }) + passesPicture(cost, {label: says.replace(/<[^>]+>/g, '')}),
      says: `${says} Above: words that receive, words that are added, and the rest.`,
      details: {
        title: 'all steps',
        html: tableOf(
          ['step', 's', 'threads at work', 'warps', 'wavefronts of the first warp', 'n-way'],
          steps.map((one, i) => [
            i,
            one.apart,
            one.working,
            one.warps,
            one.cost.wavefronts,
            one.cost.ways,
          ]),
        ),
      },
    };
  },
};

// The shuffle view: from which lane each lane of a warp gets its value.
import {element as e} from '../../drawing/html.js';
import {LANES} from '../../model/hardware.js';
import {plural, tableOf} from '../frame/frame.js';

// The lane that `lane` reads from, as CUDA's programming guide has it: within its segment of `width` lanes; up, down and
// xor leave a lane its own value where the source would lie outside (xor: in a later segment).
export function sourceOf(op, lane, by, width) {
  const begin = lane - (lane % width);
  if (op === 'idx') return begin + (by % width);
  if (op === 'up') return lane - by < begin ? lane : lane - by;
  if (op === 'down') return lane + by >= begin + width ? lane : lane + by;
  return (lane ^ by) >= begin + width ? lane : lane ^ by;
}

const CELL = 22,
  GAP = 90;
const centre = (lane) => (lane + 0.5) * CELL;

function lanesRow(y, marked) {
  return Array.from({length: LANES}, (_, lane) =>
    e(
      'g',
      {},
      e('rect', {
        x: lane * CELL + 1,
        y,
        width: CELL - 2,
        height: 18,
        rx: 3,
        class: marked(lane) ? 'served' : 'rests',
      }),
      e('text', {x: centre(lane), y: y + 13, class: 'middle'}, lane),
    ),
  );
}

export default {
  name: 'shuffle',
  title: 'Shuffle view',
  fields: [
    {
      name: 'op',
      label: 'function',
      type: 'select',
      value: 'down',
      options: {
        down: '__shfl_down_sync',
        up: '__shfl_up_sync',
        xor: '__shfl_xor_sync',
        idx: '__shfl_sync',
      },
    },
    {name: 'by', label: 'delta, mask or lane', type: 'range', min: 0, max: 31, value: 1},
    {
      name: 'width',
      label: 'width',
      type: 'select',
      value: '32',
      options: {32: '32', 16: '16', 8: '8', 4: '4', 2: '2'},
    },
  ],
  view({op, by, width}) {
    const source = Array.from({length: LANES}, (_, lane) => sourceOf(op, lane, by, Number(width)));
    const own = source.filter((from, lane) => from === lane).length;
    const read = new Set(source);
    const call = `${this.fields[0].options[op]}(mask, value, ${by}${width === '32' ? '' : `, ${width}`})`;
    const says = `<code>${call}</code>: ${own === 0 ? 'no lane keeps its own value' : `${plural(own, 'lane')} ${own === 1 ? 'gets' : 'get'} ${own === 1 ? 'its' : 'their'} own value`}; ${plural(read.size, 'lane')} ${read.size === 1 ? 'is' : 'are'} read.`;
    const edges = Array.from({length: LANES / Number(width) - 1}, (_, i) =>
      e('line', {
        x1: (i + 1) * Number(width) * CELL,
        x2: (i + 1) * Number(width) * CELL,
        y1: 0,
        y2: GAP + 36,
        class: 'border',
      }),
    );
    return {
      picture: e(
        'svg',
        {
          viewBox: `0 0 ${LANES * CELL} ${GAP + 38}`,
          class: 'shuffle',
          role: 'img',
          'aria-label': says.replace(/<[^>]+>/g, ''),
        },
        edges,
        source.map((from, lane) =>
          e('path', {
            d: `M${centre(from)} 19 C${centre(from)} ${GAP * 0.6}, ${centre(lane)} ${GAP * 0.6}, ${centre(lane)} ${GAP + 17}`,
            class: from === lane ? 'thread own' : 'thread',
          }),
        ),
        lanesRow(0, (lane) => read.has(lane)),
        lanesRow(GAP + 18, (lane) => source[lane] !== lane),
      ),
      says: `${says} Above: the lanes that give; below: the lanes that receive.`,
      details: {
        title: 'the source of each lane',
        html: tableOf(['lane', ...source.keys()], [['gets from', ...source]]),
      },
    };
  },
};

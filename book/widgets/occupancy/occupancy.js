// The occupancy calculator: how many blocks of a kernel share one of an H200's multiprocessors, and what stops one more.
import {element as e} from '../../drawing/html.js';
import {SM, occupancy} from '../../model/hardware.js';
import {plural, tableOf} from '../frame/frame.js';

const WIDTH = 440,
  ROW = 34,
  LEFT = 112,
  MOST = 64;
const REASON = {
  threads: 'its threads',
  registers: 'its registers',
  'shared memory': 'its shared memory',
  blocks: 'the number of blocks',
};

export default {
  name: 'occupancy',
  title: 'Occupancy calculator',
  fields: [
    {
      name: 'threads',
      label: 'threads per block',
      type: 'number',
      min: 1,
      max: SM.threadsABlock,
      step: 32,
      value: 256,
    },
    {name: 'registers', label: 'registers per thread', type: 'number', min: 0, max: 255, value: 32},
    {
      name: 'shared',
      label: 'shared bytes per block',
      type: 'number',
      min: 0,
      max: SM.sharedBytesABlock,
      step: 128,
      value: 0,
    },
  ],
  view(values) {
    const {blocks, warps, percent, limit, by} = occupancy(values);
    const scale = (WIDTH - LEFT - 36) / MOST;
    const rows = Object.entries(by).map(([name, count], i) => {
      const shown = Math.min(count, MOST),
        y = i * ROW + 4;
      return e(
        'g',
        {},
        e('text', {x: LEFT - 10, y: y + 17, class: 'end'}, name),
        e('rect', {
          x: LEFT,
          y,
          width: Math.max(1, shown * scale),
          height: ROW - 10,
          rx: 3,
          class: name === limit ? 'bar hot' : 'bar',
        }),
        e('text', {x: LEFT + shown * scale + 8, y: y + 17}, count === Infinity ? 'any' : count),
      );
    });
    const says =
      blocks === 0
        ? `<strong>Not one block fits</strong>: ${Object.entries(by)
            .filter(([, count]) => count === 0)
            .map(([name]) => REASON[name])
            .join(' and ')} would have to shrink.`
        : `<strong>${plural(blocks, 'block')}</strong>, ${warps} of ${SM.warps} warps (${Math.round(percent)} %). ${REASON[limit][0].toUpperCase()}${REASON[limit].slice(1)} ${limit === 'registers' || limit === 'threads' ? 'stop' : 'stops'} one more.`;
    return {
      picture: e(
        'svg',
        {
          viewBox: `0 0 ${WIDTH} ${4 * ROW}`,
          class: 'bars',
          role: 'img',
          'aria-label': says.replace(/<[^>]+>/g, ''),
        },
        rows,
      ),
      says,
      details: {
        title: 'what each resource would allow',
        html: tableOf(
          ['resource', 'blocks'],
          Object.entries(by).map(([name, count]) => [
            name,
            count === Infinity ? 'any number' : count,
          ]),
        ),
      },
    };
  },
};

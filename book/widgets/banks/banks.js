// The bank explorer: which bank serves which lane in which pass, for any expression of the lane.
import {passesPicture} from '../../drawing/passes.js';
import {DEVICES, WORD, bankOf, sharedCost} from '../../model/hardware.js';
import {offsetsOf} from '../../model/lane_expression.js';
import {plural, tableOf} from '../frame/frame.js';

const titles = Object.fromEntries(Object.entries(DEVICES).map(([name, {title}]) => [name, title]));

export function sentence({wavefronts, ideal, conflicts, ways}, what) {
  if (wavefronts === 0) return `No lane takes part, so there is nothing to serve.`;
  const cost = `${what}: <strong>${plural(wavefronts, 'wavefront')}</strong>`;
  if (conflicts === 0)
    return `${cost}, no more than the bytes need: <strong>no conflicts</strong>.`;
  return `${cost} where ${ideal} would do: <strong>${plural(conflicts, 'conflict')}</strong>, ${ways}-way.`;
}

export default {
  name: 'banks',
  title: 'Bank explorer',
  fields: [
    {name: 'index', label: 'element of lane t', type: 'text', value: 't'},
    {
      name: 'width',
      label: 'bytes of an element',
      type: 'select',
      value: '4',
      options: {1: '1', 2: '2', 4: '4', 8: '8', 16: '16'},
    },
    {
      name: 'access',
      label: 'access',
      type: 'select',
      value: 'load',
      options: {load: 'load', store: 'store', atomic: 'atomicAdd'},
    },
    {name: 'mask', label: 'active lanes', type: 'mask', value: '0xffffffff'},
    {name: 'device', label: 'device', type: 'select', value: 'h200', options: titles},
  ],
  view({index, width, access, mask, device}) {
    const bytes = Number(width);
    const offset = offsetsOf(index, bytes);
    const cost = sharedCost({offset, width: bytes, access, mask, device});
    const active = offset
      .map((bytesIn, lane) => ({lane, bytesIn}))
      .filter(({lane}) => (mask >>> lane) & 1);
    const words = new Set(active.map(({bytesIn}) => Math.floor(bytesIn / Math.max(bytes, WORD))))
      .size;
    const what = `${plural(active.length, 'lane')} ${active.length === 1 ? 'asks' : 'ask'} for ${plural(words, bytes > WORD ? 'element' : 'word')}`;
    const says = sentence(cost, what);
    return {
      picture: passesPicture(cost, {
        banks: DEVICES[device].banks,
        label: says.replace(/<[^>]+>/g, ''),
      }),
      says,
      details: {
        title: 'lanes, words and banks',
        html: tableOf(
          ['lane', ...active.map(({lane}) => lane)],
          [
            ['word', ...active.map(({bytesIn}) => Math.floor(bytesIn / WORD))],
            ['bank', ...active.map(({bytesIn}) => bankOf(device, bytesIn))],
          ],
        ),
      },
    };
  },
};

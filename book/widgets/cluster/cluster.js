// A cluster and its windows: whose memory an address is of, and what a request to another block's costs.
import {piecesPicture} from '../../drawing/chunks.js';
import {element as e} from '../../drawing/html.js';
import {passesPicture} from '../../drawing/passes.js';
import {SECTOR, sharedCost} from '../../model/hardware.js';
import {offsetsOf} from '../../model/lane_expression.js';
import {LINE, mapa, remoteCost, shownAddress} from '../../model/remote.js';
import {sentence} from '../banks/banks.js';
import {plural, tableOf} from '../frame/frame.js';

const ARRAY = 0x400; // where the array begins in each block's shared memory
const MOST_BYTES = 227 * 1024;
const PORTABLE = 8;

// The blocks in a row, with an arrow from the one that asks to the one that has the memory.
function blocksPicture({blocks, me, target}, label) {
  const size = 38,
    top = 34;
  const middle = (rank) => rank * (size + 2) + size / 2 + 1;
  const reach = Math.min(26, 10 + 4 * Math.abs(me - target));
  return e(
    'svg',
    {
      viewBox: `0 0 ${Math.max(blocks, 8) * (size + 2) + 2} ${top + size + 18}`,
      class: blocks > 8 ? 'cluster' : 'cluster small',
      role: 'img',
      'aria-label': label,
      style: `max-width:${Math.max(blocks, 8) * (size + 2) + 2}px`,
    },
    Array.from({length: blocks}, (_, rank) =>
      e(
        'g',
        {},
        e('rect', {
          x: rank * (size + 2) + 1,
          y: top,
          width: size,
          height: size,
          rx: 4,
          class: rank === target ? 'asked' : rank === me ? 'asks' : 'other',
        }),
        e(
          'text',
          {
            x: middle(rank),
            y: top + size / 2 + 5,
            class: `middle name ${rank === target || rank === me ? 'on' : ''}`.trim(),
          },
          rank,
        ),
        e(
          'text',
          {x: middle(rank), y: top + size + 13, class: 'axis middle'},
          shownAddress(mapa(0, rank)).slice(0, 4),
        ),
      ),
    ),
    me !== target &&
      e('path', {
        d: `M${middle(me)} ${top - 2}C${middle(me)} ${top - reach - 6} ${middle(target)} ${top - reach - 6} ${middle(target)} ${top - 4}`,
        class: 'arrow',
      }) +
        e('path', {
          d: `M${middle(target) - 4} ${top - 9}l4 6l4 -6`,
          class: 'arrow',
        }),
  );
}

// The lines of the other block's memory that are touched, with the lanes in each sector.
function sectorsPicture({touched}, label) {
  const lines = [...new Set([...touched.keys()].map((one) => Math.floor((one * SECTOR) / LINE)))];
  lines.sort((a, b) => a - b);
  return piecesPicture({
    rows: lines.length,
    columns: LINE / SECTOR,
    width: 110,
    left: 54,
    label,
    names: (row) => `+${lines[row] * LINE}`,
    cells(row, column) {
      const lanes = touched.get((lines[row] * LINE) / SECTOR + column);
      if (!lanes) return {class: 'rests'};
      const [first] = lanes;
      return {
        class: 'receives',
        text: lanes.length === 1 ? `lane ${first}` : `${lanes.length} lanes, first ${first}`,
      };
    },
  });
}

function remoteSays({access, target}, {sectors, lines, bytes, rounds, touched}, own) {
  const where = {
    load: `reads from block ${target}`,
    store: `writes to block ${target}`,
    atomic: `adds in block ${target}`,
  }[access];
  const cost = `<strong>${plural(sectors, 'sector')}</strong> of 32 bytes${lines === null ? '' : ` in <strong>${plural(lines, 'line')}</strong>`}`;
  const why =
    rounds > 1
      ? ` Nothing merges on the way: up to ${rounds} lanes want one word, and ${plural(touched.size, 'sector')} ${touched.size === 1 ? 'is' : 'are'} asked again and again.`
      : '';
  return `The request ${where}: ${cost}${bytes === null ? '' : `, ${plural(bytes, 'byte')} on the way`}.${why} No bank is asked, and no counter of conflicts sees it; in the block's own memory it would take ${plural(own.wavefronts, 'wavefront')}. Below the blocks: lines of 128 bytes, four sectors in each.`;
}

export default {
  name: 'cluster',
  title: 'A cluster and its windows',
  fields: [
    {
      name: 'blocks',
      label: 'blocks of the cluster',
      type: 'select',
      value: '4',
      options: {2: '2', 4: '4', 8: '8', 16: '16'},
    },
    {name: 'me', label: 'this block', type: 'range', min: 0, max: 15, value: 0},
    {name: 'target', label: 'asks block', type: 'range', min: 0, max: 15, value: 1},
    {name: 'index', label: 'element of lane t', type: 'text', value: 't'},
    {
      name: 'width',
      label: 'bytes of an element',
      type: 'select',
      value: '4',
      options: {4: '4', 8: '8', 16: '16'},
    },
    {
      name: 'access',
      label: 'access',
      type: 'select',
      value: 'load',
      options: {load: 'load', store: 'store', atomic: 'atomicAdd'},
    },
    {name: 'mask', label: 'active lanes', type: 'mask', value: '0xffffffff'},
  ],
  view({blocks, me, target, index, width, access, mask}) {
    const count = Number(blocks);
    for (const [name, rank] of [
      ['this block', me],
      ['asks block', target],
    ])
      if (rank >= count) throw new Error(`${name}: the cluster has blocks 0 to ${count - 1}`);
    const bytes = Number(width);
    if (access === 'atomic' && bytes > 4)
      throw new Error('atomicAdd: there is a rule for elements of 4 bytes only');
    const offset = offsetsOf(index, bytes, {highest: MOST_BYTES - ARRAY - bytes});
    const request = {offset, width: bytes, access, mask};
    const own = sharedCost(request);
    const remote = remoteCost(request);
    const isOwn = me === target;
    const window = `<code>mapa(${shownAddress(ARRAY)}, ${target})</code> is <code>${shownAddress(mapa(ARRAY, target))}</code>`;
    const cost =
      mask === 0
        ? 'No lane takes part, so there is nothing to serve.'
        : isOwn
          ? `${sentence(own, 'That is its own memory, through the window, and the banks are all that counts')}`
          : remoteSays({access, target}, remote, own);
    const says = `The array in block ${target}: ${window}. ${cost}${count > PORTABLE ? ' (Sixteen blocks need <code>cudaFuncAttributeNonPortableClusterSizeAllowed</code>.)' : ''}`;
    const label = says.replace(/<[^>]+>/g, '');
    return {
      picture:
        blocksPicture(
          {blocks: count, me, target},
          `${count} blocks; block ${me} asks ${isOwn ? 'itself' : `block ${target}`}; below each, how its addresses begin`,
        ) + (isOwn ? passesPicture(own, {label}) : sectorsPicture(remote, label)),
      says,
      details: {
        title: 'what the counters of a profiler say',
        html: tableOf(
          ['counter', 'of this request'],
          [
            ['wavefronts of shared memory', isOwn ? own.wavefronts : 0],
            ['dshared: requests', isOwn || mask === 0 ? 0 : 1],
            ['dshared: sectors', isOwn ? 0 : remote.sectors],
            ['dshared: lines', isOwn ? 0 : (remote.lines ?? 'not known for certain')],
            ['dshared: bytes sent', isOwn ? 0 : (remote.bytes ?? 'not known for certain')],
          ],
        ),
      },
    };
  },
};

// The histogram: one warp counts a stream of elements, and request by request one sees who waits for whom.
import {passesPicture} from '../../drawing/passes.js';
import {gridPicture} from '../../drawing/tiles.js';
import {LANES, sharedCost} from '../../model/hardware.js';
import {plural, tableOf} from '../frame/frame.js';

const BINS = 256,
  REQUESTS = 32,
  WORD = 4;

// Any number below 2^32 for each i: the finalizer of MurmurHash3.
function mixed(i) {
  let x = Math.imul(i + 1, 0x9e3779b9);
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

// The bin of element i.
const ELEMENTS = {
  any: (i) => mixed(i) >>> 24,
  skewed: (i) => (Math.clz32(mixed(i)) * 37 + 5) % BINS,
  same: () => 5,
  sorted: (i) => Math.floor((i * BINS) / (LANES * REQUESTS)),
};

// The word in which a lane of warp 3 counts a bin.
const WORDS = {
  block: (bin) => bin,
  warp: (bin) => 3 * BINS + bin,
  apart: (bin, lane) => lane * BINS + bin,
  lane: (bin, lane) => bin * LANES + lane,
};

// What request number `step` costs: lanes of one word share a pass if they merge, as those of a store do.
export function requestOf({data, copies, adds}, step) {
  const bins = Array.from({length: LANES}, (_, lane) => ELEMENTS[data](step * LANES + lane));
  const words = bins.map((bin, lane) => WORDS[copies](bin, lane));
  const cost = sharedCost({
    access: adds === 'count' ? 'store' : 'atomic',
    offset: words.map((word) => WORD * word),
  });
  return {bins, words, cost};
}

// A lane of the second pass, and the one that it waits for.
export function firstToWait({words, cost}) {
  if (cost.passes.length < 2) return null;
  const {bank, lanes} = cost.passes[1][0];
  const before = cost.passes[0].find((served) => served.bank === bank);
  const [lane, other] = [lanes[0], before.lanes[0]];
  return {lane, other, bank, sameWord: words[lane] === words[other]};
}

function sentenceOf(request, step) {
  const different = new Set(request.bins).size;
  const passes = request.cost.wavefronts;
  const begin = `Request ${step}: 32 elements in ${plural(different, 'bin')}, <strong>${plural(passes, 'pass', 'passes')}</strong>.`;
  const wait = firstToWait(request);
  if (!wait) return `${begin} Nobody waits.`;
  const {lane, other, bank, sameWord} = wait;
  const why = sameWord
    ? `both add to bin ${request.bins[lane]}`
    : `bins ${request.bins[lane]} and ${request.bins[other]} are both in bank ${bank}`;
  return `${begin} Lane ${lane} waits for lane ${other}: ${why}.`;
}

export default {
  name: 'histogram',
  title: 'Who waits for whom',
  fields: [
    {
      name: 'data',
      label: 'elements',
      type: 'select',
      value: 'any',
      options: {any: 'any of 256', skewed: 'skewed', sorted: 'sorted', same: 'all the same'},
    },
    {
      name: 'copies',
      label: 'copies',
      type: 'select',
      value: 'block',
      options: {
        block: 'one a block',
        warp: 'one a warp: bins[warp][v]',
        apart: 'one a lane: bins[lane][v]',
        lane: 'one a lane: bins[v][lane]',
      },
    },
    {
      name: 'adds',
      label: 'addition',
      type: 'select',
      value: 'count',
      options: {count: 'of 1, result not used', other: 'any other'},
    },
    {name: 'step', label: 'request', type: 'range', min: 0, max: REQUESTS - 1, value: 0},
  ],
  view(values) {
    const {step} = values;
    const requests = Array.from({length: REQUESTS}, (_, i) => requestOf(values, i));
    const request = requests[step];
    const counts = Array(BINS).fill(0);
    for (const {bins} of requests.slice(0, step + 1)) for (const bin of bins) ++counts[bin];
    const now = new Set(request.bins);
    const says = sentenceOf(request, step);
    const passes = requests.map(({cost}) => cost.wavefronts);
    const sum = passes.reduce((all, one) => all + one, 0);
    return {
      picture:
        gridPicture({
          rows: BINS / LANES,
          columns: LANES,
          cell: 20,
          label: `counts of 256 bins after ${plural(step + 1, 'request')}; ${plural(now.size, 'bin')} changed`,
          cells(row, column) {
            const bin = row * LANES + column;
            return {
              text: counts[bin] > 0 ? counts[bin] : undefined,
              class: now.has(bin) ? 'receives' : 'rests',
            };
          },
        }) + passesPicture(request.cost, {label: says.replace(/<[^>]+>/g, '')}),
      says: `${says} Above: what the warp has counted, bins 0 to 31 in the first row; below: which lane is served in which pass.`,
      details: {
        title: `all ${REQUESTS} requests: ${sum} passes`,
        html: tableOf(
          ['request', 'bins', 'passes'],
          requests.map(({bins}, i) => [i, new Set(bins).size, passes[i]]),
        ),
      },
    };
  },
};

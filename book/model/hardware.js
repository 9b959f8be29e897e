// What one warp-level request costs: the rules of grader/device/model, for the book's widgets, figures and answers.
//
// They were measured on an H200 (grader/device/model/data, book/data/h200); hardware.test.js holds them to every
// pattern. Word k of shared memory, 4 bytes, is in bank k mod 32.

export const LANES = 32;
export const BANKS = 32;
export const WORD = 4;
export const SECTOR = 32;
export const ALL = 0xffffffff;
const PASS_BYTES = BANKS * WORD;

export const DEVICES = {
  h200: {title: 'compute capability 5.0 and later (measured on an H200)', banks: 32},
  '3.x-8byte': {title: '3.x, banks of 8 bytes', banks: 32},
  '3.x-4byte': {title: '3.x, 4-byte mode', banks: 32},
  '2.x': {title: '2.x, 32 banks', banks: 32},
  '1.x': {title: '1.x, 16 banks, half-warps', banks: 16},
};

const lanes = Array.from({length: LANES}, (_, lane) => lane);
const isActive = (mask, lane) => ((mask >>> lane) & 1) === 1;
const unitBytes = (width) => (width <= 4 ? 4 : width <= 8 ? 8 : 16);

export const wordsALane = (width) => unitBytes(width) / WORD;
export const bankOf = (device, offset) =>
  Math.floor(offset / (device === '3.x-8byte' ? 8 : WORD)) % DEVICES[device].banks;

// The columns of banks that a group of lanes fills: for each, the distinct units that it has to serve, in the order of
// the lanes, each with the lanes that want it. A unit is a word, or the 2 or 4 words of a wide access.
function columnsOf(offset, group, bytes, columnCount) {
  const columns = Array.from({length: columnCount}, () => new Map());
  for (const lane of group) {
    const unit = Math.floor(offset[lane] / bytes);
    const column = columns[unit % columnCount];
    if (!column.has(unit)) column.set(unit, []);
    column.get(unit).push(lane);
  }
  return columns;
}

const fullest = (columns) => Math.max(0, ...columns.map((column) => column.size));

// Whether every active lane has its neighbour at `distance` at its own address; `missing`: whether an inactive neighbour
// counts as one.
function neighboursAgree(offset, group, distance, missing) {
  return group.every((lane) =>
    group.includes(lane ^ distance) ? offset[lane] === offset[lane ^ distance] : missing,
  );
}

const inPairs = (offset, group, missing) =>
  neighboursAgree(offset, group, 1, missing) || neighboursAgree(offset, group, 2, missing);

// Whether two neighbouring groups of a load, with the lanes `both`, are served as one. The exceptions for 16 bytes, the
// lower half and lane 31, were measured; no reason is known.
function comeTogether({width, offset, mask}, both) {
  const words = wordsALane(width);
  if (fullest(columnsOf(offset, both, unitBytes(width), BANKS / words)) > 1) return false;
  if (words < 4 || both[0] >= LANES / 2) return inPairs(offset, both, true);
  return !isActive(mask, LANES - 1) || inPairs(offset, both, false);
}

// The groups in which an H200 serves a load or store, one after the other.
function groupsOnH200({access, width, mask, offset}) {
  const active = lanes.filter((lane) => isActive(mask, lane));
  const bytes = unitBytes(width);
  const count = bytes / WORD;
  const size = LANES / count;
  const parts = Array.from({length: count}, (_, i) =>
    active.filter((lane) => Math.floor(lane / size) === i),
  );
  if (access === 'load' && count === 4 && active.every((one) => offset[one] === offset[active[0]]))
    return [active.slice(0, LANES / 2), active.slice(LANES / 2)].filter((one) => one.length > 0);
  if (access === 'load' && count > 1) {
    const merged = [];
    for (let i = 0; i < count; i += 2) {
      const both = [...parts[i], ...parts[i + 1]];
      if (both.length > 0 && comeTogether({width, offset, mask}, both)) merged.push(both);
      else merged.push(parts[i], parts[i + 1]);
    }
    return merged.filter((group) => group.length > 0);
  }
  return parts.filter((group) => group.length > 0);
}

// Passes of columns that hold distinct units: in pass p each column serves its p-th unit.
function passesOfColumns(columns, wordsAUnit) {
  return Array.from({length: fullest(columns)}, (_, pass) => {
    const served = [];
    columns.forEach((column, index) => {
      const entry = [...column][pass];
      if (entry)
        served.push({bank: index * wordsAUnit, banks: wordsAUnit, unit: entry[0], lanes: entry[1]});
    });
    return served;
  });
}

function onH200(request) {
  const bytes = unitBytes(request.width);
  const words = bytes / WORD;
  const active = lanes.filter((lane) => isActive(request.mask, lane));
  if (request.access === 'atomic') return atomicOnH200(request, active);
  const passes = [];
  let ways = 0;
  for (const group of groupsOnH200(request)) {
    const columns = columnsOf(request.offset, group, bytes, BANKS / words);
    ways = Math.max(ways, fullest(columns));
    passes.push(...passesOfColumns(columns, words));
  }
  const ideal = Math.min(passes.length, Math.ceil((active.length * request.width) / PASS_BYTES));
  return {passes, ways, ideal};
}

// atomicAdd on 32-bit words: lanes of the same word do not share a pass.
function atomicOnH200({width, offset}, active) {
  if (width > WORD) throw new RangeError('no rule for atomics of more than 4 bytes');
  const columns = Array.from({length: BANKS}, () => []);
  for (const lane of active) columns[Math.floor(offset[lane] / WORD) % BANKS].push(lane);
  const ways = Math.max(0, ...columns.map((column) => column.length));
  const passes = Array.from({length: ways}, (_, pass) =>
    columns.flatMap((column, bank) =>
      pass < column.length
        ? [{bank, banks: 1, unit: Math.floor(offset[column[pass]] / WORD), lanes: [column[pass]]}]
        : [],
    ),
  );
  return {passes, ways, ideal: Math.min(1, ways)};
}

// Devices that give every word of a pass to all lanes that want it, in groups of `size` lanes.
function byGroups(request, groupCount, bytes, columnCount, banksAUnit) {
  const size = LANES / groupCount;
  const passes = [];
  let ways = 0,
    ideal = 0;
  for (let i = 0; i < groupCount; ++i) {
    const group = lanes.filter(
      (lane) => Math.floor(lane / size) === i && isActive(request.mask, lane),
    );
    if (group.length === 0) continue;
    const columns = columnsOf(request.offset, group, bytes, columnCount);
    ways = Math.max(ways, fullest(columns));
    ideal += 1;
    passes.push(...passesOfColumns(columns, banksAUnit));
  }
  return {passes, ways, ideal};
}

function on2x(request) {
  const words = wordsALane(request.width);
  return byGroups(request, words, unitBytes(request.width), BANKS / words, words);
}

// Words i and i + 32 of an aligned segment of 64 words are the halves of one row of an 8-byte bank.
function on3xWith4Bytes(request) {
  const words = wordsALane(request.width);
  const offset = request.offset.map((bytes) => {
    const word = Math.floor(bytes / WORD);
    return (Math.floor(word / 64) * 32 + (word % 32)) * WORD;
  });
  return byGroups(
    {...request, offset},
    words === 4 ? 2 : 1,
    unitBytes(request.width),
    BANKS / words,
    words,
  );
}

function on3xWith8Bytes(request) {
  return wordsALane(request.width) === 4
    ? byGroups(request, 2, 16, BANKS / 2, 2)
    : byGroups(request, 1, 8, BANKS, 1);
}

// 1.x: a half-warp at a time; a step broadcasts one word (here the one most wanted in the fullest bank) and serves one
// lane of each other bank. Wider accesses are split into 4-byte requests.
function on1x({width, mask, offset}) {
  const words = wordsALane(width);
  const passes = [];
  let ways = 0,
    ideal = 0;
  for (const first of [0, 16])
    for (let part = 0; part < words; ++part) {
      let left = lanes
        .slice(first, first + 16)
        .filter((lane) => isActive(mask, lane))
        .map((lane) => ({lane, word: Math.floor(offset[lane] / unitBytes(width)) * words + part}));
      if (left.length === 0) continue;
      let steps = 0;
      for (ideal += 1; left.length > 0; ++steps) {
        const chosen = broadcastWord(left);
        const served = new Map([
          [chosen % 16, {bank: chosen % 16, banks: 1, unit: chosen, lanes: []}],
        ]);
        const waiting = [];
        for (const one of left) {
          const bank = one.word % 16;
          if (one.word === chosen) served.get(bank).lanes.push(one.lane);
          else if (served.has(bank)) waiting.push(one);
          else served.set(bank, {bank, banks: 1, unit: one.word, lanes: [one.lane]});
        }
        passes.push([...served.values()]);
        left = waiting;
      }
      ways = Math.max(ways, steps);
    }
  return {passes, ways, ideal};
}

function broadcastWord(left) {
  const lanesIn = (bank) => left.filter((one) => one.word % 16 === bank).length;
  const most = Math.max(...left.map((one) => lanesIn(one.word % 16)));
  let chosen,
    wanting = 0;
  for (const {word} of left) {
    const count = left.filter((one) => one.word === word).length;
    if (lanesIn(word % 16) === most && count > wanting) [chosen, wanting] = [word, count];
  }
  return chosen;
}

const RULES = {
  h200: onH200,
  '1.x': on1x,
  '2.x': on2x,
  '3.x-4byte': on3xWith4Bytes,
  '3.x-8byte': on3xWith8Bytes,
};

// A request to shared memory: access 'load', 'store' or 'atomic' (H200 only); width in bytes: 1, 2, 4, 8, 16; mask: bit
// l says whether lane l takes part; offset: bytes, for each lane. `passes`: for each pass what each bank serves.
export function sharedCost({access = 'load', width = 4, mask = ALL, offset, device = 'h200'}) {
  if (access === 'atomic' && device !== 'h200')
    throw new RangeError('no rule for atomics on that device');
  const {passes, ways, ideal} = RULES[device]({access, width, mask, offset});
  return {passes, ways, ideal, wavefronts: passes.length, conflicts: passes.length - ideal};
}

// How many distinct words each bank has to serve for a request, whatever groups its lanes are served in.
export function bankLoads(request) {
  const loads = Array(DEVICES[request.device ?? 'h200'].banks).fill(0);
  for (const pass of sharedCost(request).passes)
    for (const {bank, banks} of pass) for (let i = 0; i < banks; ++i) ++loads[bank + i];
  return loads;
}

// Sectors of 32 bytes that a request to global memory touches.
export function sectors(offset, mask = ALL) {
  return new Set(
    lanes.filter((lane) => isActive(mask, lane)).map((lane) => Math.floor(offset[lane] / SECTOR)),
  ).size;
}

// Extra passes of a constant-memory load: one for each distinct word after the first.
export function constantReplays(offset, mask = ALL) {
  const words = new Set(
    lanes.filter((lane) => isActive(mask, lane)).map((lane) => Math.floor(offset[lane] / WORD)),
  );
  return Math.max(0, words.size - 1);
}

// An H200's streaming multiprocessor, as its device attributes report it.
export const SM = {
  threads: 2048,
  threadsABlock: 1024,
  warps: 64,
  blocks: 32,
  registers: 65536,
  registersAThread: 255,
  partitions: 4,
  sharedBytes: 228 * 1024,
  sharedBytesABlock: 227 * 1024,
  reservedBytesABlock: 1024,
};

const roundedUp = (value, step) => Math.ceil(value / step) * step;

// Blocks of a kernel that fit on one SM at a time, by the rules of NVIDIA's occupancy calculator for 9.0. `by`: what each
// resource alone would allow; `limit`: the resource that stops one more.
export function occupancy({threads, registers = 0, shared = 0}) {
  const nothing = {blocks: 0, warps: 0, percent: 0, limit: 'nothing fits', by: {}};
  if (!(threads > 0) || threads > SM.threadsABlock) return nothing;
  const warps = Math.ceil(threads / LANES);
  const warpRegisters = roundedUp(registers * LANES, 256);
  const by = {
    threads: Math.floor(SM.warps / warps),
    registers:
      registers <= 0
        ? Infinity
        : registers > SM.registersAThread
          ? 0
          : Math.floor(
              (Math.floor(SM.registers / SM.partitions / warpRegisters) * SM.partitions) / warps,
            ),
    'shared memory':
      shared > SM.sharedBytesABlock
        ? 0
        : Math.floor(SM.sharedBytes / roundedUp(shared + SM.reservedBytesABlock, 128)),
    blocks: SM.blocks,
  };
  const blocks = Math.min(...Object.values(by));
  if (blocks === 0) return {...nothing, by};
  const limit = Object.keys(by).find((name) => by[name] === blocks);
  return {blocks, warps: blocks * warps, percent: (100 * blocks * warps) / SM.warps, limit, by};
}

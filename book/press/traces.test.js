import assert from 'node:assert/strict';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {sharedCost} from '../model/hardware.js';
import {book} from './folders.js';
import {lineNumber, requestsIn, subjectOf, traceFile} from './traces.js';

// Two lanes of a request, drawn as `course trace --svg` does.
const picture = `<svg><title>2_pad.cu:31</title>
<text class="title" x="12" y="28">2_pad.cu:31, block (0, 0, 0), warp 7</text>
<text class="title" x="12" y="82">step 1, shared load 4: 2 wavefronts where 1 would do: 2-way</text>
<rect class="served"><title>bank 0, word 0: lane 0, 16</title></rect>
<rect class="extra"><title>bank 0, word 32: lane 1</title></rect>
<text class="title" x="12" y="90">step 2, global store 4: 4 sectors of 32 bytes for 128 bytes</text>
<rect class="served"><title>lane 0: byte 0, sector 0</title></rect>
<text class="title" x="12" y="99">step 3, shared store 8: 2 wavefronts, no conflict</text>
<rect class="served"><title>bank 1, word 1: lane 0</title></rect></svg>`;

test('a picture gives its requests to shared memory, with banks, words and lanes', () => {
  assert.deepEqual(requestsIn(picture, 7), [
    {
      warp: 7,
      step: 1,
      access: 'shared load 4',
      wavefronts: 2,
      ideal: 1,
      served: [
        [0, 0, [0, 16]],
        [0, 32, [1]],
      ],
    },
    {warp: 7, step: 3, access: 'shared store 8', wavefronts: 2, ideal: 2, served: [[1, 1, [0]]]},
  ]);
});

test('a picture that does not show all, or nothing that is understood, is refused', () => {
  const cut = picture.replace('</svg>', '<text class="faint">and 4 more</text></svg>');
  assert.throws(() => requestsIn(cut, 0), /longer than its picture/);
  assert.throws(() => requestsIn(picture.replace(/bank/g, 'row'), 0), /serves nobody/);
  assert.throws(() => requestsIn(picture.replace('2-way', 'all'), 0), /no cost of a request/);
});

test('a line is named by text that only it has', () => {
  assert.equal(lineNumber('a\nb = tile[x][y];\nc', 'tile[x][y]', 'f.cu'), 2);
  assert.throws(() => lineNumber('a\na', 'a', 'f.cu'), /f.cu: 2 lines have a/);
  assert.throws(() => lineNumber('a', 'b', 'f.cu'), /0 lines/);
});

test('files of an exercise are traced as its own, as its solution, or in its place', () => {
  assert.equal(subjectOf('labs/05_transpose/2_pad.cu'), '05_transpose/2_pad');
  assert.equal(subjectOf('solutions/05_transpose/2_pad.cu'), '05_transpose/2_pad --solution');
  assert.equal(
    subjectOf('solutions/02_padding/wrong/3_sixteen_wide_none.cu'),
    '02_padding/3_sixteen_wide --file solutions/02_padding/wrong/3_sixteen_wide_none.cu',
  );
  assert.throws(() => subjectOf('labs/05_transpose/demo/transposes.cu'), /no file of an exercise/);
  assert.throws(() => subjectOf('labs/05_transpose/9_none.cu'), /belongs to no exercise/);
});

// The model in the browser and the emulated device know the same rules from two sources.
// ldmatrix serves eight lanes, the rows of a matrix, as a load of 16 bytes does.
function costOf(name, mask, offset) {
  const matrices = /^ldmatrix x([124])$/.exec(name)?.[1];
  if (!matrices) {
    const [, access, width] = /^shared (load|store) (\d+)$/.exec(name);
    return sharedCost({access, width: Number(width), mask, offset});
  }
  const costs = Array.from({length: Number(matrices)}, (_, i) =>
    sharedCost({access: 'load', width: 16, mask: (0xff << (8 * i)) >>> 0, offset}),
  );
  const sum = (key) => costs.reduce((total, cost) => total + cost[key], 0);
  return {wavefronts: sum('wavefronts'), ideal: sum('ideal')};
}

test('what was recorded costs what the widgets would say', () => {
  const folder = join(book, 'traces');
  const files = readdirSync(folder);
  assert.ok(files.length >= 10);
  for (const file of files)
    for (const request of JSON.parse(readFileSync(join(folder, file), 'utf8')).requests) {
      const offset = Array(32).fill(0);
      let mask = 0;
      for (const [, word, lanes] of request.served)
        for (const lane of lanes) {
          offset[lane] = 4 * word;
          mask |= 1 << lane;
        }
      const cost = costOf(request.access, mask >>> 0, offset);
      assert.deepEqual(
        [cost.wavefronts, cost.ideal],
        [request.wavefronts, request.ideal],
        `${file}, warp ${request.warp}, step ${request.step}`,
      );
    }
});

test('each wish has a file of its own', () => {
  const wish = {file: 'labs/a/1_b.cu', line: 'x[t]', block: '0', warps: [0, 7]};
  assert.match(traceFile(wish), /traces\/labs_a_1_b__x_t__block_0_warps_0_7\.json$/);
  assert.notEqual(traceFile(wish), traceFile({...wish, warps: [0, 31]}));
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {busyBanks, placesOf, requestsAt, stepHtml, stepsHtml} from './steps.js';

const lanesAt = (stride, value) =>
  Array.from({length: 32}, (_, lane) => ({lane, at: lane * stride, ...(value && {value})}));
const request = (more = {}) => ({
  kernel: 'k',
  line: 2,
  what: 'shared load 4',
  cost: '1 wavefront, no conflict',
  memory: 'shared',
  width: 4,
  lanes: lanesAt(4, '1.5'),
  ...more,
});
const trace = {
  block: [0, 0, 0],
  warp: 0,
  lines: [
    {kernel: 'k', line: 3, in_all: 70},
    {kernel: 'k', line: 2, in_all: 1},
    {kernel: 'other', line: 9, in_all: 1},
  ],
  requests: [request(), request({line: 3}), request({kernel: 'other', line: 9})],
};

test('a kernel can be gone through whole, or line by line', () => {
  assert.deepEqual(
    placesOf(trace).map(({kernel, line}) => [kernel, line]),
    [
      ['k', 0],
      ['k', 2],
      ['k', 3],
      ['other', 0],
      ['other', 9],
    ],
  );
  assert.equal(requestsAt(trace, {kernel: 'k', line: 0}).length, 2);
  assert.equal(requestsAt(trace, {kernel: 'k', line: 3}).length, 1);
});

test('banks that several words are wanted of are busy, one word for many lanes is not', () => {
  assert.equal(busyBanks(request()).size, 0);
  assert.deepEqual([...busyBanks(request({lanes: lanesAt(128)}))], [0]);
  assert.equal(busyBanks(request({lanes: lanesAt(8)})).size, 16);
  assert.equal(busyBanks(request({lanes: lanesAt(0)})).size, 0);
  assert.equal(busyBanks(request({memory: 'global', lanes: lanesAt(128)})).size, 0);
});

test('a step shows lanes, addresses, banks and what values are known', () => {
  const html = stepHtml(request(), ['', '<b>x = words[i];']);
  assert.match(html, /&lt;b/);
  assert.match(html, />124</);
  assert.match(html, />31</);
  assert.match(html, />1\.5</);
  assert.ok(!html.includes('class="busy"'));
  assert.match(stepHtml(request({lanes: lanesAt(128)}), []), /class="busy"/);
  assert.ok(!stepHtml(request({lanes: lanesAt(4)}), []).includes('>value<'));
  const global = stepHtml(request({memory: 'global', lanes: [{lane: 0, at: 4096}]}), []);
  assert.match(global, /0x1000/);
  assert.ok(!global.includes('>bank<'));
});

test('a warp that made no request says so', () => {
  assert.match(stepsHtml({...trace, lines: []}), /made no request/);
  assert.ok(!stepsHtml(trace).includes('made no request'));
});

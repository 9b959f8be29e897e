import assert from 'node:assert/strict';
import {test} from 'node:test';
import {bankPicture, heatMap, heatScale, tileMap} from './heat.js';

const rows = [
  [2, 0, 1, 1],
  [1, 1, 1, 32],
];

test('cells have the colour of their queue, and neighbours of one colour are one rectangle', () => {
  const svg = heatMap({rows, label: 'l'});
  assert.equal(svg.match(/<rect/g).length, 5);
  assert.match(svg, /<rect x="76" y="20" width="60" height="18" class="way1"|width="60"[^>]*way1/);
  assert.equal(svg.match(/class="way32"/g).length, 1);
  assert.equal(svg.match(/class="way0"/g).length, 1);
});

test('a number stands where a bank serves more than one word, unless the map is small', () => {
  assert.match(heatMap({rows, label: 'l'}), /on-way32">32<\/text>/);
  assert.doesNotMatch(heatMap({rows, label: 'l', isSmall: true}), /on-way/);
});

test('a map says in words what it shows', () => {
  for (const draw of [heatMap, tileMap, bankPicture])
    assert.match(draw({rows, label: '2 requests'}), /role="img" aria-label="2 requests"/);
});

test('tiles beside each other are drawn to one scale', () => {
  const widthOf = (svg) => Number(/viewBox="-1 -1 (\d+)/.exec(svg)[1]);
  assert.equal(widthOf(tileMap({rows, label: 'l', room: 5})), 5 * 16 + 2);
  assert.equal(widthOf(tileMap({rows, label: 'l'})), 4 * 16 + 2);
});

test('the scale goes as far as it is used', () => {
  const steps = (most) => [...heatScale(most).matchAll(/class="way(\d+)"/g)].map((one) => one[1]);
  assert.deepEqual(steps(1), ['1']);
  assert.deepEqual(steps(3), ['1', '2', '4']);
  assert.deepEqual(steps(32), ['1', '2', '4', '8', '16', '32']);
});

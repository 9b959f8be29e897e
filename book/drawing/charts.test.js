import assert from 'node:assert/strict';
import {test} from 'node:test';
import {barChart, lineChart} from './charts.js';
import {heatMap} from './heat.js';
import {element, escape} from './html.js';

test('bars are as long as their values, and the ceiling stands where its value is', () => {
  const svg = barChart({
    bars: [
      {label: 'a', value: 100},
      {label: 'b', value: 50},
    ],
    ceiling: {label: 'c', value: 50},
    unit: 'µs',
    label: 'x',
  });
  const widths = [...svg.matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map((match) => [
    Number(match[1]),
    Number(match[2]),
  ]);
  assert.ok(Math.abs(widths[0][1] - 2 * widths[1][1]) < 1e-6);
  const ceiling = Number(/<line x1="([\d.]+)"/.exec(svg)[1]);
  assert.ok(Math.abs(ceiling - widths[1][0] - widths[1][1]) < 1e-6);
  assert.match(svg, />50 µs</);
});

test('wide labels have room beside their bars', () => {
  const label = '每条通道一份，总和由一条通道来加';
  const svg = barChart({bars: [{label, value: 100}], unit: 'µs', label: 'x'});
  const end = Number(/<text x="([\d.]+)" y="\d+" class="end">/.exec(svg)[1]);
  assert.ok(end >= 13 * label.length); // at 13 px
});

test('on logarithmic axes equal ratios are equal distances', () => {
  const svg = lineChart({
    series: [
      {
        label: 's',
        points: [
          {x: 1, y: 1},
          {x: 10, y: 10},
          {x: 100, y: 100},
        ],
      },
    ],
    x: 'x',
    y: 'y',
    scale: 'log',
    label: 'l',
  });
  const points = /points="([^"]+)"/
    .exec(svg)[1]
    .split(' ')
    .map((pair) => pair.split(',').map(Number));
  assert.ok(Math.abs(points[1][0] - points[0][0] - (points[2][0] - points[1][0])) < 0.2);
  assert.ok(points[0][1] > points[1][1] && points[1][1] > points[2][1]);
  assert.throws(
    () =>
      lineChart({
        series: [{label: 's', points: [{x: 0, y: 1}]}],
        x: 'x',
        y: 'y',
        scale: 'log',
        label: 'l',
      }),
    /no zero/,
  );
});

test('labels of lines that end together do not overlap', () => {
  const points = (y) => [
    {x: 1, y: 1},
    {x: 2, y},
  ];
  const svg = lineChart({
    series: [
      {label: 'a', points: points(5)},
      {label: 'b', points: points(5.01)},
    ],
    x: 'x',
    y: 'y',
    label: 'l',
  });
  const heights = [...svg.matchAll(/<text x="600" y="([\d.]+)">/g)].map((match) =>
    Number(match[1]),
  );
  assert.ok(Math.abs(heights[0] - heights[1]) >= 15);
});

test('text and attributes are escaped', () => {
  assert.equal(escape('<a href="x">&'), '&lt;a href=&quot;x&quot;&gt;&amp;');
  assert.equal(
    element('p', {title: '"', hidden: true, lang: undefined}, 'x'),
    '<p title="&quot;" hidden>x</p>',
  );
});

test('where it is narrow, labels stand above their bars, and values stay in the picture', () => {
  const bars = [
    {label: 'a kernel with a long name', value: 100},
    {label: 'b', value: 1},
  ];
  const svg = barChart({bars, unit: 'µs', label: 'x', narrow: true});
  const [, width] = /viewBox="0 0 (\d+)/.exec(svg);
  assert.match(svg, /<text x="0" y="\d+">a kernel with a long name</);
  const value = Number(/<text x="([\d.]+)" y="\d+" class="value">100/.exec(svg)[1]);
  assert.ok(value + 60 < Number(width));
});

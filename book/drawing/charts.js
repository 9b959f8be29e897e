// Charts as SVG that follow light and dark: bars with a ceiling, and lines over a scale. Pure; each has its numbers as a
// table beside it.
import {element as e, escape, shownNumber} from './html.js';

const WIDTH = 720;

// About as wide as a label is at 13 px. Characters of Chinese, and their punctuation, are square.
const roomFor = (label) =>
  [...label].reduce((sum, c) => sum + (/[\u2e80-\u9fff\uff00-\uff60]/.test(c) ? 13.2 : 7.4), 0);

function niceStep(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => most / step <= 5);
}

function frame(width, height, narrow, label) {
  return {
    viewBox: `0 0 ${width} ${height}`,
    class: narrow ? 'chart narrow' : 'chart',
    role: 'img',
    'aria-label': label,
  };
}

// bars: [{label, value}]; ceiling: {label, value}, drawn as a line through all; digits after the point. Where it is
// narrow, labels stand above their bars.
export function barChart({bars, ceiling, unit, digits, label, narrow = false}) {
  const width = narrow ? 380 : WIDTH;
  const left = narrow ? 0 : 12 + Math.max(...bars.map((bar) => roomFor(bar.label))),
    right = 90,
    row = narrow ? 48 : 34,
    top = ceiling ? 30 : 8;
  const most = Math.max(...bars.map((bar) => bar.value), ceiling?.value ?? 0);
  const scale = (width - left - right) / most;
  const height = top + bars.length * row + 4;
  const shown = (value) => `${shownNumber(value, digits)} ${escape(unit)}`.trim();
  const rows = bars.map((bar, i) => {
    const y = top + i * row,
      barY = narrow ? y + 18 : y + 2;
    return e(
      'g',
      {},
      narrow
        ? e('text', {x: 0, y: y + 12}, escape(bar.label))
        : e('text', {x: left - 10, y: y + 18, class: 'end'}, escape(bar.label)),
      e('rect', {
        x: left,
        y: barY,
        width: Math.max(1, bar.value * scale),
        height: narrow ? 20 : row - 10,
        rx: 3,
        class: 'bar',
      }),
    );
  });
  // Above the line of the ceiling, so that it cannot strike them out.
  const values = bars.map((bar, i) => {
    const y = top + i * row + (narrow ? 33 : 18);
    return e('text', {x: left + bar.value * scale + 8, y, class: 'value'}, shown(bar.value));
  });
  return e(
    'svg',
    frame(width, height, narrow, label),
    rows,
    ceiling &&
      ceilingLine(
        left + ceiling.value * scale,
        height,
        width,
        `${escape(ceiling.label)}: ${shown(ceiling.value)}`,
      ),
    values,
  );
}

// A dashed line with its name above, which stays inside of the picture.
function ceilingLine(x, height, width, title) {
  const side = x > width * 0.75 ? 'end' : 'middle';
  return e(
    'g',
    {},
    e('line', {x1: x, x2: x, y1: 22, y2: height, class: 'ceiling'}),
    e('text', {x: side === 'end' ? Math.min(x + 40, width - 4) : x, y: 15, class: side}, title),
  );
}

// series: [{label, points: [{x, y}]}]; scale 'log' makes both axes logarithmic.
export function lineChart({series, x, y, scale = 'linear', label, narrow = false}) {
  const width = narrow ? 400 : WIDTH;
  const left = narrow ? 52 : 64,
    right = narrow ? 112 : 130,
    top = 14,
    bottom = 44,
    height = 360;
  const all = series.flatMap((one) => one.points);
  const axis = (values, from, to) => {
    const low = scale === 'log' ? Math.min(...values) : 0,
      high = Math.max(...values);
    if (scale === 'log' && low <= 0) throw new Error('a logarithmic axis has no zero');
    const part = (value) =>
      scale === 'log' ? Math.log(value / low) / Math.log(high / low || 2) : value / high;
    return {at: (value) => from + part(value) * (to - from), low, high};
  };
  const across = axis(
    all.map((point) => point.x),
    left,
    width - right,
  );
  const up = axis(
    all.map((point) => point.y),
    height - bottom,
    top,
  );
  const ticks = ({low, high}) => {
    if (scale !== 'log')
      return Array.from(
        {length: Math.floor(high / niceStep(high)) + 1},
        (_, i) => i * niceStep(high),
      );
    const powers = [];
    for (let power = 10 ** Math.ceil(Math.log10(low)); power <= high * 1.0001; power *= 10)
      powers.push(power);
    return powers.length > 1 ? powers : [low, high];
  };
  const xTicks =
    scale === 'log'
      ? [...new Set(all.map((point) => point.x))].sort((a, b) => a - b).slice(0, 10)
      : ticks(across);
  const grid = [
    ...ticks(up).map((value) =>
      e(
        'g',
        {},
        e('line', {x1: left, x2: width - right, y1: up.at(value), y2: up.at(value), class: 'rule'}),
        e('text', {x: left - 8, y: up.at(value) + 4, class: 'axis end'}, shownNumber(value)),
      ),
    ),
    ...xTicks.map((value) =>
      e(
        'text',
        {x: across.at(value), y: height - bottom + 18, class: 'axis middle'},
        shownNumber(value),
      ),
    ),
    e('text', {x: (left + width - right) / 2, y: height - 6, class: 'axis middle'}, escape(x)),
    e(
      'text',
      {
        x: 14,
        y: (top + height - bottom) / 2,
        class: 'axis middle',
        transform: `rotate(-90 14 ${(top + height - bottom) / 2})`,
      },
      escape(y),
    ),
  ];
  // Labels at the lines' right ends, moved apart where they would overlap.
  const ends = series
    .map((one, i) => ({i, y: up.at(one.points.at(-1).y)}))
    .sort((a, b) => a.y - b.y);
  ends.forEach((end, i) => {
    if (i > 0) end.y = Math.max(end.y, ends[i - 1].y + 15);
  });
  const lines = series.map((one, i) =>
    e(
      'g',
      {class: `series s${i % 6}`},
      e('polyline', {
        points: one.points
          .map((point) => `${across.at(point.x).toFixed(1)},${up.at(point.y).toFixed(1)}`)
          .join(' '),
      }),
      one.points.map((point) =>
        e('circle', {cx: across.at(point.x).toFixed(1), cy: up.at(point.y).toFixed(1), r: 3}),
      ),
      e(
        'text',
        {x: width - right + 10, y: ends.find((end) => end.i === i).y + 4},
        escape(one.label),
      ),
    ),
  );
  return e('svg', frame(width, height, narrow, label), grid, lines);
}

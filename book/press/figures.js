// ::: figure blocks: from the lines of the block to a figure with its numbers as a table.
import {barChart, lineChart} from '../drawing/charts.js';
import {element as e, escape, shownNumber} from '../drawing/html.js';
import {heatMap, heatScale} from '../drawing/heat.js';
import {passesPicture} from '../drawing/passes.js';
import {SKETCHES} from '../drawing/sketches.js';
import {DEVICES, bankLoads, sharedCost} from '../model/hardware.js';
import {offsetsOf} from '../model/lane_expression.js';
import {tableOf} from '../widgets/frame/frame.js';
import {evaluate} from './expression.js';
import {inlineHtml} from './inline.js';
import {table} from './tables.js';
import {traceHtml} from './trace_figure.js';

// {settings: {key: value}, values: [{label, expression, isCeiling}]}; a line is "key: value" or "label = expression".
function parse(lines) {
  const settings = {},
    values = [];
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const setting =
      /^(caption|name|unit|digits|index|requests|width|access|mask|device|table|x|y|series|scale|where|x-title|y-title): *(.*)$/.exec(
        line,
      );
    const value = /^(ceiling: *)?([^=]+?) = (.+)$/.exec(line);
    if (setting) settings[setting[1]] = setting[2];
    else if (value)
      values.push({label: value[2], expression: value[3], isCeiling: Boolean(value[1])});
    else throw new Error(`neither "key: value" nor "label = expression": ${line}`);
  }
  if (!settings.caption) throw new Error('a figure needs a caption');
  return {settings, values};
}

// The picture for a page and the one for a phone; only one of them is there at a time.
const forBoth = (draw) =>
  e('div', {class: 'for-wide'}, draw(false)) + e('div', {class: 'for-narrow'}, draw(true));

// A drawn figure: its picture, which may scroll, and what stands below it.
const withNumbers = (picture, numbers, scale = '') => ({
  picture,
  below:
    scale +
    e(
      'details',
      {class: 'data'},
      e('summary', {}, 'the numbers'),
      e('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'the numbers'}, numbers),
    ),
});

function bars({unit = '', digits: shown, caption}, values, page) {
  const digits = shown === undefined ? undefined : Number(shown);
  const numbers = values.map(({label, expression, isCeiling}) => {
    const {value, origins} = evaluate(expression);
    if (typeof value !== 'number') throw new Error(`${expression} is no number`);
    page.origins.push(...origins);
    return {label, value, isCeiling};
  });
  if (numbers.filter((one) => !one.isCeiling).length < 2)
    throw new Error('a bar chart needs two bars');
  return withNumbers(
    forBoth((narrow) =>
      barChart({
        bars: numbers.filter((one) => !one.isCeiling),
        ceiling: numbers.find((one) => one.isCeiling),
        unit,
        digits,
        label: caption,
        narrow,
      }),
    ),
    tableOf(
      ['', unit || 'value'],
      numbers.map(({label, value}) => [escape(label), shownNumber(value, digits)]),
    ),
  );
}

function lines(
  {table: name, x, y, series, scale, caption, where, 'x-title': xTitle, 'y-title': yTitle},
  page,
) {
  if (!name || !x || !y || !series) throw new Error('lines need table, x, y and series');
  const {source, rows} = table(name);
  const [column, wanted] = where?.split(/ *= */) ?? [];
  const chosen = rows.filter((row) => !where || row[column] === wanted);
  for (const one of [x, y, series])
    if (!(one in (chosen[0] ?? {}))) throw new Error(`${name} has no column ${one}, or no row`);
  const labels = [...new Set(chosen.map((row) => row[series]))];
  page.origins.push({source, text: name});
  const groups = labels.map((label) => ({
    label,
    points: chosen
      .filter((row) => row[series] === label && row[y] !== '')
      .map((row) => ({x: Number(row[x]), y: Number(row[y])}))
      .sort((a, b) => a.x - b.x),
  }));
  const xs = [...new Set(chosen.map((row) => Number(row[x])))].sort((a, b) => a - b);
  return withNumbers(
    forBoth((narrow) =>
      lineChart({series: groups, x: xTitle ?? x, y: yTitle ?? y, scale, label: caption, narrow}),
    ),
    tableOf(
      [escape(xTitle ?? x), ...labels.map(escape)],
      xs.map((at) => [
        shownNumber(at),
        ...groups.map(({points}) => {
          const point = points.find((one) => one.x === at);
          return point ? shownNumber(point.y) : '';
        }),
      ]),
    ),
  );
}

// With `requests`, one row for each of them: w in the index is the number of the request.
function heat({index, requests, width = '4', access, mask, device = 'h200', caption}) {
  if (!index) throw new Error('heat needs an index, such as 32*t');
  if (requests) {
    const loads = Array.from({length: Number(requests)}, (_, w) =>
      bankLoads({
        offset: offsetsOf(index.replace(/\bw\b/g, String(w)), Number(width)),
        width: Number(width),
        access,
        device,
        mask: mask && Number(mask),
      }),
    );
    const most = loads.map((row) => Math.max(...row));
    return withNumbers(
      heatMap({rows: loads, label: caption}),
      tableOf(
        ['request', 'words in the fullest bank'],
        most.map((ways, w) => [w, ways]),
      ),
      heatScale(Math.max(...most)),
    );
  }
  const cost = sharedCost({
    offset: offsetsOf(index, Number(width)),
    width: Number(width),
    access,
    device,
    mask: mask && Number(mask),
  });
  return {picture: passesPicture(cost, {banks: DEVICES[device].banks, label: caption}), below: ''};
}

function sketch({name}) {
  if (!Object.hasOwn(SKETCHES, name))
    throw new Error(`no sketch ${name}; there are ${Object.keys(SKETCHES).join(', ')}`);
  return {picture: SKETCHES[name](), below: ''};
}

// What is drawn, and its caption.
function drawn(kind, body, page) {
  if (kind === 'trace') {
    const {caption, picture, details, scale} = traceHtml(body, page);
    return {caption, ...withNumbers(picture, details, scale)};
  }
  const {settings, values} = parse(body);
  const draw = {
    bars: () => bars(settings, values, page),
    lines: () => lines(settings, page),
    heat: () => heat(settings),
    sketch: () => sketch(settings),
  }[kind];
  if (!draw) throw new Error(`no figure ${kind}; there are bars, lines, heat, sketch, trace`);
  return {caption: settings.caption, ...draw()};
}

export function figureHtml(kind, body, page) {
  const {caption, picture, below} = drawn(kind, body, page);
  const number = ++page.figures;
  return e(
    'figure',
    {class: `drawing ${kind}`, id: `figure-${number}`},
    e('div', {class: 'picture', tabindex: 0, role: 'group', 'aria-label': 'figure'}, picture),
    below,
    e('figcaption', {}, inlineHtml(caption, page)),
  );
}

// ::: figure trace: heat maps of what the emulated H200 saw on one line of one kernel, or of several side by side.
import {heatMap, heatScale, tileMap} from '../drawing/heat.js';
import {element as e, escape} from '../drawing/html.js';
import {plural, tableOf} from '../widgets/frame/frame.js';
import {inlineHtml} from './inline.js';
import {recordedTrace} from './traces.js';

const KEYS = ['title', 'file', 'line', 'request', 'block', 'warps', 'rows', 'every', 'tile'];

// "key: value" lines; each `file:` begins another panel, which keeps what it does not say anew. Several lines of a file
// are one picture.
export function panelsOf(body) {
  let caption;
  const panels = [];
  let said = new Set();
  for (const text of body.filter((one) => one.trim() !== '')) {
    const [, key, value] = /^([a-z]+): *(.+)$/.exec(text) ?? [];
    if (key === 'caption') {
      caption = value;
      continue;
    }
    if (!KEYS.includes(key))
      throw new Error(`a trace has caption, ${KEYS.join(', ')}, and no line "${text}"`);
    if (key === 'file') {
      panels.push({...panels.at(-1), lines: [...(panels.at(-1)?.lines ?? [])]});
      said = new Set();
    }
    const panel = panels.at(-1);
    if (!panel) throw new Error('a trace begins with its caption and file');
    if (key === 'line') panel.lines = said.has(key) ? [...panel.lines, value] : [value];
    else panel[key] = value;
    said.add(key);
  }
  for (const {file, lines} of panels)
    if (lines.length === 0)
      throw new Error(`${file}: which line? "line:" and text that only it has`);
  if (!caption || panels.length === 0)
    throw new Error('a trace needs a caption, a file and a line');
  return {caption, panels};
}

// What has to be recorded for a panel.
export function wishesOf({file, lines, block = '0', warps = '0'}) {
  const [first, last = first] = warps.split('-').map(Number);
  if (!(first >= 0 && last >= first)) throw new Error(`warps: 0 or 0-31, not ${warps}`);
  return lines.map((line) => ({file, line, block, warps: [first, last]}));
}

// Those requests of its traces that the panel is about.
function chosenOf({request = 'shared', every = '1', ...panel}) {
  const chosen = wishesOf(panel)
    .flatMap((wish) => recordedTrace(wish).requests)
    .filter(({access}) => access.startsWith(request))
    .filter((_, i) => i % Number(every) === 0);
  if (chosen.length === 0)
    throw new Error(`${panel.file}: no ${request} on the line ${panel.lines.join(', ')}`);
  return chosen;
}

// How many words each bank serves for a request.
export function loadsOf({served}) {
  const loads = Array(32).fill(0);
  for (const [bank] of served) ++loads[bank];
  return loads;
}

// What the words of a tile cost: for each, how many words its bank served in the same request.
export function tileOf(requests, pitch) {
  const cells = [];
  for (const request of requests) {
    const loads = loadsOf(request);
    for (const [bank, word] of request.served) {
      const row = (cells[Math.floor(word / pitch)] ??= Array(pitch).fill(0));
      row[word % pitch] = Math.max(row[word % pitch], loads[bank]);
    }
  }
  return Array.from({length: cells.length}, (_, i) => cells[i] ?? Array(pitch).fill(0));
}

function sumOf(requests) {
  const sum = (what) => requests.reduce((all, one) => all + one[what], 0);
  const wavefronts = sum('wavefronts'),
    conflicts = wavefronts - sum('ideal');
  return `${plural(requests.length, 'request')}, ${plural(wavefronts, 'wavefront')}, ${conflicts === 0 ? 'no conflicts' : plural(conflicts, 'conflict')}`;
}

function panelHtml(panel, isBeside, room) {
  const requests = chosenOf(panel);
  const isOneWarp = requests.every((one) => one.warp === requests[0].warp);
  const names = requests.map((one, i) =>
    panel.rows || isOneWarp ? `${panel.rows ?? 'request'} ${i + 1}` : `warp ${one.warp}`,
  );
  const sum = sumOf(requests);
  const label = `${panel.title ? `${panel.title}: ` : ''}${sum}`.replace(/`/g, '');
  const picture = panel.tile
    ? tileMap({rows: tileOf(requests, Number(panel.tile)), label, room})
    : heatMap({
        rows: requests.map(loadsOf),
        names,
        label,
        isSmall: isBeside || requests.length > 12,
      });
  return {picture, sum, names, requests, most: Math.max(...requests.flatMap(loadsOf))};
}

export function traceHtml(lines, page) {
  const {caption, panels} = panelsOf(lines);
  const room = Math.max(...panels.map(({tile}) => Number(tile ?? 0)));
  const drawn = panels.map((panel) => panelHtml(panel, panels.length > 1, room));
  const pictures = drawn.map(({picture, sum}, i) =>
    e(
      'figure',
      {},
      picture,
      e(
        'figcaption',
        {},
        panels[i].title && e('strong', {}, inlineHtml(panels[i].title, page)),
        e('span', {}, sum),
      ),
    ),
  );
  const tables = drawn.map(({names, requests}, i) =>
    e(
      'div',
      {},
      e(
        'p',
        {},
        e('code', {}, panels[i].file),
        ', on what has ',
        panels[i].lines.map((line) => e('code', {}, escape(line))).join(', '),
      ),
      tableOf(
        ['', 'wavefronts', 'ideal', 'banks at work', 'words in the fullest'],
        requests.map((one, row) => {
          const loads = loadsOf(one);
          return [
            names[row],
            one.wavefronts,
            one.ideal,
            loads.filter((words) => words > 0).length,
            Math.max(...loads),
          ];
        }),
      ),
    ),
  );
  return {
    caption,
    picture: e('div', {class: `panels of-${panels.length}`}, pictures),
    scale: heatScale(Math.max(...drawn.map(({most}) => most))),
    details: tables.join(''),
  };
}

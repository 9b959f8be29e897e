// The requests of one warp, step by step: what a run of the playground kept of it (grader/report/trace/trace_json.hpp).
import {element as e, escape} from '../drawing/html.js';
import {BANKS, WORD} from '../model/hardware.js';
import {say} from '../words/say.js';

const KEYS = {ArrowLeft: -1, ArrowRight: 1};

// Places that have requests, in the order of the program: {kernel, line, inAll}. One of a kernel without a line is all of it.
export function placesOf({lines}) {
  const kernels = [...new Set(lines.map(({kernel}) => kernel))];
  return kernels.flatMap((kernel) => [
    {kernel, line: 0},
    ...lines
      .filter((one) => one.kernel === kernel)
      .map(({line, in_all: inAll}) => ({kernel, line, inAll}))
      .sort((one, other) => one.line - other.line),
  ]);
}

export const requestsAt = ({requests}, {kernel, line}) =>
  requests.filter((one) => one.kernel === kernel && (line === 0 || one.line === line));

// Words of one bank that lanes want at once: those lanes' rows are marked.
const wordOf = ({at}) => Math.floor(at / WORD);
const bankOf = (lane) => wordOf(lane) % BANKS;
export function busyBanks({memory, lanes}) {
  const words = new Map();
  if (memory === 'shared')
    for (const lane of lanes)
      words.set(bankOf(lane), (words.get(bankOf(lane)) ?? new Set()).add(wordOf(lane)));
  return new Set([...words].filter(([, all]) => all.size > 1).map(([bank]) => bank));
}

const address = ({memory}, at) => (memory === 'shared' ? String(at) : `0x${at.toString(16)}`);

function lanesTable(request) {
  const {memory, lanes, width} = request;
  const isShared = memory === 'shared';
  const hasValues = lanes.some(({value}) => value !== undefined);
  // Of a wider access lanes are served in turns, and who meets whom depends on more than the bank.
  const busy = width <= WORD ? busyBanks(request) : new Set();
  const titles = [
    say('lane'),
    isShared ? say('byte of shared memory') : say('address'),
    isShared && say('bank'),
    hasValues && say('value'),
  ].filter(Boolean);
  return e(
    'div',
    {class: 'stepwise-lanes', tabindex: 0, role: 'region', 'aria-label': say('Lanes of this step')},
    e(
      'table',
      {},
      e(
        'thead',
        {},
        e(
          'tr',
          {},
          titles.map((title) => e('th', {scope: 'col'}, title)),
        ),
      ),
      e(
        'tbody',
        {},
        lanes.map((one) =>
          e(
            'tr',
            {class: isShared && busy.has(bankOf(one)) ? 'busy' : 'free'},
            e('th', {scope: 'row'}, one.lane),
            e('td', {}, address(request, one.at)),
            isShared && e('td', {}, bankOf(one)),
            hasValues && e('td', {}, escape(one.value ?? '')),
          ),
        ),
      ),
    ),
  );
}

// One step; `source`: the program's lines.
export function stepHtml(request, source) {
  const {line, what, cost, lanes} = request;
  const busy = request.width <= WORD && busyBanks(request).size > 0;
  return [
    e(
      'p',
      {class: 'stepwise-what'},
      e('button', {type: 'button', class: 'to-line', 'data-line': line}, say(`line ${line}`)),
      ' ',
      e('code', {}, escape((source[line - 1] ?? '').trim())),
    ),
    e('p', {class: 'stepwise-cost'}, `${escape(what)}: ${escape(cost)}`),
    busy && e('p', {class: 'remark'}, say('Marked lanes share a bank with another word.')),
    lanes.length > 0 && lanesTable(request),
  ]
    .filter(Boolean)
    .join('');
}

const nameOf = ({kernel, line}) =>
  line === 0 ? `${kernel}: ${say('all lines')}` : `${kernel}: ${say(`line ${line}`)}`;

const field = (id, label, value) =>
  e(
    'span',
    {class: 'stepwise-field'},
    e('label', {for: id}, label),
    e('input', {id, type: 'number', min: 0, value, inputmode: 'numeric'}),
  );

// The section with its controls; nothing is chosen yet. Another warp takes another run.
export const stepsHtml = ({block, warp, lines}) =>
  e('h2', {}, say('Step by step')) +
  e(
    'div',
    {class: 'stepwise', role: 'group', 'aria-label': say('Step by step')},
    e(
      'p',
      {class: 'live-bar stepwise-whose'},
      field('stepwise-x', 'blockIdx.x', block[0]),
      field('stepwise-y', '.y', block[1]),
      field('stepwise-z', '.z', block[2]),
      field('stepwise-warp', say('warp'), warp),
      e('button', {type: 'button', 'data-does': 'run_warp'}, say('Run with this warp')),
    ),
    lines.length === 0
      ? e('p', {}, say('This warp made no request to memory.'))
      : e(
          'p',
          {class: 'live-bar stepwise-choice'},
          e('label', {for: 'stepwise-place'}, say('Requests of')),
          e('select', {id: 'stepwise-place'}),
          e('button', {type: 'button', 'data-step': -1}, say('Previous step')),
          e('button', {type: 'button', 'data-step': 1}, say('Next step')),
          e('span', {class: 'stepwise-number', role: 'status'}),
        ),
    e('div', {class: 'stepwise-now'}),
  );

export class Steps {
  // `place`: has stepsHtml().
  constructor(place, trace, source) {
    this.place = place;
    this.trace = trace;
    this.source = source;
    this.places = placesOf(trace);
    this.choice = place.querySelector('#stepwise-place');
    if (!this.choice) return;
    this.choice.innerHTML = this.places
      .map((one, i) => e('option', {value: i}, escape(nameOf(one))))
      .join('');
    this.choice.addEventListener('change', () => this.choose(Number(this.choice.value)));
    place.addEventListener('click', ({target}) => {
      const step = target.closest('button')?.dataset.step;
      if (step) this.go(Number(step));
    });
    place.addEventListener('keydown', (event) => {
      const isField = event.target.matches('input, select');
      if (isField || !KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.go(KEYS[event.key]);
    });
    this.choose(0);
  }

  choose(index) {
    this.at = this.places[index];
    this.requests = requestsAt(this.trace, this.at);
    this.step = 0;
    this.paint();
  }

  go(by) {
    this.step = Math.min(Math.max(this.step + by, 0), this.requests.length - 1);
    this.paint();
  }

  // What has the focus keeps it: a button at the end is named so, and not taken away.
  paint() {
    const last = this.requests.length - 1;
    const isInAll = this.at.inAll > this.requests.length;
    this.place.querySelector('.stepwise-number').textContent =
      `${say('step')} ${this.step + 1}/${this.requests.length}` +
      (isInAll ? ` (${say('in all')} ${this.at.inAll})` : '');
    for (const button of this.place.querySelectorAll('[data-step]')) {
      const isEnd = button.dataset.step > 0 ? this.step === last : this.step === 0;
      button.setAttribute('aria-disabled', isEnd);
    }
    this.place.querySelector('.stepwise-now').innerHTML = stepHtml(
      this.requests[this.step],
      this.source,
    );
  }
}

// {block, warp} that the fields say; nothing where they are not there.
export function warpIn(place) {
  const number = (id) =>
    Math.max(0, Math.floor(Number(place.querySelector(`#stepwise-${id}`)?.value) || 0));
  return {block: [number('x'), number('y'), number('z')], warp: number('warp')};
}

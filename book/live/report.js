// A grading's report, as the terminal shows it, and what of a verdict is marked in the editor.
import {element as e, escape} from '../drawing/html.js';
import {say} from '../words/say.js';

const INKS = {'1;31': 'bad', 31: 'hot', 32: 'fine', 33: 'wary', 1: 'strong', 2: 'faint'};

// Text with the terminal's inks, as HTML; anything else that steers a terminal is left out.
export function inked(text) {
  let isOpen = false;
  const html = text
    .replace(/\u001b(?!\[[\d;]*m)(?:\[[^a-zA-Z]*[a-zA-Z])?/g, '')
    .split(/(\u001b\[[\d;]*m)/)
    .map((piece) => {
      const ink = /^\u001b\[([\d;]*)m$/.exec(piece)?.[1];
      if (ink === undefined) return escape(piece);
      const end = isOpen ? '</span>' : '';
      isOpen = ink in INKS;
      return end + (isOpen ? `<span class="${INKS[ink]}">` : '');
    })
    .join('');
  return html + (isOpen ? '</span>' : '');
}

export const terminal = (text, label) =>
  e(
    'figure',
    {class: 'terminal'},
    e(
      'pre',
      {tabindex: 0, role: 'region', 'aria-label': label},
      e('code', {}, inked(text.replace(/^\n+|\s+$/g, ''))),
    ),
  );

const isOf = (verdict) => (file) => file === '' || file === verdict.file;

// {line, severity, message}: failed checks and findings, nvcc's errors, and what lines cost.
export function marksOf(verdict) {
  if (!verdict) return [];
  const here = isOf(verdict);
  const checks = verdict.checks
    .filter(({status, line}) => status === 'failed' && line > 0)
    .map(({line, name, observed, message}) => ({
      line,
      severity: 'error',
      message: `${name}: ${message || observed}`,
    }));
  const findings = verdict.findings
    .filter(({file, line}) => here(file) && line > 0)
    .map(({line, severity, message}) => ({
      line,
      severity: severity === 'error' ? 'error' : 'info',
      message,
    }));
  const compiler = [
    ...verdict.compiler.matchAll(/^[^\n(]*\((\d+)\): (error|warning)[^:]*: (.*)$/gm),
  ].map(([, line, severity, message]) => ({line: Number(line), severity, message}));
  const marked = [...checks, ...findings, ...compiler];
  const costs = verdict.lines
    .filter(({file, line, conflicts}) => here(file) && line > 0 && conflicts > 0)
    .filter(({line}) => !marked.some((one) => one.line === line))
    .map(({line, conflicts, requests}) => ({
      line,
      severity: 'info',
      message: `${say('conflicts')}: ${conflicts.toLocaleString('en')} / ${requests.toLocaleString('en')}`,
    }));
  return [...marked, ...costs];
}

// {kind, words}: what it came to, in a line.
export function headOf({verdict, stopped, too_long: tooLong}) {
  if (stopped) return {kind: 'wary', words: say('Stopped.')};
  if (tooLong) return {kind: 'bad', words: say('It took too long and was ended.')};
  if (!verdict) return {kind: 'bad', words: say('It came to no verdict.')};
  const points = `${verdict.points} / ${verdict.max_points} ${say('points')}`;
  const passed = verdict.verdict === 'passed';
  const words = {
    passed: say('Solved.'),
    failed: verdict.solved_before ? say('It stays solved; this text:') : say('Not solved yet.'),
    did_not_compile: say('It does not compile.'),
    crashed: say('It crashed.'),
    timed_out: say('It did not come to an end.'),
    not_measurable: say('It cannot be measured.'),
    set_up: say('Something is missing on this machine.'),
  }[verdict.verdict];
  return {kind: passed ? 'fine' : 'bad', words: `${words} ${points}`};
}

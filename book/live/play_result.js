// What a run of the playground came to (grader/cli/play.cpp), as marks for the editor and as HTML.
import {element as e, escape} from '../drawing/html.js';
import {say} from '../words/say.js';
import {terminal} from './report.js';
import {stepsHtml} from './steps.js';

const lineIn = (line) => say(`line ${line}`);
// A wide colon has its space in itself.
const followed = (words, rest) => `${words}${words.endsWith('：') ? '' : ' '}${rest}`;

const LEVELS = ['error', 'warning', 'info'];

// The one file that there is.
const fileOf = (played) => played?.view?.files[0] ?? {marks: [], words: [], pages: []};

const inSentences = ({message, other_line: line, other_message: other}) =>
  line > 0 ? `${message} (${lineIn(line)}: ${other})` : message;

// {line, from, to, severity, message}; where a run was stopped, too.
export function marksOf(played) {
  const marks = fileOf(played).marks.map((mark) => ({
    line: mark.line,
    from: mark.from,
    to: mark.to,
    severity: LEVELS[mark.level],
    message: inSentences(mark),
  }));
  const stopped = (played?.stopped_at ?? []).map((line) => ({
    line,
    severity: 'error',
    message: say('The kernel was here when the run was ended.'),
  }));
  return [...marks, ...stopped];
}

// {line, text, more}: what lines cost, to stand behind them.
export const wordsOf = (played) => fileOf(played).words;

// {kind, words}: what it came to, in a line.
export function headOf({verdict: played, stopped, too_long: tooLong}) {
  if (stopped) return {kind: 'wary', words: say('Stopped.')};
  if (tooLong) return {kind: 'bad', words: say('It took too long and was ended.')};
  if (!played) return {kind: 'bad', words: say('The run came to nothing.')};
  if (played.ending === 'did_not_compile') return {kind: 'bad', words: say('It does not compile.')};
  if (played.ending !== 'ran')
    return {kind: 'bad', words: followed(say('It was not run:'), played.why)};
  if (played.stopped_by)
    return {kind: 'bad', words: followed(say('It did not come to an end:'), played.stopped_by)};
  const isWrong = fileOf(played).marks.some(({level}) => level === 0);
  if (played.exit_code !== 0)
    return {kind: 'bad', words: `${say('It ended with exit code')} ${played.exit_code}`};
  return isWrong
    ? {kind: 'bad', words: say('It ran, and something is wrong.')}
    : {kind: 'fine', words: say('It ran.')};
}

const toLine = (line) =>
  e('button', {type: 'button', class: 'to-line', 'data-line': line}, lineIn(line));

const section = (title, ...children) => [e('h2', {}, title), ...children];

// What is wrong or wasted, each with a way to its line.
const found = (marks) =>
  marks.length > 0 &&
  section(
    say('Found'),
    e(
      'ul',
      {class: 'play-found'},
      marks.map(({line, severity, message}) =>
        e('li', {class: severity}, toLine(line), ' ', escape(message)),
      ),
    ),
  );

const printed = ({out, err}) =>
  (out || err) &&
  section(
    say('Printed'),
    out && terminal(out, say('Printed')),
    err && e('p', {class: 'play-stream'}, say('On standard error:')),
    err && terminal(err, say('On standard error:')),
  );

// Each line with requests: what it costs, its text, and folded below it the requests lane by lane.
function lines(played, text) {
  const {words, pages} = fileOf(played);
  const source = text.split(/\r?\n/);
  return (
    words.length > 0 &&
    section(
      say('Line by line'),
      words.map(({line, text: cost, more}) => {
        const page = pages.find((one) => one.line === line);
        return e(
          'details',
          {class: 'play-line', 'data-line': line},
          e(
            'summary',
            {},
            e('span', {class: 'where'}, lineIn(line)),
            e('code', {}, escape((source[line - 1] ?? '').trim())),
            e('span', {class: 'cost'}, escape(cost)),
          ),
          e('p', {}, escape(more)),
          page && terminal(page.text, `${lineIn(line)}, ${say('lane by lane')}`),
        );
      }),
    )
  );
}

// `text`: what was run, where it is known.
export function resultHtml(facts, text) {
  const {kind, words} = headOf(facts);
  const played = facts.stopped ? null : facts.verdict;
  const hasReport = !facts.stopped && facts.report.trim() && played?.ending !== 'not_run';
  return [
    e('p', {class: `live-head ${kind}`, role: 'status'}, escape(words)),
    found(marksOf(played)),
    played?.ending === 'ran' && [printed(played), text !== undefined && lines(played, text)],
    played?.ending === 'ran' &&
      text !== undefined &&
      played.trace &&
      e('div', {class: 'play-steps'}, stepsHtml(played.trace)),
    hasReport && [e('h2', {}, say('Report')), terminal(facts.report, say('report'))],
  ]
    .flat(Infinity)
    .filter(Boolean)
    .join('');
}

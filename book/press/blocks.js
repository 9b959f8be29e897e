// Finished HTML of the things that stand on lines of their own: output of commands, formulas, sketches, margin notes.
import {element as e, escape} from '../drawing/html.js';
import {mathsHtml} from './inline.js';
import {commandOf, quoted} from './transcripts.js';

const scrolled = (attributes, inner) =>
  e('pre', {tabindex: 0, role: 'region', ...attributes}, e('code', {}, inner));

// A verdict's words in its colours, and what a report underlines. `verdicts`: those of another language, from its language.toml.
export const inked = (output, {passed, failed} = {passed: 'passed', failed: 'FAILED'}) =>
  escape(output)
    .replace(new RegExp(`(?<!\\p{L})${failed}(?!\\p{L})`, 'gu'), '<b class="bad">$&</b>')
    .replace(
      new RegExp(`^( +[\\p{L}\\d_-]+ +)${passed}(?!\\p{L})`, 'gmu'),
      `$1<span class="fine">${passed}</span>`,
    )
    .replace(/~{2,}/g, '<span class="bad">$&</span>');

// {{run …}}: a command and what it printed.
export function terminalHtml(text, page) {
  const asked = commandOf(text);
  page.commands.push(asked.command);
  const output = quoted(asked, page.language);
  const prompt = e('span', {class: 'prompt'}, '$ ');
  const command = e('span', {class: 'command'}, escape(asked.command));
  const label = `output of ${asked.command}`;
  const screen = scrolled(
    {'aria-label': label},
    `${prompt}${command}\n${inked(output, page.language?.verdicts)}`,
  );
  return e('figure', {class: 'terminal'}, screen);
}

export function formulaHtml(tex) {
  const attributes = {class: 'maths', tabindex: 0, role: 'group', 'aria-label': 'formula'};
  return e('div', attributes, mathsHtml(tex, true));
}

export const sketchHtml = (text) =>
  scrolled({class: 'sketch', 'aria-label': 'sketch'}, escape(text));

// Margin notes, the first of which has the number `first`.
export const notesHtml = (notes, first) =>
  notes.map((html, i) => {
    const number = first + i;
    return e('aside', {class: 'note', id: `note-${number}`}, e('sup', {}, number), ' ', html);
  });

// {{contents …}}: where the list of the chapters goes, once all of them are known.
export const CARDS = '<!-- the chapters -->';

const outdated = (remark) => `<div class="outdated">${e('p', {class: 'remark'}, remark)}`;

// Blocks that have Markdown inside: what stands before it, and after it.
export const FRAMES = {
  fold: (title) => [`<details class="fold"><summary>${title}</summary>`, '</details>'],
  warning: () => ['<div class="warning" role="note">', '</div>'],
  // In a translation: what is older than the English, and what is not translated.
  stale: () => [outdated('The English has changed since this was translated.'), '</div>'],
  missing: () => [`${outdated('Not translated yet.')}<div lang="en">`, '</div></div>'],
};

// The inside of a paragraph: code, maths, values, margin notes, links and emphasis.
import {element as e, escape, shownNumber} from '../drawing/html.js';
import {evaluate} from './expression.js';
import {load} from './folders.js';

// Cuts text into pieces: {kind: 'text' | 'code' | 'maths' | 'value' | 'note', text}.
export function piecesOf(text) {
  const pieces = [];
  let plain = '',
    at = 0;
  const push = (kind, inner) => {
    if (plain) pieces.push({kind: 'text', text: plain});
    plain = '';
    pieces.push({kind, text: inner});
  };
  const until = (end, from, what) => {
    const found = text.indexOf(end, from);
    if (found < 0) throw new Error(`${what} is never closed: ${text.slice(at, at + 40)}`);
    return found;
  };
  while (at < text.length) {
    const ticks = /^`+/.exec(text.slice(at, at + 4))?.[0];
    if (ticks) {
      const end = until(ticks, at + ticks.length, ticks);
      push('code', text.slice(at + ticks.length, end).trim());
      at = end + ticks.length;
    } else if (text.startsWith('{{=', at)) {
      const end = until('}}', at, '{{=');
      push('value', text.slice(at + 3, end).trim());
      at = end + 2;
    } else if (text.startsWith('{{', at)) {
      throw new Error(`this stands on a line of its own: ${text.slice(at, at + 40)}`);
    } else if (text.startsWith('^[', at)) {
      let depth = 1,
        end = at + 2;
      for (; end < text.length && depth > 0; ++end) depth += {'[': 1, ']': -1}[text[end]] ?? 0;
      if (depth > 0) throw new Error(`^[ is never closed: ${text.slice(at, at + 40)}`);
      push('note', text.slice(at + 2, end - 1));
      at = end;
    } else if (text.startsWith('\\$', at)) {
      plain += '$';
      at += 2;
    } else if (text[at] === '$') {
      const end = until('$', at + 1, '$');
      push('maths', text.slice(at + 1, end));
      at = end + 1;
    } else plain += text[at++];
  }
  if (plain) pieces.push({kind: 'text', text: plain});
  return pieces;
}

export function mathsHtml(tex, displayMode = false) {
  return load('katex').renderToString(tex, {
    displayMode,
    throwOnError: true,
    strict: 'error',
    output: 'htmlAndMathml',
  });
}

// "expression : digits" as the number on the page; what it rests on is added to `page.origins`.
export function valueHtml(text, page) {
  const [, expression, digits] = /^([^]*?)(?:\s*:\s*(\d))?$/.exec(text);
  const {value, origins} = evaluate(expression);
  if (typeof value === 'boolean') throw new Error(`${expression} is a condition, not a number`);
  page.origins.push(...origins);
  const title = origins
    .map(({source, text: from}) =>
      source ? `${source.device}, ${source.date}: ${from}` : `the model: ${from}`,
    )
    .join('; ');
  return e(
    'data',
    {class: 'number', value, title: title || undefined},
    escape(
      typeof value === 'number'
        ? shownNumber(value, digits === undefined ? undefined : Number(digits))
        : value,
    ),
  );
}

// HTML of a piece that is no text.
export function pieceHtml(piece, page) {
  if (piece.kind === 'code') return e('code', {}, escape(piece.text));
  if (piece.kind === 'maths') return mathsHtml(piece.text);
  if (piece.kind === 'value') return valueHtml(piece.text, page);
  const number = page.notes.push(inlineHtml(piece.text, page));
  return e(
    'sup',
    {class: 'noteref', id: `noteref-${number}`},
    e('a', {href: `#note-${number}`, 'aria-label': `note ${number}`}, number),
  );
}

// A link's place on the page, checked later; `page.links` remembers it.
export function linked(target, page) {
  page.links.push({target, line: page.line});
  // The reference is there in English only.
  const address = page.code ? target.replace(/^reference\//, '../reference/') : target;
  return address.replace(/^([\w-]+)\.md(?=#|$)/, '$1.html');
}

// A paragraph's inside as HTML, for places that are no Markdown: captions, questions, notes.
export function inlineHtml(text, page) {
  const held = [];
  const hold = (html) => `\u0001${held.push(html) - 1}\u0001`;
  const flat = piecesOf(text)
    .map((piece) => (piece.kind === 'text' ? escape(piece.text) : hold(pieceHtml(piece, page))))
    .join('');
  return flat
    .replace(
      /\[([^\]]+)\]\(([^)\s]+)\)/g,
      (_, inner, target) => `<a href="${linked(target, page)}">${inner}</a>`,
    )
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>')
    .replace(/\u0001(\d+)\u0001/g, (_, i) => held[i]);
}

// What all widgets share: fields with checked values, the text that stands there without script, and the live form.
//
// A widget is {name, title, fields, view}. `view(values)` is pure and returns {picture, says, details?}: HTML; it throws an
// Error whose message is for the reader when the values make no sense together. A field is {name, label, type, value}:
// 'text', 'mask', 'select' (options: {value: title}), 'number' or 'range' (min, max, step).
import {element as e, escape} from '../../drawing/html.js';
import {say, sayAll} from '../../words/say.js';

// The value of one field from its text, or an Error in words.
function valueOf(field, text) {
  if (field.type === 'select') {
    if (!(text in field.options))
      throw new Error(`${field.label}: ${Object.keys(field.options).join(', ')}, not ${text}`);
    return text;
  }
  if (field.type === 'mask') {
    if (!/^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(String(text).trim()) || Number(text) > 0xffffffff)
      throw new Error(`${field.label}: 32 bits, such as 0xffff`);
    return Number(text);
  }
  if (field.type === 'number' || field.type === 'range') {
    const value = Number(text);
    if (
      String(text).trim() === '' ||
      !Number.isInteger(value) ||
      value < field.min ||
      value > field.max
    )
      throw new Error(`${field.label}: a whole number from ${field.min} to ${field.max}`);
    return value;
  }
  return String(text);
}

// All values of a widget from what an author or reader gave. Unknown names are errors.
export function valuesOf(widget, given) {
  for (const name of Object.keys(given))
    if (!widget.fields.some((field) => field.name === name))
      throw new Error(
        `${widget.name} has no ${name}; it has ${widget.fields.map((field) => field.name).join(', ')}`,
      );
  return Object.fromEntries(
    widget.fields.map((field) => [field.name, valueOf(field, given[field.name] ?? field.value)]),
  );
}

const shownValue = (field, value) =>
  field.type === 'select'
    ? field.options[value]
    : field.type === 'mask'
      ? `0x${value.toString(16).padStart(8, '0')}`
      : value;

function contents({picture, says, details}) {
  return (
    e('div', {class: 'picture', tabindex: 0, role: 'group', 'aria-label': 'picture'}, picture) +
    e('p', {class: 'says', 'aria-live': 'polite'}, says) +
    (details
      ? e(
          'details',
          {class: 'data'},
          e('summary', {}, details.title),
          e('div', {class: 'scroll'}, details.html),
        )
      : '')
  );
}

// What stands on the page: the same picture and words as the live widget shows at first.
export function staticWidget(widget, given) {
  const values = valuesOf(widget, given);
  const rows = widget.fields.map((field) =>
    e(
      'div',
      {},
      e('dt', {}, field.label),
      e('dd', {}, escape(shownValue(field, values[field.name]))),
    ),
  );
  return e(
    'section',
    {
      class: 'widget',
      'data-widget': widget.name,
      'data-given': JSON.stringify(given),
      'aria-label': widget.title,
    },
    e('p', {class: 'widget-title'}, widget.title),
    e('dl', {class: 'given'}, rows),
    e('div', {class: 'shown'}, contents(widget.view(values))),
  );
}

function control(field, value, id) {
  const shared = {id, name: field.name};
  if (field.type === 'select')
    return e(
      'select',
      shared,
      Object.entries(field.options).map(([option, title]) =>
        e('option', {value: option, selected: option === value}, escape(title)),
      ),
    );
  if (field.type === 'range') {
    const step = (by, sign) =>
      e(
        'button',
        {
          type: 'button',
          'data-by': by,
          'data-of': field.name,
          'aria-label': `${field.label} ${sign}1`,
        },
        sign,
      );
    return e(
      'div',
      {class: 'steps'},
      step(-1, '\u2212'),
      e('input', {...shared, type: 'range', min: field.min, max: field.max, value}),
      step(1, '+'),
      e('output', {for: id}, value),
    );
  }
  if (field.type === 'number')
    return e('input', {
      ...shared,
      type: 'number',
      min: field.min,
      max: field.max,
      step: field.step ?? 1,
      value,
      inputmode: 'numeric',
    });
  return e('input', {
    ...shared,
    type: 'text',
    value: shownValue(field, value),
    spellcheck: 'false',
    autocapitalize: 'off',
    autocomplete: 'off',
  });
}

// Turns the text at `place` into the live widget. `number` makes its ids unique on the page.
export function mount(widget, place, number) {
  const given = JSON.parse(place.dataset.given);
  const form = document.createElement('form');
  const first = valuesOf(widget, given);
  form.innerHTML = sayAll(
    widget.fields
      .map((field) => {
        const id = `widget-${number}-${field.name}`;
        return e(
          'div',
          {class: `field ${field.type}`},
          e('label', {for: id}, escape(field.label)),
          control(field, first[field.name], id),
        );
      })
      .join('') +
      e('button', {type: 'reset'}, 'Start again') +
      e('p', {class: 'problem', role: 'alert', hidden: true}, ''),
  );
  place.querySelector('.given').replaceWith(form);
  const problem = form.querySelector('.problem');
  const shown = place.querySelector('.shown');
  const update = () => {
    const read = Object.fromEntries(
      widget.fields.map((field) => [field.name, form.elements[field.name].value]),
    );
    for (const field of widget.fields.filter((one) => one.type === 'range'))
      form.querySelector(`output[for="${form.elements[field.name].id}"]`).textContent =
        read[field.name];
    try {
      const open = shown.querySelector('details')?.open;
      const view = widget.view(valuesOf(widget, read));
      shown.querySelector('.picture').innerHTML = sayAll(view.picture);
      shown.querySelector('.says').innerHTML = sayAll(view.says);
      const details = shown.querySelector('details .scroll');
      if (details) {
        details.innerHTML = sayAll(view.details.html);
        shown.querySelector('details summary').innerHTML = sayAll(view.details.title);
      }
      if (open !== undefined) shown.querySelector('details').open = open;
      problem.hidden = true;
      shown.classList.remove('stale');
    } catch (error) {
      problem.textContent = say(error.message);
      problem.hidden = false;
      shown.classList.add('stale');
    }
  };
  form.addEventListener('input', update);
  form.addEventListener('reset', () => setTimeout(update));
  form.addEventListener('click', ({target}) => {
    const {by, of} = target.dataset;
    if (!by) return;
    form.elements[of].valueAsNumber += Number(by);
    update();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  place.classList.add('live');
}

export const plural = (count, one, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

// A table with headed rows; cells are HTML.
export function tableOf(head, rows) {
  return e(
    'table',
    {},
    e(
      'thead',
      {},
      e(
        'tr',
        {},
        head.map((title) => e('th', {scope: 'col'}, title)),
      ),
    ),
    e(
      'tbody',
      {},
      rows.map((row) =>
        e(
          'tr',
          {},
          row.map((value, i) => (i === 0 ? e('th', {scope: 'row'}, value) : e('td', {}, value))),
        ),
      ),
    ),
  );
}

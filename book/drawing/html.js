// HTML and SVG as text.

export const escape = (text) =>
  String(text).replace(
    /[&<>"]/g,
    (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c],
  );

const VOID = new Set(['br', 'input', 'img', 'hr', 'meta', 'link']);

// element('a', {href}, 'text', …): attributes that are undefined or false are left out, children are HTML.
export function element(name, attributes = {}, ...children) {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false && value !== null)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escape(value)}"`))
    .join('');
  if (VOID.has(name)) return `<${name}${text}>`;
  return `<${name}${text}>${children
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== false)
    .join('')}</${name}>`;
}

const thin = /\B(?=(\d{3})+(?!\d))/g;

// 1048576 as "1,048,576"; `digits` after the point, or three significant ones for a number that is not whole.
export function shownNumber(value, digits) {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no number to show`);
  const text =
    digits !== undefined
      ? value.toFixed(digits)
      : Number.isInteger(value)
        ? String(value)
        : Math.abs(value) >= 100
          ? String(Math.round(value))
          : String(Number(value.toPrecision(3)));
  const [whole, rest] = text.split('.');
  return whole.replace(thin, ',') + (rest === undefined ? '' : `.${rest}`);
}

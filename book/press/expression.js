// Expressions for numbers in the text: measured cells, answers of the model, arithmetic.
//
//   h200.source_kernels[tr_naive].time_ns / 1000      banks("33*t", access="store").conflicts
//   rows("h200.patterns").count      bank("33*t", lane=31).number      shuffle("down", lane=30, by=2).from
//   + - * /  < <= > >= ==  ( )  round min max log2
//
// Pure but for reading tables. Every error names what is wrong.
import {BANKS, constantReplays, occupancy, sectors, sharedCost} from '../model/hardware.js';
import {laneExpression, offsetsOf} from '../model/lane_expression.js';
import {sourceOf} from '../widgets/shuffle/shuffle.js';
import {rowOf, table} from './tables.js';

const SOURCE = Symbol('where a function has its answer from, when that is not the model');

const FUNCTIONS = {
  rows([name], equal) {
    const {rows, source} = table(name);
    const isAsked = (row) =>
      Object.entries(equal).every(([column, value]) => row[column] === value);
    const strange = Object.keys(equal).find((column) => !(column in rows[0]));
    if (strange) throw new Error(`${name} has no column ${strange}`);
    return {count: rows.filter(isAsked).length, [SOURCE]: source};
  },
  bank: ([word], {lane}) => ({number: Number(laneExpression(word)(lane)) % BANKS}),
  shuffle: ([op], {lane, by, width = 32}) => ({from: sourceOf(op, lane, by, width)}),
  banks: ([index], {access, width = 4, mask, device}) =>
    sharedCost({offset: offsetsOf(index, width), access, width, mask, device}),
  sectors: ([index], {width = 4, mask, base = 0}) => ({
    count: sectors(
      offsetsOf(index, width).map((one) => one + base),
      mask,
    ),
  }),
  replays: ([index], {width = 4, mask}) => ({
    count: constantReplays(offsetsOf(index, width), mask),
  }),
  occupancy: (_, needs) => occupancy(needs),
  round: ([x]) => Math.round(x),
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  log2: ([x]) => Math.log2(x),
};
const OPERATORS = {
  '<': 1,
  '<=': 1,
  '>': 1,
  '>=': 1,
  '==': 1,
  '+': 2,
  '-': 2,
  '*': 3,
  '/': 3,
};
const apply = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
};

// The value of the expression, and the cells and answers that it rests on: {value, origins: [{source?, text, value}]}.
export function evaluate(text) {
  const origins = [];
  let at = 0;
  const fail = (message) => {
    throw new Error(`${message}, at "${text.slice(at, at + 24)}" in: ${text}`);
  };
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) ++at;
  };
  const next = (pattern) => {
    skip();
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match?.[0];
  };
  const expect = (pattern, what) => next(pattern) ?? fail(`${what} is missing`);

  function operand() {
    const number = next(/0x[0-9a-f]+|\d+(\.\d+)?/iy);
    if (number !== undefined) return Number(number);
    const string = next(/"[^"]*"/y);
    if (string !== undefined) return string.slice(1, -1);
    if (next(/-/y)) return -operand();
    if (next(/\(/y)) {
      const value = binary(1);
      expect(/\)/y, ')');
      return value;
    }
    const begin = at;
    const name = next(/[a-z_][\w]*(\.\w+)*/iy) ?? fail('a number, a name or ( is expected');
    if (next(/\(/y)) return call(name, begin);
    if (next(/\[/y)) return cell(name, begin);
    return fail(`${name} stands for nothing: a table needs [row].column`);
  }

  function call(name, begin) {
    const work =
      FUNCTIONS[name] ??
      fail(`no function ${name}; there are ${Object.keys(FUNCTIONS).join(', ')}`);
    const positional = [],
      named = {};
    while (!next(/\)/y)) {
      const key = next(/[a-z]\w*(?=\s*=[^=])/iy);
      if (key) {
        expect(/=/y, '=');
        named[key] = binary(1);
      } else positional.push(binary(1));
      if (next(/,/y) === undefined && text[at] !== ')') fail(', or ) is missing');
    }
    let value = work(positional, named);
    if (typeof value === 'object') {
      expect(/\./y, `.${Object.keys(value).at(-1)} or another part`);
      const part = expect(/\w+/y, 'a part');
      if (!(part in value)) fail(`${name} has no ${part}; it has ${Object.keys(value).join(', ')}`);
      const source = value[SOURCE];
      value = value[part];
      origins.push({source, text: text.slice(begin, at).trim(), value});
    }
    return value;
  }

  function cell(name, begin) {
    const keys = [];
    do {
      const column = next(/\w+(?=\s*=)/y);
      if (column) expect(/=/y, '=');
      const value = next(/"[^"]*"/y)?.slice(1, -1) ?? expect(/[^\],"]+/y, 'a row').trim();
      keys.push({column, value});
    } while (next(/,/y));
    expect(/\]/y, ']');
    expect(/\./y, '.column');
    const column = expect(/\w+/y, 'a column');
    const data = table(name);
    const row = rowOf(data, keys);
    if (!(column in row))
      fail(`${name} has no column ${column}; it has ${Object.keys(row).join(', ')}`);
    const value =
      row[column] !== '' && Number.isFinite(Number(row[column]))
        ? Number(row[column])
        : row[column];
    if (value === '') fail(`${name} has nothing there`);
    origins.push({source: data.source, text: text.slice(begin, at).trim(), value});
    return value;
  }

  function binary(least) {
    let left = operand();
    for (;;) {
      skip();
      const operator = Object.keys(OPERATORS)
        .sort((a, b) => b.length - a.length)
        .find((one) => text.startsWith(one, at));
      if (!operator || OPERATORS[operator] < least) return left;
      at += operator.length;
      left = apply[operator](left, binary(OPERATORS[operator] + 1));
    }
  }

  const value = binary(1);
  skip();
  if (at < text.length) fail('an operator is expected');
  if (typeof value === 'number' && !Number.isFinite(value)) fail(`the value is ${value}`);
  return {value, origins};
}

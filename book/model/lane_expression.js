// Expressions in t, the lane, as `course banks --index` reads them (grader/cli/banks/lane_expression.hpp):
//   + - * / % ^ & | << >> ( )   unary minus   t, which is also lane and threadIdx.x   decimal and hexadecimal numbers
// with C++'s meaning and precedence, on 64-bit signed integers. What C++ leaves undefined is an error.

const PRECEDENCE = {
  '|': 1,
  '^': 2,
  '&': 3,
  '<<': 4,
  '>>': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
const LOWEST = -(2n ** 63n),
  HIGHEST = 2n ** 63n - 1n;
const LONGEST = 1000,
  DEEPEST = 100;

const NAMES = ['t', 'lane', 'threadIdx.x'];

export class ExpressionError extends Error {
  constructor(message, position) {
    super(message);
    this.position = position;
  }
}

function tokensOf(text) {
  if (text.length > LONGEST)
    throw new ExpressionError(`longer than ${LONGEST} characters`, LONGEST);
  const tokens = [];
  const pattern =
    /[ \t]*(?:(0[xX][0-9a-fA-F]+|\d+)|(threadIdx\.x\b|[A-Za-z_]\w*)|(<<|>>|[-+*/%^&|()]))/y;
  let at = 0;
  while (text.slice(at).trim() !== '') {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) throw new ExpressionError('a number, t or ( is expected here', at);
    const position = pattern.lastIndex - match[0].trimStart().length;
    if (match[2] && !NAMES.includes(match[2]))
      throw new ExpressionError(
        'unknown name: the lane is called t or threadIdx.x, and there is no other',
        position,
      );
    if (match[1] && /^0\d/.test(match[1]))
      throw new ExpressionError(
        'C++ reads a number that starts with 0 as octal: leave out the 0',
        position,
      );
    if (match[1] && BigInt(match[1]) > HIGHEST)
      throw new ExpressionError('this number does not fit in 64 bits', position);
    tokens.push({number: match[1], lane: match[2], operator: match[3], position});
    at = pattern.lastIndex;
  }
  return tokens;
}

function combined(operator, left, right, position) {
  const fail = (message) => {
    throw new ExpressionError(message, position);
  };
  if ((operator === '/' || operator === '%') && right === 0n) fail('division by zero');
  if ((operator === '<<' || operator === '>>') && (right < 0n || right > 63n))
    fail(`a shift by ${right}`);
  const value = {
    '+': () => left + right,
    '-': () => left - right,
    '*': () => left * right,
    '/': () => left / right,
    '%': () => left % right,
    '<<': () => left << right,
    '>>': () => left >> right,
    '&': () => left & right,
    '^': () => left ^ right,
    '|': () => left | right,
  }[operator]();
  if (value < LOWEST || value > HIGHEST) fail('a value that does not fit in 64 bits');
  return value;
}

// A function from the lane to a BigInt; throws ExpressionError, as the function does.
export function laneExpression(text) {
  const tokens = tokensOf(text);
  let at = 0,
    depth = 0;
  const peek = () => tokens[at];
  const position = () => peek()?.position ?? text.length;

  function operand() {
    if (++depth > DEEPEST) throw new ExpressionError('nested too deeply', position());
    const token = tokens[at++];
    if (!token) throw new ExpressionError('a number, t or ( is missing here', text.length);
    const value = operandOf(token);
    --depth;
    return value;
  }
  function operandOf(token) {
    if (token.number) {
      const value = BigInt(token.number);
      return () => value;
    }
    if (token.lane) return (lane) => BigInt(lane);
    if (token.operator === '-') {
      const inner = operand();
      return (lane) => combined('-', 0n, inner(lane), token.position);
    }
    if (token.operator !== '(')
      throw new ExpressionError('a number, t or ( is expected here', token.position);
    const inner = binary(1);
    if (!peek()) throw new ExpressionError('this ( is never closed', token.position);
    if (peek().operator !== ')')
      throw new ExpressionError('an operator or ) is expected here', position());
    ++at;
    return inner;
  }
  function binary(least) {
    let left = operand();
    for (;;) {
      const token = peek();
      if (!token?.operator || !(PRECEDENCE[token.operator] >= least)) return left;
      ++at;
      const right = binary(PRECEDENCE[token.operator] + 1);
      const before = left;
      left = (lane) => combined(token.operator, before(lane), right(lane), token.position);
    }
  }

  const value = binary(1);
  if (!peek()) return value;
  if (peek().operator === ')') throw new ExpressionError('this ) closes nothing', position());
  throw new ExpressionError('an operator is missing here: write * to multiply', position());
}

// Byte offsets of the 32 lanes for element `text(t)` of an array of `width`-byte elements.
export function offsetsOf(text, width, {lowest = 0, highest = 2 ** 31} = {}) {
  const value = laneExpression(text);
  return Array.from({length: 32}, (_, lane) => {
    const bytes = value(lane) * BigInt(width);
    if (bytes < BigInt(lowest))
      throw new ExpressionError(`lane ${lane} would be before the array`, 0);
    if (bytes > BigInt(highest))
      throw new ExpressionError(`lane ${lane} would be outside of memory`, 0);
    return Number(bytes);
  });
}

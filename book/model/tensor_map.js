// How a copy by a tensor map lays a box in shared memory: the rules of grader/device/model/tensor_map.hpp, measured on an
// H200. Chunks of 16 bytes are exchanged, by bits of their own address.

export const CHUNK = 16;
const MOST_ELEMENTS = 256; // of a box, in one dimension

// `span`: bytes from row to row, with a swizzle; `bits`: of the address from bit 7 on, by which a chunk's place is xored.
export const SWIZZLES = {
  none: {title: 'none', bits: 0},
  '32B': {title: '32 bytes', span: 32, bits: 1},
  '64B': {title: '64 bytes', span: 64, bits: 3},
  '128B': {title: '128 bytes', span: 128, bits: 7},
};

export const spanOf = (swizzle, rowBytes) => SWIZZLES[swizzle].span ?? rowBytes;

// Where a byte is whose address would be `linear` without a swizzle.
export const swizzled = (linear, swizzle) =>
  linear ^ (((linear >> 7) & SWIZZLES[swizzle].bits) << 4);

// The address of a byte of a row of a box that begins at `base`.
export const addressOf = ({swizzle, rowBytes, base = 0}, row, byte) =>
  swizzled(base + row * spanOf(swizzle, rowBytes) + byte, swizzle);

// Why cuTensorMapEncodeTiled refuses such a box, in words, or null.
export function whyRefused({swizzle, rowBytes, rows, elementBytes = 4}) {
  const {span} = SWIZZLES[swizzle];
  if (rowBytes % CHUNK !== 0) return `${rowBytes} bytes are no multiple of 16`;
  if (rowBytes / elementBytes > MOST_ELEMENTS)
    return `a row has more than ${MOST_ELEMENTS} elements`;
  if (rows > MOST_ELEMENTS) return `more than ${MOST_ELEMENTS} rows`;
  if (span && rowBytes > span)
    return `a row of ${rowBytes} bytes is longer than the ${span} of the swizzle`;
  return null;
}

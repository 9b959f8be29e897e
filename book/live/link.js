// A program in the fragment of an address, which no browser sends anywhere: "z=" and base64url of its text, deflated, or "t=" and
// base64url of the text itself, where a browser cannot deflate.
export const MOST_BYTES = 200 * 1024; // of a program; grader/serve/http_request.hpp

const FORMAT = 'deflate-raw';

export const bytesOf = (text) => new TextEncoder().encode(text);

// btoa takes letters of eight bits; so many at a time fit a call's arguments.
function base64url(bytes) {
  let letters = '';
  for (let i = 0; i < bytes.length; i += 4096)
    letters += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
const unBase64url = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

// What comes out of a stream, as long as it is at most `most` bytes: what was small may be made to grow without end.
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel().catch(() => {});
      throw new RangeError('too large');
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

export async function fragmentOf(text, canDeflate = typeof CompressionStream === 'function') {
  const bytes = bytesOf(text);
  if (!canDeflate) return `t=${base64url(bytes)}`;
  return `z=${base64url(await through(bytes, new CompressionStream(FORMAT), Infinity))}`;
}

// The text, or nothing where the fragment holds none: only a part of a link, say, or one of something else.
export async function textIn(fragment) {
  const [, kind, packed] = /^#?([zt])=([\w-]+)$/.exec(fragment) ?? [];
  if (!kind) return undefined;
  try {
    const bytes = unBase64url(packed);
    const unpacked =
      kind === 't' ? bytes : await through(bytes, new DecompressionStream(FORMAT), MOST_BYTES);
    if (unpacked.length > MOST_BYTES) return undefined;
    const text = new TextDecoder('utf-8', {fatal: true}).decode(unpacked);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

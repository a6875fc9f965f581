import { setImmediate } from 'node:timers/promises';
import { refuse } from '../refusals.ts';

/** Fields that a form may have. No form here has more than some dozens, and hundreds of thousands take seconds to keep. */
const maxFields = 1000;

/** Bytes that are decoded before other requests get their turn: half a millisecond of CPU. */
const pieceSize = 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ampersand = 0x26;
const equalsSign = 0x3d;
const plus = 0x2b;
const percent = 0x25;
const space = 0x20;

/**
 * Parses the content of an HTML form (URL Standard §5.1). Refuses with `invalid_body` content that is not UTF-8, and
 * more than `maxFields`. Takes up to about 10 ms of CPU for 1 MiB, in which other requests get their turn:
 * `URLSearchParams` takes seconds to parse as much of some texts.
 */
export async function parseForm(content: Buffer): Promise<URLSearchParams> {
  const fields: [name: string, value: string][] = [];
  let count = 0;
  let turn = pieceSize;
  for (let start = 0; start < content.length; count += 1) {
    if (count === maxFields)
      throw refuse('invalid_body', { message: `The form must have at most ${maxFields} fields.` });
    const next = content.indexOf(ampersand, start);
    const end = next === -1 ? content.length : next;
    if (end > start) fields.push(await fieldIn(content.subarray(start, end)));
    start = end + 1;
    if (start < turn) continue;
    turn = start + pieceSize;
    await setImmediate();
  }
  return new URLSearchParams(fields);
}

async function fieldIn(source: Buffer): Promise<[name: string, value: string]> {
  const sign = source.indexOf(equalsSign);
  if (sign === -1) return [await decoded(source), ''];
  return [await decoded(source.subarray(0, sign)), await decoded(source.subarray(sign + 1))];
}

/** Replaces plus signs and the escapes of bytes. An escape that is malformed stays as it is. */
async function decoded(source: Buffer): Promise<string> {
  const bytes = Buffer.allocUnsafe(source.length);
  let length = 0;
  let turn = pieceSize;
  for (let index = 0; index < source.length; index += 1) {
    if (index >= turn) {
      turn = index + pieceSize;
      await setImmediate();
    }
    const byte = source[index] ?? 0;
    const escaped = byte === percent ? escapedByte(source[index + 1], source[index + 2]) : -1;
    if (escaped !== -1) index += 2;
    bytes[length] = escaped === -1 ? (byte === plus ? space : byte) : escaped;
    length += 1;
  }
  try {
    return utf8.decode(bytes.subarray(0, length));
  } catch {
    throw refuse('invalid_body', { message: 'The form must be in UTF-8.' });
  }
}

/** The byte of two hexadecimal digits; -1 if they are none. */
function escapedByte(high = 0, low = 0): number {
  const [first, second] = [digitOf(high), digitOf(low)];
  return first === -1 || second === -1 ? -1 : first * 16 + second;
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

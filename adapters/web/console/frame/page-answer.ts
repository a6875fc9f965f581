import { setImmediate } from 'node:timers/promises';
import { noStore, type PageAnswer } from '../../page/page.ts';
import type { ConsoleAnswer, ConsoleError } from './console-page.ts';

/** The answer of the console, without the header fields of every response. */
export interface ConsolePageAnswer extends Omit<PageAnswer, 'error'> {
  readonly error?: ConsoleError;
  readonly entitlementId?: string;
}

/** Every page stays out of caches and frames, and loads nothing but its style sheet and its face. */
const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const everyAnswer = {
  cacheControl: noStore,
  contentPolicy,
  headers: ['Cross-Origin-Opener-Policy', 'same-origin'],
} as const;

/** A page in HTML. */
export function pageAnswer(status: number, content: string | Uint8Array): ConsolePageAnswer {
  return { ...everyAnswer, status, content, contentType: 'text/html; charset=utf-8' };
}

/** Characters that are encoded before other requests get their turn: a tenth of a millisecond of CPU. */
const pieceLength = 65_536;

/** Encodes a long page in UTF-8, piece by piece. Other requests get their turn meanwhile. A short one stays as it is. */
export async function encodedInTurns(text: string): Promise<string | Uint8Array> {
  if (text.length <= pieceLength) return text;
  const pieces: Buffer[] = [];
  for (const part of partsOf(text)) {
    pieces.push(Buffer.from(part));
    await setImmediate();
  }
  return joinedInTurns(pieces);
}

async function joinedInTurns(pieces: readonly Buffer[]): Promise<Uint8Array> {
  const joined = Buffer.allocUnsafe(pieces.reduce((total, { length }) => total + length, 0));
  let end = 0;
  for (const piece of pieces) {
    end += piece.copy(joined, end);
    await setImmediate();
  }
  return joined;
}

/** Cuts a long text into parts, none within a character. */
function* partsOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceLength;
    const next = isFirstOfTwo(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}

/** Whether a code unit is the first of a character of two. */
function isFirstOfTwo(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** An answer that leads to another page. */
export function redirectAnswer(location: string): ConsolePageAnswer {
  const { headers, ...others } = everyAnswer;
  return { ...others, status: 303, content: null, headers: [...headers, 'Location', location] };
}

/** Lines that browsers save as a file. `name` is plain. */
export function fileAnswer({ name, contentType, lines }: Extract<ConsoleAnswer, { kind: 'file' }>): ConsolePageAnswer {
  const { headers, ...others } = everyAnswer;
  const disposition = ['Content-Disposition', `attachment; filename="${name}"`];
  return {
    ...others,
    status: 200,
    content: null,
    parts: lines,
    contentType,
    headers: [...headers, ...disposition],
  };
}

import { withoutUtf16 } from './encoding.ts';

/** A line of a text, numbered from 1. Its `text` is null if it is too long or not UTF-8. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
}

/** In bytes: more than any valid line has. Longer lines are not kept in memory. */
export const maxLineLength = 65_536;

/** The mistake of a line whose `text` is null. */
export const unreadable = `The line must be UTF-8 and at most ${maxLineLength / 1024} KiB long.`;

const lineFeed = 0x0a;

/**
 * Splits a UTF-8 text into lines without their ends. Only a line feed ends a line. Throws `WrongArgument` for UTF-16, which
 * would be a mistake in every line.
 */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of withoutUtf16(content)) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const last = chunk.subarray(start, end);
      yield { number, text: length + last.length > maxLineLength ? null : textOf([...pieces, last]) };
      pieces = [];
      length = 0;
      number += 1;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    if (length <= maxLineLength) pieces.push(rest);
    else pieces = [];
  }
  if (length > 0) yield { number, text: length > maxLineLength ? null : textOf(pieces) };
}

function textOf(pieces: readonly Uint8Array[]): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)).replace(/\r$/, '');
  } catch {
    return null;
  }
}

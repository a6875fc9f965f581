/** A line of a text, numbered from 1; `text` is null where it is too long or no UTF-8. */
export interface Line {
  readonly number: number;
  readonly text: string | null;
}

/** Longer than any line that could be right; what is longer is not kept. */
export const maxLineLength = 65_536;

const lineFeed = 0x0a;

/** The lines of a text in UTF-8, one at a time, without their ends. Only a line feed ends a line. */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of content) {
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

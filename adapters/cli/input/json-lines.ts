import { BadLine } from './line-schema.ts';
import { linesOf, maxLineLength } from './lines.ts';

/** What a line of a file is: something to store, or what is wrong with it. */
export type ReadLine<Draft> =
  | { readonly kind: 'draft'; readonly line: number; readonly draft: Draft }
  | { readonly kind: 'bad'; readonly line: number; readonly error: string };

export const notReadable = `The line must be UTF-8 and at most ${maxLineLength / 1024} KiB long.`;

/** The drafts of a file with one JSON object a line; blank lines are left out. */
export async function* readJsonLines<Draft>(
  content: AsyncIterable<Uint8Array>,
  draftOf: (text: string) => Draft,
): AsyncIterable<ReadLine<Draft>> {
  for await (const { number, text } of linesOf(content)) {
    if (text === null) yield { kind: 'bad', line: number, error: notReadable };
    else if (text.trim() !== '') yield readOne(number, () => draftOf(text));
  }
}

/** What `read` makes of a line. A `BadLine` that it throws is what is wrong with it. */
export function readOne<Draft>(line: number, read: () => Draft): ReadLine<Draft> {
  try {
    return { kind: 'draft', line, draft: read() };
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    return { kind: 'bad', line, error: error.message };
  }
}

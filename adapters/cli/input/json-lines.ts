import { BadLine } from '../shell/errors.ts';
import { linesOf, unreadable } from './lines.ts';

/** A line of a file: a draft to store, or what is wrong with it. */
export type ReadLine<Draft> =
  | { readonly kind: 'draft'; readonly line: number; readonly draft: Draft }
  | { readonly kind: 'bad'; readonly line: number; readonly error: string };

/** Reads a file with one JSON object a line; blank lines are skipped. */
export async function* readJsonLines<Draft>(
  content: AsyncIterable<Uint8Array>,
  draftOf: (text: string) => Draft,
): AsyncIterable<ReadLine<Draft>> {
  for await (const { number, text } of linesOf(content)) {
    if (text === null) yield { kind: 'bad', line: number, error: unreadable };
    else if (text.trim() !== '') yield readOne(number, () => draftOf(text));
  }
}

/** Reads a line with `read`, which throws `BadLine` if something is wrong with it. */
export function readOne<Draft>(line: number, read: () => Draft): ReadLine<Draft> {
  try {
    return { kind: 'draft', line, draft: read() };
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    return { kind: 'bad', line, error: error.message };
  }
}

/** The members of a JSON object. Throws `BadLine` for any other text. */
export function objectOf(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new BadLine('The line must be a JSON object.');
}

import { BadLine } from '../shell/errors.ts';
import { linesOf, unreadable } from './lines.ts';

/** A line of a file: a draft to store, or the mistake in it. */
export type ReadLine<Draft> =
  | { readonly kind: 'draft'; readonly line: number; readonly draft: Draft }
  | ({ readonly kind: 'bad'; readonly line: number } & LineError);

/** Why a line is refused. */
export interface LineError {
  /** For programs: `invalid_line`, or the code of a refusal. */
  readonly code: string;
  readonly error: string;
}

/** Reads a file with one JSON object a line; blank lines are skipped. */
export async function* readJsonLines<Draft>(
  content: AsyncIterable<Uint8Array>,
  draftOf: (text: string) => Draft,
): AsyncIterable<ReadLine<Draft>> {
  for await (const { number, text } of linesOf(content)) {
    if (text?.trim() !== '') yield readOne(number, () => draftOf(readable(text)));
  }
}

/** Reads a line with `read`, which throws `BadLine` if something is wrong with it. */
export function readOne<Draft>(line: number, read: () => Draft): ReadLine<Draft> {
  try {
    return { kind: 'draft', line, draft: read() };
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    return { kind: 'bad', line, code: error.code, error: error.message };
  }
}

/** The text of a line. Throws `BadLine` if it has none. */
export function readable(text: string | null): string {
  if (text === null) throw new BadLine(unreadable);
  return text;
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

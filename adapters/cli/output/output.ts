import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Shell } from '../shell/shell.ts';

/** What a command has to say, in both of its forms. */
export interface Output {
  /** One JSON value; a list as its items, so that a long one is never one long string. */
  readonly json: { readonly value: unknown } | { readonly items: readonly unknown[] };
  /** Readable text, at most `width` columns wide where that is possible. */
  readonly text: (width: number) => string;
}

/** Writes to standard output at the reader's pace. A reader that has gone away (`| head`) has what it wanted. */
export async function print(output: Output, asJson: boolean, shell: Shell): Promise<void> {
  await printPieces(asJson ? jsonPieces(output.json) : [output.text(shell.stdout.columns ?? Infinity)], shell);
}

/** Writes a text of any length as `print` does. */
export async function printPieces(pieces: Iterable<string> | AsyncIterable<string>, { stdout }: Shell): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), stdout, { end: false });
  } catch (error) {
    if (!isClosedPipe(error)) throw error;
  }
}

function* jsonPieces(json: Output['json']): Iterable<string> {
  if ('value' in json) {
    yield `${JSON.stringify(json.value)}\n`;
    return;
  }
  let separator = '[';
  for (const item of json.items) {
    yield separator + JSON.stringify(item);
    separator = ',\n';
  }
  yield json.items.length === 0 ? '[]\n' : ']\n';
}

function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

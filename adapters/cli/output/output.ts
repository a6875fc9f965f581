import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { wantsJson } from '../input/options.ts';
import type { Shell } from '../shell/shell.ts';

/** What a command prints, as JSON and as text. */
export interface Output {
  /** One JSON value; a list as its items, so that a long one is never one long string. */
  readonly json: { readonly value: unknown } | { readonly items: readonly unknown[] };
  /** Readable text, at most `width` columns wide if possible. */
  readonly text: (width: number) => string | Promise<string>;
}

/** Writes to standard output, as JSON if the command line asks for that, at the reader's pace. */
export async function print(output: Output, command: Command, shell: Shell): Promise<void> {
  const pieces = wantsJson(command) ? jsonPieces(output.json) : [await output.text(shell.stdout.columns ?? Infinity)];
  await printPieces(pieces, shell);
}

/** Writes a text of any length as `print` does. A reader that has closed the pipe (`| head`) has what it wanted. */
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

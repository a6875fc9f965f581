import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { wantsJson } from '../input/options.ts';
import { CommandFailed, OutputClosed } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { shownJson, shownText } from './shown-text.ts';

/** The output of a command, as JSON and as text. */
export interface Output {
  /** One JSON value; a list as its items, so that a long one is never one long string. */
  readonly json: { readonly value: unknown } | { readonly items: readonly unknown[] };
  /** Readable text, at most `width` columns wide if possible. */
  readonly text: (width: number) => string | Promise<string>;
}

/** Writes to standard output as `printPieces` does, as JSON if the command line asks for that. */
export async function print(output: Output, command: Command, shell: Shell): Promise<void> {
  const width = shell.stdout.columns ?? Infinity;
  const pieces = wantsJson(command) ? jsonPieces(output.json) : [shownText(await output.text(width))];
  await printPieces(pieces, shell);
}

/**
 * Writes a text of any length to standard output, at the reader's pace. Throws `OutputClosed` if its reader closes the
 * pipe too early, and `CommandFailed` on a full disk.
 */
export async function printPieces(pieces: Iterable<string> | AsyncIterable<string>, { stdout }: Shell): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), stdout, { end: false });
  } catch (error) {
    if (isClosedPipe(error)) throw new OutputClosed('', { cause: error });
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    const message = 'Not everything was written to standard output: the disk is full.';
    throw new CommandFailed('file_not_written', message, { cause: error });
  }
}

function* jsonPieces(json: Output['json']): Iterable<string> {
  if ('value' in json) {
    yield `${shownJson(JSON.stringify(json.value))}\n`;
    return;
  }
  let separator = '[';
  for (const item of json.items) {
    yield separator + shownJson(JSON.stringify(item));
    separator = ',\n';
  }
  yield json.items.length === 0 ? '[]\n' : ']\n';
}

function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

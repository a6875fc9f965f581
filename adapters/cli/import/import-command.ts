import type { Command } from 'commander';
import type { Administration } from '../../../core/administration/administration.ts';
import type { LoggedChange } from '../../../core/administration/change-log.ts';
import type { Call } from '../../../core/call.ts';
import type { LineError, ReadLine } from '../input/json-lines.ts';
import { print } from '../output/output.ts';
import { startProgressBar } from '../output/progress-bar.ts';
import { closeInput, interrupted, untilStopped } from '../run/interruption.ts';
import { withStore } from '../run/run-command.ts';
import { CommandFailed, WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { runImport, type ImportResult } from './run-import.ts';

/** Stores drafts, and resolves with an error for each in their order, or null for one that is stored. */
export type StoreDrafts<Draft> = (drafts: readonly Draft[], call: Call) => Promise<readonly (LineError | null)[]>;

/** The way in which the lines of a file become entries of the store. */
export interface Import<Draft> {
  /** Reads one file; `position` counts those of an import from 0. */
  readonly read: (content: AsyncIterable<Uint8Array>, position: number) => AsyncIterable<ReadLine<Draft>>;
  /** A dry run stores nothing and gives the same messages. */
  readonly begin: (store: Administration, dryRun: boolean) => StoreDrafts<Draft>;
  readonly logged: (imported: number) => LoggedChange;
}

/** The files of an import, each opened when the one before has been read. */
export interface ImportInput {
  /** The size of all in bytes, or null if it is unknown. */
  readonly size: number | null;
  readonly contents: Iterable<AsyncIterable<Uint8Array>> | AsyncIterable<AsyncIterable<Uint8Array>>;
}

/** Imports a file, or standard input as "-", as `importInput` does. */
export async function importFile<Draft>(
  shell: Shell,
  command: Command,
  path: string,
  dryRun: boolean,
  importing: Import<Draft>,
): Promise<void> {
  const { size, content } = path === '-' ? { size: null, content: shell.stdin } : await shell.openFile(path);
  await importInput(shell, command, { size, contents: [content] }, dryRun, importing);
}

/**
 * Imports files and prints a report, also of what was imported before a fault or a signal.
 * Creates the store if it does not exist; a dry run uses an empty one instead and changes nothing.
 */
export async function importInput<Draft>(
  shell: Shell,
  command: Command,
  input: ImportInput,
  dryRun: boolean,
  { read, begin, logged }: Import<Draft>,
): Promise<void> {
  const call = shell.newCall();
  const work = async (store: Administration): Promise<ImportResult> => {
    const stopping = shell.takeOverSignals();
    const storeDrafts = begin(store, dryRun);
    const storeNow = (drafts: readonly Draft[]) => storeDrafts(drafts, { ...shell.newCall(), now: call.now });
    const { result, fault } = await withProgressBar(input, shell, read, (lines) =>
      runImport(untilStopped(lines, stopping), storeNow, stopping),
    );
    // Nothing was read of a file in another encoding.
    if (fault?.error instanceof WrongArgument && result.imported + result.failed === 0) throw fault.error;
    if (!dryRun && result.imported > 0) shell.log(logged(result.imported));
    await report(result, dryRun, shell, command);
    if (stopping.aborted) throw interrupted(stopping, 'Interrupted; run the import again to complete it.');
    if (fault !== null) throw fault.error;
    return result;
  };
  const missing = dryRun ? { create: false, pretend: true } : { create: true };
  const { imported, failed } = await withStore(shell, command, call, work, missing);
  if (failed > 0) throw new CommandFailed('lines_refused', `${failed} of ${imported + failed} lines were rejected.`);
}

/** Works on the lines of files, with a progress bar if their size is known, and closes the file that is open. */
async function withProgressBar<Draft, T>(
  { size, contents }: ImportInput,
  shell: Shell,
  read: Import<Draft>['read'],
  work: (lines: AsyncIterable<ReadLine<Draft>>) => Promise<T>,
): Promise<T> {
  const bar = size === null ? null : await startProgressBar(shell, size);
  const files = { open: null as AsyncIterable<Uint8Array> | null, count: 0, done: 0 };
  const readAll = async function* (): AsyncIterable<ReadLine<Draft>> {
    for await (const content of contents) {
      files.open = content;
      const progress = (length: number): void => {
        files.done += length;
        bar?.update(files.done, size ?? 0);
      };
      yield* read(counted(content, progress), files.count);
      files.count += 1;
    }
  };
  try {
    return await work(readAll());
  } finally {
    if (files.open !== null) closeInput(files.open);
    bar?.stop();
  }
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  progress: (length: number) => void,
): AsyncIterable<Uint8Array> {
  for await (const chunk of content) {
    yield chunk;
    progress(chunk.length);
  }
}

async function report(result: ImportResult, dryRun: boolean, shell: Shell, command: Command): Promise<void> {
  const { imported, failed, errors } = result;
  const text = (): string =>
    [
      ...errors.map(({ line, error }) => `Line ${line}: ${error}`),
      `${dryRun ? 'Valid' : 'Imported'}: ${imported}. Failed: ${failed}.\n`,
    ].join('\n');
  await print({ json: { value: result }, text }, command, shell);
}

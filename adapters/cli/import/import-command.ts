import type { Command } from 'commander';
import type { Administration } from '../../../core/administration/administration.ts';
import type { LoggedChange } from '../../../core/administration/change-log.ts';
import type { Call } from '../../../core/call.ts';
import type { LineError, ReadLine } from '../input/json-lines.ts';
import { print } from '../output/output.ts';
import { startProgressBar } from '../output/progress-bar.ts';
import { closeInput, interrupted, untilStopped } from '../run/interruption.ts';
import { withStore } from '../run/run-command.ts';
import { CommandFailed } from '../shell/errors.ts';
import type { InputFile, Shell } from '../shell/shell.ts';
import { runImport, type ImportResult } from './run-import.ts';

/** Stores drafts, and resolves with an error for each in their order, or null for one that is stored. */
export type StoreDrafts<Draft> = (drafts: readonly Draft[], call: Call) => Promise<readonly (LineError | null)[]>;

/** How the lines of a file become entries of the store. */
export interface Import<Draft> {
  readonly read: (content: AsyncIterable<Uint8Array>) => AsyncIterable<ReadLine<Draft>>;
  /** A dry run stores nothing and gives the same messages. */
  readonly begin: (store: Administration, dryRun: boolean) => StoreDrafts<Draft>;
  readonly logged: (imported: number) => LoggedChange;
}

/**
 * Imports a file, or standard input as "-", and prints a report, also of what was imported before a fault or a signal.
 * Creates the store if it does not exist; a dry run uses an empty one instead and changes nothing.
 */
export async function importFile<Draft>(
  shell: Shell,
  command: Command,
  path: string,
  dryRun: boolean,
  { read, begin, logged }: Import<Draft>,
): Promise<void> {
  const file = path === '-' ? { size: null, content: shell.stdin } : await shell.openFile(path);
  const call = shell.newCall();
  const work = async (store: Administration): Promise<ImportResult> => {
    const stopping = shell.takeOverSignals();
    const storeDrafts = begin(store, dryRun);
    const storeNow = (drafts: readonly Draft[]) => storeDrafts(drafts, { ...shell.newCall(), now: call.now });
    const { result, fault } = await withProgressBar(file, shell, (content) =>
      runImport(untilStopped(read(content), stopping), storeNow, stopping),
    );
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

/** Works on the content of a file, with a progress bar if its size is known, and closes the file. */
async function withProgressBar<T>(
  { size, content }: InputFile,
  shell: Shell,
  work: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const bar = size === null ? null : await startProgressBar(shell, size);
  try {
    return await work(counted(content, (done) => bar?.update(done, size ?? 0)));
  } finally {
    closeInput(content);
    bar?.stop();
  }
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  progress: (done: number) => void,
): AsyncIterable<Uint8Array> {
  let done = 0;
  for await (const chunk of content) {
    yield chunk;
    done += chunk.length;
    progress(done);
  }
}

async function report(result: ImportResult, dryRun: boolean, shell: Shell, command: Command): Promise<void> {
  const { imported, failed, errors } = result;
  const text = (): string =>
    [
      ...errors.map(({ line, error }) => `Line ${line}: ${error}`),
      `${dryRun ? 'Good' : 'Imported'}: ${imported}. Bad: ${failed}.\n`,
    ].join('\n');
  await print({ json: { value: result }, text }, command, shell);
}

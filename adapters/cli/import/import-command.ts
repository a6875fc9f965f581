import type { Command } from 'commander';
import type { Call } from '../../../core/call.ts';
import { withStore, type CommonOptions } from '../run/run-command.ts';
import type { Administration } from '../../../core/administration/administration.ts';
import type { ReadLine } from '../input/json-lines.ts';
import { runImport, withProgress, type ImportResult } from './import-run.ts';
import { CommandFailed } from '../shell/errors.ts';
import { print } from '../output/output.ts';
import type { Change, Shell } from '../shell/shell.ts';

/** What is wrong with each draft, in their order, or null where it is stored, or would be. */
export type TakeDrafts<Draft> = (drafts: readonly Draft[], call: Call) => Promise<readonly (string | null)[]>;

/** How the lines of a file become things in the store. */
export interface Import<Draft> {
  readonly read: (content: AsyncIterable<Uint8Array>) => AsyncIterable<ReadLine<Draft>>;
  /** A dry run stores nothing and says the same. */
  readonly begin: (store: Administration, dryRun: boolean) => TakeDrafts<Draft>;
  readonly change: (imported: number) => Change;
}

/**
 * Imports a file, or standard input as "-", and reports; also what was imported before a fault, which is thrown then.
 * Creates the store if there is none; a dry run takes an empty one for it and changes nothing.
 */
export async function importFile<Draft>(
  shell: Shell,
  command: Command,
  path: string,
  dryRun: boolean,
  { read, begin, change }: Import<Draft>,
): Promise<void> {
  const file = path === '-' ? { size: null, content: shell.stdin } : await shell.openFile(path);
  const lines = read(withProgress(file, shell));
  const call = shell.newCall();
  const work = async (store: Administration): Promise<ImportResult> => {
    const take = begin(store, dryRun);
    const takeNow = (drafts: readonly Draft[]) => take(drafts, { ...shell.newCall(), now: call.now });
    const { result, fault } = await runImport(lines, takeNow);
    if (!dryRun && result.imported > 0) shell.log(change(result.imported));
    await report(result, dryRun, shell, command);
    if (fault !== null) throw fault.error;
    return result;
  };
  const may = dryRun ? { create: false, pretend: true } : { create: true };
  const { imported, failed } = await withStore(shell, command, call, work, may);
  if (failed > 0) throw new CommandFailed(`${failed} of ${imported + failed} lines were bad.`);
}

async function report(result: ImportResult, dryRun: boolean, shell: Shell, command: Command): Promise<void> {
  const { imported, failed, errors } = result;
  const text = (): string =>
    [
      ...errors.map(({ line, error }) => `Line ${line}: ${error}`),
      `${dryRun ? 'Good' : 'Imported'}: ${imported}. Bad: ${failed}.\n`,
    ].join('\n');
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  await print({ json: { value: result }, text }, json, shell);
}

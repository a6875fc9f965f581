import type { Command } from 'commander';
import type { Call } from '../../core/call.ts';
import { withStore, type CommonOptions } from './administer.ts';
import type { Administration } from './administration.ts';
import { runImport, withProgress, type ReadLine } from './import-run.ts';
import { Incomplete } from './incomplete.ts';
import { print } from './output.ts';
import type { Change, Shell } from './shell.ts';

/** How the lines of a file become things in the store. */
export interface Import<Draft> {
  readonly read: (content: AsyncIterable<Uint8Array>) => AsyncIterable<ReadLine<Draft>>;
  /** What is wrong with each draft, in their order, or null where it is stored. */
  readonly store: (store: Administration, drafts: readonly Draft[], call: Call) => Promise<readonly (string | null)[]>;
  readonly change: (imported: number) => Change;
}

/** Imports a file, or standard input as "-", and reports; a dry run only checks the lines. Creates the store if there is none. */
export async function importFile<Draft>(
  shell: Shell,
  command: Command,
  path: string,
  dryRun: boolean,
  { read, store, change }: Import<Draft>,
): Promise<void> {
  const file = path === '-' ? { size: null, content: shell.stdin } : await shell.openFile(path);
  const lines = read(withProgress(file, shell));
  const call = shell.newCall();
  const work = (opened: Administration) =>
    runImport(lines, (drafts: readonly Draft[]) => store(opened, drafts, { ...shell.newCall(), now: call.now }));
  const result = dryRun
    ? await runImport(lines, async (drafts: readonly Draft[]) => drafts.map(() => null))
    : await withStore(shell, command, call, work, { create: true });
  const { imported, failed, errors } = result;
  const text = (): string =>
    [
      ...errors.map(({ line, error }) => `Line ${line}: ${error}`),
      `${dryRun ? 'Good' : 'Imported'}: ${imported}. Bad: ${failed}.\n`,
    ].join('\n');
  if (!dryRun) shell.log(change(imported));
  const { json = false } = command.optsWithGlobals<CommonOptions>();
  await print({ json: { value: result }, text }, json, shell);
  if (failed > 0) throw new Incomplete(`${failed} of ${imported + failed} lines were bad.`);
}

import type { Command } from 'commander';
import type { Finding } from '../../../core/maintenance/maintenance.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { administer, withStore, type CommonOptions } from '../run/run-command.ts';
import { filePath } from '../input/arguments.ts';
import { CommandFailed } from '../shell/errors.ts';
import { print } from '../output/output.ts';
import { typedSettings } from '../input/settings-flags.ts';
import type { Shell } from '../shell/shell.ts';
import { addStoreCopyCommands } from './store-copy-commands.ts';

/** What `store check` says of each aspect; that the store can be opened comes first. */
interface CheckResult extends Omit<Finding, 'check'> {
  readonly check: 'open' | Finding['check'];
}

const migrated = 'The store has the schema of this release.\n';

export function addStoreCommands(program: Command, shell: Shell): void {
  const group = program.command('store').description('the store as a whole');

  addStoreCopyCommands(group, shell);

  group
    .command('check')
    .description('open the store, look it over, write once and take that back')
    .action(async (_options: object, command: Command) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>();
      const results = await checked(shell, command);
      const ok = results.every((result) => result.ok);
      const text = (): string => results.map(({ message }) => `${message}\n`).join('');
      await print({ json: { value: { ok, findings: results } }, text }, json, shell);
      if (!ok) throw new CommandFailed('The store is not in order.');
    });

  group
    .command('migrate')
    .description('bring the schema of the store up to this release')
    .action(async (_options: object, command: Command) => {
      const { json = false } = command.optsWithGlobals<CommonOptions>();
      await shell.migrateStore(typedSettings(command, shell.settingFlags), shell.newCall());
      await print({ json: { value: { migrated: true } }, text: () => migrated }, json, shell);
    });

  group
    .command('backup')
    .description('copy the store to a new file while it is used')
    .argument('<file>', 'that does not exist yet', filePath('The file of the backup'))
    .action((file: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => {
        const bytes = await store.backUpStore(file, call);
        const text = (): string => `The store is copied: ${bytes} bytes.\n`;
        return { json: { value: { file, bytes } }, text, change: null };
      });
    });

  group
    .command('prune')
    .description('remove idempotency records that have expired')
    .action((_options: object, command: Command) =>
      administer(shell, command, shell.newCall(), async (store) => {
        const removed = await store.pruneStore(() => shell.newCall());
        const text = (): string => `Expired records removed: ${removed}.\n`;
        const change = removed === 0 ? null : { command: 'store prune', records: removed };
        return { json: { value: { removed } }, text, change };
      }),
    );
}

async function checked(shell: Shell, command: Command): Promise<readonly CheckResult[]> {
  const call = shell.newCall();
  try {
    return await withStore(shell, command, call, async (store) => [
      { check: 'open', ok: true, message: 'The store can be opened.' },
      ...(await store.checkStore(call)),
    ]);
  } catch (error) {
    if (error instanceof UnusableStore) return [{ check: 'open', ok: false, message: error.message }];
    if (!(error instanceof Refusal) || error.code !== 'store_unavailable') throw error;
    return [{ check: 'open', ok: false, message: 'The store cannot be used: it is out of reach or damaged.' }];
  }
}

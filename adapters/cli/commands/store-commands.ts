import type { Command } from 'commander';
import type { Finding } from '../../../core/maintenance/maintenance.port.ts';
import { Refusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import { filePathRule, typedSettings, valueArgument } from '../input/options.ts';
import { print } from '../output/output.ts';
import { interrupted } from '../run/interruption.ts';
import { runCommand, withStore } from '../run/run-command.ts';
import { CommandFailed } from '../shell/errors.ts';
import type { OpenAdministration, RestoredStore, Shell } from '../shell/shell.ts';
import { addStoreCopyCommands } from './store-copy-commands.ts';

/** One finding as `store check --json` prints it. */
interface CheckResult extends Omit<Finding, 'check'> {
  /** `open` comes first: whether the store can be opened at all. */
  readonly check: 'open' | Finding['check'];
}

export function addStoreCommands(group: Command, shell: Shell): void {
  addStoreCopyCommands(group, shell);
  addCheck(group, shell);
  addMigrate(group, shell);
  addBackup(group, shell);
  addRestore(group, shell);
  addPrune(group, shell);
}

function addCheck(group: Command, shell: Shell): void {
  group
    .command('check')
    .description('check the schema, the integrity and the events of the store, and whether it can be written')
    .action(async (_options: object, command: Command) => {
      const findings = await check(shell, command);
      const ok = findings.every((finding) => finding.ok);
      const text = (): string => findings.map(({ message }) => `${message}\n`).join('');
      await print({ json: { value: { ok, findings } }, text }, command, shell);
      if (!ok) throw new CommandFailed('store_not_ok', 'The store is not in order.');
    });
}

async function check(shell: Shell, command: Command): Promise<readonly CheckResult[]> {
  const call = shell.newCall();
  try {
    const checkAll = async (store: OpenAdministration): Promise<readonly CheckResult[]> => [
      { check: 'open', ok: true, message: 'The store can be opened.' },
      ...(await store.checkStore(() => shell.newCall())),
    ];
    return await withStore(shell, command, call, checkAll, { create: false, readOnly: true });
  } catch (error) {
    if (error instanceof UnusableStore) return [{ check: 'open', ok: false, message: error.message }];
    if (!(error instanceof Refusal) || error.code !== 'store_unavailable') throw error;
    const { cause } = error.details;
    const message =
      cause instanceof UnusableStore ? cause.message : 'The store cannot be used: it is out of reach or damaged.';
    return [{ check: 'open', ok: false, message }];
  }
}

const migrated = 'The store has the schema of this release.\n';

function addMigrate(group: Command, shell: Shell): void {
  group
    .command('migrate')
    .description('upgrade the schema of the store to this release')
    .option('--force', 'migrate a MongoDB store although other Latchkey processes are connected to its server')
    .action(async (options: { readonly force?: true }, command: Command) => {
      const force = options.force === true;
      await shell.migrateStore(typedSettings(command, shell.settingFlags), { force }, shell.newCall());
      await print({ json: { value: { migrated: true } }, text: () => migrated }, command, shell);
    });
}

function addBackup(group: Command, shell: Shell): void {
  group
    .command('backup')
    .description('copy the store to a new file, even while it is in use')
    .addArgument(valueArgument('<file>', 'a file that does not exist yet', filePathRule))
    .action((file: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return runCommand(shell, command, call, async (store) => {
        const stopping = shell.takeOverSignals();
        const bytes = await store.backUpStore(file, call, () => stopping.aborted);
        if (bytes === null) throw interrupted(stopping, 'Interrupted; no backup was written.');
        const text = (): string => `The store is copied: ${bytes} bytes.\n`;
        return { json: { value: { file, bytes } }, text };
      });
    });
}

function addRestore(group: Command, shell: Shell): void {
  group
    .command('restore')
    .description('put a backup into the place of a store that no process uses, which is kept under another name')
    .addArgument(valueArgument('<backup>', 'a file that store backup has made', filePathRule))
    .action(async (backup: string, _options: object, command: Command) => {
      const stopping = shell.takeOverSignals();
      const typed = typedSettings(command, shell.settingFlags);
      const restored = await shell.restoreStore(typed, backup, () => stopping.aborted);
      if (restored === null) throw interrupted(stopping, 'Interrupted; nothing was restored.');
      const { bytes, kept, isCurrent } = restored;
      shell.log({ command: 'store restore', bytes });
      const value = { backup, bytes, kept, schema: isCurrent ? 'current' : 'older' };
      await print({ json: { value }, text: () => textOf(restored) }, command, shell);
    });
}

function textOf({ bytes, kept, isCurrent }: RestoredStore): string {
  const lines = [
    `The store is restored: ${bytes} bytes, checked.`,
    ...(kept === null ? [] : [`The store before is kept in ${kept}: remove it when you no longer need it.`]),
    ...(isCurrent
      ? []
      : ['The backup has an older schema: run store migrate, or start the server, which upgrades it.']),
    'Keys that were revoked after the backup are valid again: revoke them before you start the server.',
    'With Stripe, run stripe reconcile before you start the server, and again with --fix if it is right.',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function addPrune(group: Command, shell: Shell): void {
  group
    .command('prune')
    .description(
      'remove expired idempotency records, events beyond their retention, ended sessions of the console, and ended links',
    )
    .option(
      '--accept-clock',
      'trust the clock of this machine, although it is far ahead of the time at which the store was last served',
    )
    .action((options: { readonly acceptClock?: true }, command: Command) =>
      runCommand(shell, command, shell.newCall(), async (store) => {
        await (options.acceptClock === true ? store.acceptClock : store.checkClock)(shell.newCall());
        const removed = await store.pruneStore(() => shell.newCall());
        const events = await store.pruneEvents(store.eventRetention, () => shell.newCall());
        const sessions = await store.pruneOperatorSessions(store.consoleIdle, () => shell.newCall());
        const links = await store.pruneBuyerLinks(() => shell.newCall());
        const trials = await store.pruneTrials(store.trialRetention, () => shell.newCall());
        const hasRemoved = removed + events + sessions + links + trials > 0;
        if (hasRemoved) shell.log({ command: 'store prune', records: removed, events, sessions, links, trials });
        const text = (): string =>
          `Expired records removed: ${removed}.\nOld events removed: ${events}.\nEnded sessions removed: ${sessions}.\nEnded links removed: ${links}.\nOld trials removed: ${trials}.\n`;
        return { json: { value: { removed, events, sessions, links, trials } }, text };
      }),
    );
}

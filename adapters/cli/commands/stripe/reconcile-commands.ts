import type { Command } from 'commander';
import { day, durationRule } from '../../../../core/parsing/duration.ts';
import { textRule } from '../../../../core/parsing/value-rule.ts';
import { filePathRule, valueOption } from '../../input/options.ts';
import { print } from '../../output/output.ts';
import { withStore } from '../../run/run-command.ts';
import { CommandFailed } from '../../shell/errors.ts';
import type { NewFile, Shell, StripeCommands, StripeDifference } from '../../shell/shell.ts';

/** The time for which Stripe keeps its events. */
const maxSince = 30 * day;

const sinceRule = textRule((text) => {
  const since = durationRule.parse(text);
  return since !== null && since > 0 && since <= maxSince ? since : null;
}, 'must be a duration of at most 30d, such as 7d');

/** Adds the commands that ask Stripe. */
export function addReconcileCommands(group: Command, shell: Shell): void {
  addCheck(group, shell);
  addReconcile(group, shell);
  addBackfill(group, shell);
}

function addCheck(group: Command, shell: Shell): void {
  group
    .command('check')
    .description(
      'check the key, the endpoint and the prices at Stripe, and what waits to go there; each line says what to do',
    )
    .action(async (_options: object, command: Command) => {
      const findings = await withStripe(shell, command, ({ check }) => check(shell.newCall));
      const ok = findings.every((finding) => finding.ok);
      const text = (): string => findings.map(({ message }) => `${message}\n`).join('');
      await print({ json: { value: { ok, findings } }, text }, command, shell);
      if (!ok) throw new CommandFailed('stripe_not_ok', 'Stripe is not set up as Latchkey needs it.');
    });
}

interface ReconcileOptions {
  readonly since?: number;
  readonly fix?: true;
}

function addReconcile(group: Command, shell: Shell): void {
  group
    .command('reconcile')
    .description('compare every sale at Stripe with the store')
    .addOption(
      valueOption(
        '--since <duration>',
        'compare only the sales that have changed at Stripe within this time',
        sinceRule,
      ),
    )
    .option('--fix', 'bring the store to what Stripe says, and send to Stripe what has not reached it')
    .action(async ({ since, fix }: ReconcileOptions, command: Command) => {
      const start = since === undefined ? null : new Date(shell.newCall().now.getTime() - since);
      const result = await withStripe(shell, command, ({ reconcile }) =>
        reconcile({ since: start, fix: fix === true }, shell.newCall),
      );
      const { compared, fixed, differences } = result;
      const text = (): string =>
        `${differences.map(lineOf).join('')}Compared: ${compared}. Fixed: ${fixed}. Different: ${differences.length}.\n`;
      await print({ json: { value: result }, text }, command, shell);
      if (differences.length > 0) {
        throw new CommandFailed('stripe_differs', `The store differs from Stripe in ${sales(differences.length)}.`);
      }
    });
}

function addBackfill(group: Command, shell: Shell): void {
  group
    .command('backfill')
    .description('grant what has access at Stripe, or is suspended there, and is unknown here; safe to repeat')
    .addOption(
      valueOption('--keys <file>', 'a new file for the license keys, which only its owner can read', filePathRule),
    )
    .action(async ({ keys: path }: { readonly keys?: string }, command: Command) => {
      const { granted, failed, keys } = await withStripe(shell, command, ({ backfill }) =>
        withNewFile(shell, path, async (file) => {
          const done = await backfill(shell.newCall);
          await file?.write(done.keys.map((key) => `${JSON.stringify(key)}\n`).join(''));
          return done;
        }),
      );
      const text = (): string => `Granted: ${granted}. Not granted: ${failed}. Keys: ${keys.length}.\n`;
      await print({ json: { value: { granted, failed, keys: keys.length } }, text }, command, shell);
      if (failed > 0) throw new CommandFailed('stripe_differs', `${sales(failed)} could not be granted: run it again.`);
    });
}

/** Creates the file before any work is done for it, and removes it if the work fails. */
async function withNewFile<T>(
  shell: Shell,
  path: string | undefined,
  work: (file: NewFile | null) => Promise<T>,
): Promise<T> {
  const file = path === undefined ? null : await shell.createFile(path);
  try {
    return await work(file);
  } catch (error) {
    await file?.discard();
    throw error;
  }
}

function withStripe<T>(shell: Shell, command: Command, work: (stripe: StripeCommands) => Promise<T>): Promise<T> {
  return withStore(shell, command, shell.newCall(), async (store) => work(await store.stripe(store)));
}

function sales(count: number): string {
  return count === 1 ? '1 sale' : `${count} sales`;
}

function lineOf({ id, kind }: StripeDifference): string {
  return `${id}: ${meanings.get(kind) ?? kind}\n`;
}

const meanings: ReadonlyMap<string, string> = new Map([
  ['missing', 'is sold at Stripe and unknown here'],
  ['unmapped', 'is sold at Stripe, and its price is not mapped: map it with stripe map add'],
  ['several_products', 'has prices of several products: grant the others with its id as the reference'],
  ['different', 'differs from Stripe'],
  ['commission', 'its affiliate has another commission here, or one to confirm: --fix looks at it'],
  ['not_sent', 'a change of it has not reached Stripe'],
  ['unread', 'could not be read: try again'],
  ['revoked_here', 'is revoked here and charged at Stripe: end it there, or grant a new one'],
  ['other_product', 'its price is mapped to another product: grant a new one'],
  ['other_kind', 'a subscription and a purchase have this id: grant a new one'],
  ['refund_failed', 'its refund has failed after it was revoked: grant a new one'],
  ['grant_refused', 'could not be granted: another entitlement has its session as reference'],
]);

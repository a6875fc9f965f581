import { Option, type Command } from 'commander';
import { defaultGrace, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { EntitlementFilter } from '../../../core/entitlement/administration/list-entitlements.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import { entitlementStatuses, type EntitlementStatus } from '../../../core/entitlement/status.ts';
import { administer } from '../run/run-command.ts';
import { duration, identifier, instant, oneOf } from '../input/arguments.ts';
import { changedOutcome, shownOutcome } from './entitlement-outcomes.ts';
import type { Subject } from '../run/change-request.ts';
import { changeCommand } from '../run/change-command.ts';
import { addImportCommand } from '../import/entitlement-import.ts';
import { addGrantCommand } from './grant-command.ts';
import type { Shell } from '../shell/shell.ts';
import { table } from '../output/table.ts';

interface RenewOptions {
  readonly periodEnd: Date;
  readonly grace: number;
}

interface ListOptions {
  readonly product?: string;
  readonly status?: EntitlementStatus;
  readonly endsBefore?: Date;
}

type SimpleCommand = Exclude<EntitlementCommand, { readonly kind: 'renew' }>;

const idOf = identifier('The id of the entitlement');

export const entitlementById: Subject = {
  member: 'id',
  argument: '<id>',
  description: 'of the entitlement',
  parse: idOf,
};

export function addEntitlementCommands(program: Command, shell: Shell): void {
  const group = program.command('entitlement').description('entitlements: what buyers have paid for');
  addGrantCommand(group, shell);
  addImportCommand(group, shell);
  addShow(group, shell);
  addList(group, shell);
  addRenew(group, shell);
  addSimple(group, shell, { kind: 'past-due' }, 'record that a payment is missing');
  addSimple(group, shell, { kind: 'suspend' }, 'take access away until it is reinstated');
  addSimple(group, shell, { kind: 'reinstate' }, 'give access back to one that is suspended');
  addSimple(group, shell, { kind: 'revoke' }, 'take access away for ever');
}

function addShow(group: Command, shell: Shell): void {
  group
    .command('show')
    .description('show one entitlement as it is now')
    .argument('<id>', 'of the entitlement', idOf)
    .action((id: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return administer(shell, command, call, async (store) => shownOutcome(await store.showEntitlement(id, call)));
    });
}

function addList(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list entitlements as they are now')
    .option('--product <id>', 'only of this product', identifier('--product'))
    .option(
      '--status <status>',
      `only these: ${entitlementStatuses.join(', ')}`,
      oneOf('--status', entitlementStatuses),
    )
    .option('--ends-before <instant>', 'only those whose period ends before', instant('--ends-before'))
    .action((options: ListOptions, command: Command) => {
      const call = shell.newCall();
      const filter: EntitlementFilter = {
        productId: options.product ?? null,
        status: options.status ?? null,
        endsBefore: options.endsBefore ?? null,
      };
      return administer(shell, command, call, async (store) => {
        const found: Snapshot[] = [];
        for await (const snapshot of store.listEntitlements(filter, shell.newCall)) found.push(snapshot);
        return { json: { items: found }, text: (width) => table(found, columns, width), change: null };
      });
    });
}

const columns = [
  'id',
  'productId',
  'status',
  'tierId',
  'billingInterval',
  'currentPeriodEnd',
  'cancelAt',
  'version',
] as const satisfies readonly (keyof Snapshot)[];

function addRenew(group: Command, shell: Shell): void {
  const command = group
    .command('renew')
    .description('record a payment: the next period begins where the present one ends')
    .requiredOption('--period-end <instant>', 'when the next period ends', instant('--period-end'))
    .addOption(graceOption());
  changeCommand<RenewOptions>(command, shell, {
    subject: entitlementById,
    request: (id, { periodEnd, grace }, call) => {
      const renewal = { kind: 'renew', currentPeriodEnd: periodEnd, grace } as const;
      return async (store) => changedOutcome('entitlement renew', await store.runEntitlementCommand(id, renewal, call));
    },
  });
}

function addSimple(group: Command, shell: Shell, simple: SimpleCommand, description: string): void {
  changeCommand(group.command(simple.kind).description(description), shell, {
    subject: entitlementById,
    request: (id, _options, call) => async (store) =>
      changedOutcome(`entitlement ${simple.kind}`, await store.runEntitlementCommand(id, simple, call)),
  });
}

function graceOption(): Option {
  return new Option('--grace <duration>', "how long access goes on after the period's end")
    .default(defaultGrace, '24h')
    .argParser(duration('--grace'));
}

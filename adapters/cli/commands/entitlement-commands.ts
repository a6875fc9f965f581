import type { Command, Option } from 'commander';
import { defaultGrace, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { EntitlementFilter } from '../../../core/entitlement/administration/list-entitlements.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import { entitlementStatuses, type EntitlementStatus } from '../../../core/entitlement/status.ts';
import { runCommand } from '../run/run-command.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { requiredOption, valueArgument, valueOption } from '../input/options.ts';
import { changed, shown } from './snapshot-result.ts';
import type { Subject } from '../run/change-request.ts';
import { changeCommand } from '../run/change-command.ts';
import { addEntitlementImport } from '../import/entitlement-import.ts';
import { addChangeTierCommand } from './change-tier-command.ts';
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

type SimpleCommand = Exclude<EntitlementCommand, { readonly kind: 'renew' | 'change-tier' }>;

export const entitlementById: Subject = {
  member: 'id',
  argument: '<id>',
  description: 'the id of the entitlement',
  rule: identifierRule,
};

export function addEntitlementCommands(group: Command, shell: Shell): void {
  addGrantCommand(group, shell);
  addEntitlementImport(group, shell);
  addShow(group, shell);
  addList(group, shell);
  addRenew(group, shell);
  addChangeTierCommand(group, shell, entitlementById);
  addSimple(group, shell, { kind: 'cancel' }, 'cancel a subscription at the end of its period');
  addSimple(group, shell, { kind: 'resume' }, 'undo a scheduled cancellation');
  addSimple(group, shell, { kind: 'past-due' }, 'record that a payment is overdue');
  addSimple(group, shell, { kind: 'suspend' }, 'suspend access until the entitlement is reinstated');
  addSimple(group, shell, { kind: 'reinstate' }, 'end a suspension');
  addSimple(group, shell, { kind: 'revoke' }, 'revoke access for good');
}

function addShow(group: Command, shell: Shell): void {
  group
    .command('show')
    .description('show an entitlement')
    .addArgument(valueArgument('<id>', 'the id of the entitlement', identifierRule))
    .action((id: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return runCommand(shell, command, call, async (store) => shown(await store.showEntitlement(id, call)));
    });
}

function addList(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list entitlements')
    .addOption(valueOption('--product <id>', 'only those of this product', identifierRule))
    .addOption(
      valueOption(
        '--status <status>',
        `only those with this status: ${entitlementStatuses.join(', ')}`,
        oneOf(entitlementStatuses),
      ),
    )
    .addOption(valueOption('--ends-before <instant>', 'only those whose period ends before', instantRule))
    .action((options: ListOptions, command: Command) => {
      const call = shell.newCall();
      const filter: EntitlementFilter = {
        productId: options.product ?? null,
        reference: null,
        status: options.status ?? null,
        endsBefore: options.endsBefore ?? null,
      };
      return runCommand(shell, command, call, async (store) => {
        const found: Snapshot[] = [];
        for await (const snapshot of store.everyEntitlement(filter, shell.newCall)) found.push(snapshot);
        return { json: { items: found }, text: (width) => table(found, columns, width), logged: null };
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
    .description('record a payment: the next period starts when the current one ends')
    .addOption(requiredOption('--period-end <instant>', 'when the next period ends', instantRule))
    .addOption(graceOption());
  changeCommand<RenewOptions>(command, shell, {
    subject: entitlementById,
    request: (id, { periodEnd, grace }, call) => {
      const renewal = { kind: 'renew', currentPeriodEnd: periodEnd, grace } as const;
      return async (store) => changed('entitlement renew', await store.runEntitlementCommand(id, renewal, call));
    },
  });
}

function addSimple(group: Command, shell: Shell, simple: SimpleCommand, description: string): void {
  changeCommand(group.command(simple.kind).description(description), shell, {
    subject: entitlementById,
    request: (id, _options, call) => async (store) =>
      changed(`entitlement ${simple.kind}`, await store.runEntitlementCommand(id, simple, call)),
  });
}

function graceOption(): Option {
  return valueOption('--grace <duration>', 'how long access lasts beyond the period', durationRule).default(
    defaultGrace,
    '24h',
  );
}

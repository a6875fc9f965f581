import type { Command, Option } from 'commander';
import { defaultGrace, type EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { valueArgument, valueOption } from '../input/options.ts';
import { addEntitlementImport } from '../moving/entitlement-import-command.ts';
import { changeCommand } from '../run/change-command.ts';
import { listResult, runCommand, type Subject } from '../run/run-command.ts';
import type { Shell } from '../shell/shell.ts';
import { addChangeTierCommand } from './change-tier-command.ts';
import { addGrantCommand } from './grant-command.ts';
import { addListCommand } from './list-command.ts';
import { shown, shownWhole } from './snapshot-result.ts';

interface RenewOptions {
  readonly periodEnd?: Date;
  readonly grace: number;
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
  addListCommand(group, shell);
  addHistory(group, shell);
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
      return runCommand(shell, command, call, async (store) => shownWhole(await store.showEntitlement(id, call)));
    });
}

function addHistory(group: Command, shell: Shell): void {
  group
    .command('history')
    .description('show who has changed an entitlement: the last 100 changes, the newest first')
    .addArgument(valueArgument('<id>', 'the id of the entitlement', identifierRule))
    .action((id: string, _options: object, command: Command) => {
      const call = shell.newCall();
      return runCommand(shell, command, call, async (store) =>
        listResult(await store.showHistory(id, call), historyColumns),
      );
    });
}

const historyColumns = [
  'at',
  'operation',
  'by',
  'version',
  'correlationId',
] as const satisfies readonly (keyof HistoryEntry)[];

function addRenew(group: Command, shell: Shell): void {
  const command = group
    .command('renew')
    .description('record a payment: the next period starts when the current one ends')
    .addOption(
      valueOption('--period-end <instant>', 'when the next period ends (default: its intervals later)', instantRule),
    )
    .addOption(graceOption());
  changeCommand<RenewOptions>(command, shell, {
    subject: entitlementById,
    request: (id, { periodEnd = null, grace }, call) => {
      const renewal = { kind: 'renew', currentPeriodEnd: periodEnd, grace } as const;
      return async (store) => shown(await store.runEntitlementCommand(id, renewal, call));
    },
  });
}

function addSimple(group: Command, shell: Shell, simple: SimpleCommand, description: string): void {
  changeCommand(group.command(simple.kind).description(description), shell, {
    subject: entitlementById,
    request: (id, _options, call) => async (store) => shown(await store.runEntitlementCommand(id, simple, call)),
  });
}

function graceOption(): Option {
  return valueOption('--grace <duration>', 'how long access lasts beyond the period', durationRule).default(
    defaultGrace,
    '24h',
  );
}

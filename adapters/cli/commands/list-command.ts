import type { Command } from 'commander';
import type { EntitlementFilter } from '../../../core/entitlement/administration/list-entitlements.ts';
import type { Snapshot } from '../../../core/entitlement/snapshot.ts';
import { entitlementStatuses, type EntitlementStatus } from '../../../core/entitlement/status.ts';
import { grantRules } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { valueOption } from '../input/options.ts';
import { table } from '../output/table.ts';
import { runCommand } from '../run/run-command.ts';
import { WrongArgument } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { withoutSingleCount } from './snapshot-result.ts';

interface ListOptions {
  readonly product?: string;
  readonly reference?: string;
  readonly status?: EntitlementStatus;
  readonly endsBefore?: Date;
}

/** Adds the command that lists entitlements. */
export function addListCommand(group: Command, shell: Shell): void {
  group
    .command('list')
    .description('list entitlements')
    .addOption(valueOption('--product <id>', 'only those of this product', identifierRule))
    .addOption(
      valueOption('--reference <reference>', 'only the one of the product with this reference', grantRules.reference),
    )
    .addOption(
      valueOption(
        '--status <status>',
        `only those with this status: ${entitlementStatuses.join(', ')}`,
        oneOf(entitlementStatuses),
      ),
    )
    .addOption(valueOption('--ends-before <instant>', 'only those whose period ends before', instantRule))
    .action((options: ListOptions, command: Command) => {
      if (options.reference !== undefined && options.product === undefined) {
        throw new WrongArgument('--reference needs --product, because it is unique within a product only.');
      }
      const call = shell.newCall();
      const filter: EntitlementFilter = {
        productId: options.product ?? null,
        reference: options.reference ?? null,
        status: options.status ?? null,
        endsBefore: options.endsBefore ?? null,
      };
      return runCommand(shell, command, call, async (store) => {
        const snapshots = await Array.fromAsync(store.everyEntitlement(filter, shell.newCall));
        return {
          json: { items: snapshots.map(withoutSingleCount) },
          text: (width) => table(snapshots.map(withCountedInterval), columns, width),
        };
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

/** A row of the table, in which an interval has its count, such as "3 months". */
function withCountedInterval(snapshot: Snapshot): Readonly<Record<keyof Snapshot, unknown>> {
  const { billingInterval, billingIntervalCount } = snapshot;
  if (billingIntervalCount === 1) return snapshot;
  return { ...snapshot, billingInterval: `${billingIntervalCount} ${billingInterval}s` };
}

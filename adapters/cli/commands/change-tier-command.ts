import type { Command } from 'commander';
import { billingIntervals, maxIntervalCount, type BillingInterval } from '../../../core/entitlement/entitlement.ts';
import { grantRules, intervalCountRule } from '../../../core/entitlement/written-grant.ts';
import { oneOf } from '../../../core/parsing/value-rule.ts';
import { numberOption, requiredOption, valueOption } from '../input/options.ts';
import { changeCommand } from '../run/change-command.ts';
import type { Subject } from '../run/run-command.ts';
import type { Shell } from '../shell/shell.ts';
import { shown } from './snapshot-result.ts';

interface ChangeTierOptions {
  readonly tier: string;
  readonly tierName: string;
  readonly interval?: BillingInterval;
  readonly intervalCount?: number;
  readonly periodEnd?: Date;
  readonly grace?: number;
}

/** Adds the command that changes the tier of an entitlement. Members without an option keep their values. */
export function addChangeTierCommand(group: Command, shell: Shell, subject: Subject): void {
  const command = group
    .command('change-tier')
    .description('change the tier and, for a subscription, the interval and the period')
    .addOption(requiredOption('--tier <id>', 'the id of the new tier', grantRules.tierId))
    .addOption(requiredOption('--tier-name <name>', 'the name of the new tier, for people', grantRules.tierName))
    .addOption(
      valueOption(
        '--interval <interval>',
        `${billingIntervals.join(', ')} (default: the present one)`,
        oneOf(billingIntervals),
      ),
    )
    .addOption(
      numberOption(
        '--interval-count <count>',
        `how many intervals a period has, 1 to ${maxIntervalCount} (default: 1 with --interval, else as before)`,
        intervalCountRule,
      ),
    )
    .addOption(
      valueOption(
        '--period-end <instant>',
        'when the present period ends (default: as before)',
        grantRules.currentPeriodEnd,
      ),
    )
    .addOption(
      valueOption(
        '--grace <duration>',
        'how long access lasts beyond the period (default: as long as before)',
        grantRules.grace,
      ),
    );
  changeCommand<ChangeTierOptions>(command, shell, {
    subject,
    request: (id, { tier, tierName, interval, intervalCount, periodEnd, grace }, call) => {
      const change = {
        kind: 'change-tier',
        tierId: tier,
        tierName,
        billingInterval: interval ?? null,
        billingIntervalCount: intervalCount ?? null,
        currentPeriodEnd: periodEnd ?? null,
        grace: grace ?? null,
      } as const;
      return async (store) => shown(await store.runEntitlementCommand(id, change, call));
    },
  });
}

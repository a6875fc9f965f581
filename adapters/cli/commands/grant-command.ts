import type { Command } from 'commander';
import type { GrantAnswer } from '../../../core/entitlement/administration/grant-entitlement.ts';
import {
  billingTerms,
  maxIntervalCount,
  standings,
  type BillingTerm,
  type Standing,
} from '../../../core/entitlement/entitlement.ts';
import type { Grant } from '../../../core/entitlement/grant.ts';
import { grantOf, grantRules, intervalCountRule, notFor } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { snapshotFacts, snapshotView } from '../../administration/commands/entitlement/snapshot-view.ts';
import { warningNote, warningsView } from '../../administration/commands/tier-warning.ts';
import { mustBeLater, numberOption, optionName, requiredOption, valueOption } from '../input/options.ts';
import { keyOnStandardInput } from '../input/standard-input.ts';
import { addEntitlementImport } from '../moving/entitlement-import-command.ts';
import type { Output } from '../output/output.ts';
import { changeCommand } from '../run/change-command.ts';
import { WrongValue } from '../shell/errors.ts';
import type { Shell } from '../shell/shell.ts';
import { outputOf } from './command-group.ts';

interface GrantOptions {
  readonly product: string;
  readonly tier: string;
  readonly tierName: string;
  readonly interval: BillingTerm;
  readonly intervalCount?: number;
  readonly periodStart?: Date;
  readonly periodEnd?: Date;
  readonly accessEndsAt?: Date;
  readonly updatesUntil?: Date;
  readonly status: Standing;
  readonly grace?: number;
  readonly reference?: string;
  readonly deviceLimit?: number;
  readonly id?: string;
  readonly licenseKey?: string;
}

/** Adds the commands about entitlements that need more than their members. */
export function addGrantAndImport(group: Command, shell: Shell): void {
  addGrantCommand(group, shell);
  addEntitlementImport(group, shell);
}

function addGrantCommand(group: Command, shell: Shell): void {
  const command = group
    .command('grant')
    .description('grant an entitlement with a license key, which is shown only once')
    .addOption(requiredOption('--product <id>', 'the product that was bought', grantRules.productId))
    .addOption(requiredOption('--tier <id>', 'the id of the tier', grantRules.tierId))
    .addOption(requiredOption('--tier-name <name>', 'the name of the tier, for people', grantRules.tierName))
    .addOption(requiredOption('--interval <interval>', billingTerms.join(', '), grantRules.billingInterval))
    .addOption(
      numberOption(
        '--interval-count <count>',
        `how many intervals a period has, 1 to ${maxIntervalCount} (default: 1)`,
        intervalCountRule,
      ),
    )
    .addOption(
      valueOption(
        '--period-start <instant>',
        'when the first period begins (default: now)',
        grantRules.currentPeriodStart,
      ),
    )
    .addOption(
      valueOption(
        '--period-end <instant>',
        'when the first period ends (default: its intervals later)',
        grantRules.currentPeriodEnd,
      ),
    )
    .addOption(
      valueOption(
        '--access-ends-at <instant>',
        'when the access of a one-time purchase ends (default: never)',
        grantRules.accessEndsAt,
      ),
    )
    .addOption(
      valueOption(
        '--updates-until <instant>',
        'until when the buyer gets updates; only shown',
        grantRules.updatesUntil,
      ),
    )
    .addOption(valueOption('--status <status>', standings.join(', '), grantRules.status).default('active'))
    .addOption(
      valueOption('--grace <duration>', 'how long access lasts beyond the period (default: 24h)', grantRules.grace),
    )
    .addOption(
      valueOption(
        '--reference <reference>',
        'your own name for the purchase, unique within the product',
        grantRules.reference,
      ),
    )
    .addOption(
      numberOption(
        '--device-limit <count>',
        'how many devices may use the license at once (default: as its tier says)',
        grantRules.deviceLimit,
      ),
    )
    .addOption(valueOption('--id <id>', 'the id of the entitlement (default: a new one)', identifierRule))
    .option('--license-key <key>', 'an existing license key, or - to read it from standard input (default: a new one)');
  changeCommand<GrantOptions>(command, shell, {
    subjects: [],
    complete: async (options) =>
      options.licenseKey === '-' ? { ...options, licenseKey: await keyOnStandardInput(shell) } : options,
    request: (options, call) => {
      const grant = grantOfOptions(options);
      mustBeLater('periodEnd', options.periodEnd, options.periodStart ?? call.now, 'the start of the period');
      mustBeLater('accessEndsAt', options.accessEndsAt, options.periodStart ?? call.now, 'the start of the access');
      const request = { grant, id: options.id ?? null, licenseKey: options.licenseKey ?? null };
      return async (store) => outcome(await store.grantEntitlement(request, call));
    },
  });
}

/** The options of the members that a purchase or a subscription cannot have. */
const optionsOf = {
  billingIntervalCount: 'intervalCount',
  currentPeriodEnd: 'periodEnd',
  grace: 'grace',
  accessEndsAt: 'accessEndsAt',
} as const;

function grantOfOptions(options: GrantOptions): Grant {
  const { product, tier, interval, intervalCount, periodStart, periodEnd, ...same } = options;
  const reading = grantOf({
    ...same,
    productId: product,
    tierId: tier,
    billingInterval: interval,
    ...(intervalCount !== undefined && { billingIntervalCount: intervalCount }),
    ...(periodStart !== undefined && { currentPeriodStart: periodStart }),
    ...(periodEnd !== undefined && { currentPeriodEnd: periodEnd }),
  });
  if (reading.kind === 'grant') return reading.grant;
  throw new WrongValue(optionName(optionsOf[reading.member]), (naming) =>
    notFor(reading, {
      billingInterval: optionName('interval')[naming],
      accessEndsAt: optionName('accessEndsAt')[naming],
    }),
  );
}

function outcome(answer: GrantAnswer): Output {
  const { entitlement, licenseKey } = answer;
  const shown = { entitlement: snapshotView(entitlement), licenseKey };
  const { note: warning } = warningNote(answer);
  const key = `License key, shown only this once: ${licenseKey}`;
  return outputOf({
    data: { ...shown, ...warningsView(answer) },
    facts: snapshotFacts(entitlement),
    note: warning === undefined ? key : `${warning}\n${key}`,
  });
}

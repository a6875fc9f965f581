import { Option, type Command } from 'commander';
import { defaultGrace } from '../../../core/entitlement/entitlement-command.ts';
import { billingTerms, standings, type BillingTerm, type Standing } from '../../../core/entitlement/entitlement.ts';
import type { GrantAnswer } from '../../../core/entitlement/administration/grant-entitlement.ts';
import type { Grant } from '../../../core/entitlement/grant.ts';
import { displayName, duration, identifier, instant, mustBeLater, oneOf } from '../input/arguments.ts';
import type { ChangeOutcome } from '../run/change-request.ts';
import { changeCommand } from '../run/change-command.ts';
import { changeOf, snapshotDetails } from './entitlement-outcomes.ts';
import type { Shell } from '../shell/shell.ts';
import { keyOnStandardInput } from '../input/standard-input.ts';
import { WrongArgument } from '../shell/errors.ts';

interface GrantOptions {
  readonly product: string;
  readonly tier: string;
  readonly tierName: string;
  readonly interval: BillingTerm;
  readonly periodStart?: Date;
  readonly periodEnd?: Date;
  readonly status: Standing;
  readonly grace?: number;
  readonly id?: string;
  readonly licenseKey?: string;
}

export function addGrantCommand(group: Command, shell: Shell): void {
  const command = group
    .command('grant')
    .description('grant an entitlement, with a license key that is shown this once')
    .requiredOption('--product <id>', 'what was bought', identifier('--product'))
    .requiredOption('--tier <id>', 'of the product', identifier('--tier'))
    .requiredOption('--tier-name <name>', 'of the tier, for people', displayName('--tier-name'))
    .requiredOption('--interval <interval>', billingTerms.join(', '), oneOf('--interval', billingTerms))
    .option('--period-start <instant>', 'when the first period begins (default: now)', instant('--period-start'))
    .option('--period-end <instant>', 'when it ends (default: one interval later)', instant('--period-end'))
    .addOption(
      new Option('--status <status>', standings.join(', ')).default('active').argParser(oneOf('--status', standings)),
    )
    .option('--grace <duration>', 'how long access goes on after the end (default: 24h)', duration('--grace'))
    .option('--id <id>', 'of the entitlement (default: a new one)', identifier('--id'))
    .option('--license-key <key>', 'an existing key, or - to read it from standard input (default: a new one)');
  changeCommand<GrantOptions>(command, shell, {
    subject: null,
    complete: async (options) =>
      options.licenseKey === '-' ? { ...options, licenseKey: await keyOnStandardInput(shell) } : options,
    request: (_subject, options, call) => {
      const grant = grantOf(options);
      mustBeLater('--period-end', options.periodEnd, options.periodStart ?? call.now, 'the start of the period');
      const request = { grant, id: options.id ?? null, licenseKey: options.licenseKey ?? null };
      return async (store) => outcome(await store.grantEntitlement(request, call));
    },
  });
}

function grantOf(options: GrantOptions): Grant {
  const { product: productId, tier: tierId, tierName, interval, status: standing, periodEnd, grace } = options;
  const terms = { productId, tierId, tierName, standing, currentPeriodStart: options.periodStart ?? null };
  if (interval !== 'one_time') {
    const period = { currentPeriodEnd: periodEnd ?? null, grace: grace ?? defaultGrace };
    return { kind: 'subscription', ...terms, billingInterval: interval, ...period };
  }
  if (periodEnd !== undefined)
    throw new WrongArgument('--period-end does not go with --interval one_time, which never ends.');
  if (grace !== undefined) throw new WrongArgument('--grace does not go with --interval one_time, which never ends.');
  return { kind: 'one_time', ...terms };
}

function outcome({ entitlement, licenseKey }: GrantAnswer): ChangeOutcome {
  return {
    json: { value: { entitlement, licenseKey } },
    text: () => `${snapshotDetails(entitlement)}\nLicense key, shown only this once: ${licenseKey}\n`,
    change: changeOf('entitlement grant', { snapshot: entitlement, versionBefore: 0 }),
  };
}

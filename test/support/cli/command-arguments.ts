import type { Command } from 'commander';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { fileFormats, filePathRule } from '../../../adapters/cli/input/options.ts';
import { vendorNames } from '../../../adapters/cli/moving/record/vendor-names.ts';
import { billingIntervals, billingTerms, standings } from '../../../core/entitlement/entitlement.ts';
import { entitlementStatuses } from '../../../core/entitlement/status.ts';
import { intervalCountRule } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { scopes } from '../../../core/key/app/app-key.ts';
import { operatorScopes } from '../../../core/key/operator/operator-key.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { displayNameRule, oneOf, textThat, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { offlineAgeRule } from '../../../core/receipt/issue-offline-receipt.ts';
import { emailAddressRule } from '../../../core/waitlist/sign-up.ts';
import { feedCursorRule } from '../../../core/webhook/redeliver-events.ts';
import { eventTypesRule, webhookUrlRule } from '../../../core/webhook/webhook-endpoint.ts';
import { commandPaths, TestCommandLine } from './command-line.ts';

type Rule = Pick<ValueRule<unknown>, 'rule'>;

/** The rule of each option and argument, and a value that keeps it; by command where commands differ. No rule takes "". */
const table: Readonly<Record<string, readonly [rule: Rule, valid: string]>> = {
  '--id': [identifierRule, 'x1'],
  '--product': [identifierRule, 'p1'],
  '--tier': [identifierRule, 'pro'],
  '--entitlement': [identifierRule, 'e1'],
  '<id>': [identifierRule, 'x1'],
  '<entitlement>': [identifierRule, 'e1'],
  '<slug>': [identifierRule, 's1'],
  '<email>': [emailAddressRule, 'ada@example.com'],
  '<file>': [filePathRule, 'copy.db'],
  '--name': [displayNameRule, 'One'],
  '--tier-name': [displayNameRule, 'Pro'],
  '--reference': [displayNameRule, 'sub_1'],
  '--expires': [instantRule, '2999-01-01T00:00:00Z'],
  '--period-start': [instantRule, '2026-07-01T00:00:00Z'],
  '--period-end': [instantRule, '2999-01-01T00:00:00Z'],
  '--ends-before': [instantRule, '2999-01-01T00:00:00Z'],
  '--grace': [durationRule, '1h'],
  '--overlap': [durationRule, '1h'],
  '--interval': [oneOf(billingTerms), 'month'],
  '--interval-count': [intervalCountRule, '3'],
  'entitlement change-tier --interval': [oneOf(billingIntervals), 'month'],
  '--status': [oneOf(entitlementStatuses), 'active'],
  'entitlement grant --status': [oneOf(standings), 'active'],
  'key issue --scope': [oneOf(scopes), 'read:entitlements'],
  'operator issue --scope': [oneOf(operatorScopes), 'admin:read'],
  '--format': [oneOf(fileFormats), 'csv'],
  '--url': [webhookUrlRule, 'https://shop.example/hooks'],
  '--types': [eventTypesRule, 'license.revoked'],
  'license receipt --expires': [offlineAgeRule, '1d'],
  '--out': [filePathRule, 'receipt.jwt'],
  '<kid>': [identifierRule, 'k1'],
  'signing-key rotate --from': [identifierRule, 'k1'],
  'entitlement import --from': [oneOf(vendorNames), 'polar'],
  '--products': [filePathRule, 'products.json'],
  '--keys-file': [filePathRule, 'keys.ndjson'],
  '--as-of': [instantRule, '2026-07-01T00:00:00Z'],
  '--from': [feedCursorRule, '0-'],
  '--to': [feedCursorRule, '0-'],
  'stripe reconcile --since': [{ rule: 'must be a duration of at most 30d, such as 7d' }, '7d'],
  '--keys': [filePathRule, 'keys.jsonl'],
  '--price': [identifierRule, 'price_1'],
  '--seed': [textThat((text) => text !== '', 'must not be empty'), 'tests'],
};

/** The options that a command line or the line of a batch must give. */
const required: Readonly<Record<string, readonly string[]>> = {
  'product add': ['--id', '--name'],
  'key issue': ['--product'],
  'operator issue': ['--name'],
  'entitlement grant': ['--product', '--tier', '--tier-name', '--interval'],
  'entitlement change-tier': ['--tier', '--tier-name'],
  'stripe map add': ['--price', '--product', '--tier', '--tier-name'],
  'stripe map remove': ['--price'],
  'webhook add': ['--url'],
  'webhook replay': ['--product', '--from'],
  'webhook skip': ['--product', '--to'],
};

/** An option or an argument whose value keeps a rule. */
export interface RuledValue {
  /** `--period-end`, or `<id>` for an argument. */
  readonly flag: string;
  /** `--period-end <instant>`. */
  readonly flags: string;
  /** `periodEnd`, in the line of a batch. */
  readonly member: string;
  readonly rule: string;
  /** A value that keeps the rule. */
  readonly valid: string;
}

/** A command that does something, with what it takes. */
export interface CommandForm {
  /** `entitlement renew`. */
  readonly path: string;
  readonly command: Command;
  readonly options: readonly RuledValue[];
  readonly required: readonly RuledValue[];
  /** Its argument if that keeps a rule. */
  readonly argument: RuledValue | null;
  /** Whether it has a batch mode. */
  readonly hasBatch: boolean;
}

/** Every command that does something, from the program itself. Throws for an option that the table does not have. */
export async function commandForms(): Promise<readonly CommandForm[]> {
  return commandPaths(await commandLine(new TestCommandLine().shell()))
    .filter(({ command }) => command.commands.length === 0)
    .map(({ names, command }) => formOf(names.join(' '), command));
}

function formOf(path: string, command: Command): CommandForm {
  const options = command.options
    .filter(({ parseArg }) => parseArg !== undefined)
    .map((option) => ruled(path, option.long ?? '', option.flags, option.attributeName()));
  const [argument] = command.registeredArguments;
  const isRuled = argument?.parseArg !== undefined && argument.name() !== '-';
  const name = argument?.name() ?? '';
  return {
    path,
    command,
    options,
    required: (required[path] ?? []).flatMap((flag) => options.find((each) => each.flag === flag) ?? []),
    argument: isRuled ? ruled(path, `<${name}>`, `<${name}>`, name === 'entitlement' ? 'id' : name) : null,
    hasBatch: argument?.description.includes('- to read one change a line') ?? false,
  };
}

function ruled(path: string, flag: string, flags: string, member: string): RuledValue {
  const row = table[`${path} ${flag}`] ?? table[flag];
  if (row === undefined) throw new Error(`there is no rule for ${path} ${flag}`);
  const [{ rule }, valid] = row;
  return { flag, flags, member, rule, valid };
}

/** The words that give each of these values. */
export function wordsOf(values: readonly RuledValue[]): readonly string[] {
  return values.flatMap(({ flag, valid }) => (flag.startsWith('<') ? [valid] : [flag, valid]));
}

import type { Command, Option } from 'commander';
import { mailedThingRule } from '../../../adapters/administration/commands/entitlement/license-commands.ts';
import { mailedToRule } from '../../../adapters/administration/commands/mail-commands.ts';
import { orNone } from '../../../adapters/administration/commands/product-commands.ts';
import type { Member } from '../../../adapters/administration/declaration/member.ts';
import { declaredGroups } from '../../../adapters/administration/groups.ts';
import { commandLine } from '../../../adapters/cli/command-line.ts';
import { fileFormats, filePathRule, isNumberOption } from '../../../adapters/cli/input/options.ts';
import { vendorNames } from '../../../adapters/cli/moving/record/vendor-names.ts';
import { aboutRule, handleRule } from '../../../core/affiliate/affiliate.ts';
import { percentRule } from '../../../core/affiliate/listing-terms.ts';
import { codeRule, promotionStates } from '../../../core/affiliate/promotion.ts';
import { currencyRule, paymentRule } from '../../../core/affiliate/selling/written-payments.ts';
import { monthRule } from '../../../core/affiliate/statement/month.ts';
import { paidTextRule, statementStates } from '../../../core/affiliate/statement/statement.ts';
import { updatesRule } from '../../../core/billing/price-map.port.ts';
import { affiliateLinkTimeRule, linkTimeRule } from '../../../core/buyer/buyer-link.ts';
import { listingNameRule, listingRules } from '../../../core/catalog/administration/written-listing.ts';
import { deviceIdRule, deviceNameRule, deviceRule } from '../../../core/device/device.ts';
import { lastFourRule, listedStatuses } from '../../../core/entitlement/administration/list-entitlements.ts';
import { billingIntervals, billingTerms, standings } from '../../../core/entitlement/entitlement.ts';
import { deviceLimitRule, intervalCountRule, ownLimitRule } from '../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { scopes } from '../../../core/key/app/app-key.ts';
import { operatorScopes } from '../../../core/key/operator/operator-key.ts';
import { durationRule } from '../../../core/parsing/duration.ts';
import { instantRule } from '../../../core/parsing/instant.ts';
import { contactUrlRule, urlRule } from '../../../core/parsing/url-rules.ts';
import { booleanRule, displayNameRule, oneOf, textThat, type ValueRule } from '../../../core/parsing/value-rule.ts';
import { activateUrlRule } from '../../../core/product/activate-url.ts';
import { mailSubjectRule, mailTextRule } from '../../../core/product/product-mail.ts';
import { offlineAgeRule } from '../../../core/receipt/issue-offline-receipt.ts';
import { featureNameRule, featureRule } from '../../../core/tier/features.ts';
import { trialLengthRule } from '../../../core/trial/trial.ts';
import { invitationTimeRule, invitedScopes } from '../../../core/waitlist/invitation.ts';
import { emailAddressRule } from '../../../core/waitlist/sign-up.ts';
import { feedCursorRule } from '../../../core/webhook/redeliver-events.ts';
import { eventTypesRule, webhookUrlRule } from '../../../core/webhook/webhook-endpoint.ts';
import { commandPaths, TestCommandLine } from './command-line.ts';

type Rule = Pick<ValueRule<unknown>, 'rule'>;

/** A value that keeps a rule, by the words of the rule. */
const validValues: ReadonlyMap<string, string> = new Map(
  (
    [
      [identifierRule, 'x1'],
      [displayNameRule, 'One'],
      [instantRule, '2999-01-01T00:00:00Z'],
      [durationRule, '1h'],
      [linkTimeRule, '1h'],
      [trialLengthRule, '14d'],
      [updatesRule, '365d'],
      [invitationTimeRule, '7d'],
      [oneOf(invitedScopes), 'admin:read'],
      [emailAddressRule, 'ada@example.com'],
      [webhookUrlRule, 'https://shop.example/hooks'],
      [eventTypesRule, 'license.revoked'],
      [feedCursorRule, '0-'],
      [orNone(urlRule), 'https://shop.example/download'],
      [orNone(contactUrlRule), 'https://shop.example/help'],
      [orNone(activateUrlRule), 'sketchpad://activate?key={key}'],
      [booleanRule, 'true'],
      [orNone(mailSubjectRule), 'Your key'],
      [orNone(mailTextRule), 'Paste it.'],
      [mailedToRule, 'ada@example.com'],
      [mailedThingRule, 'link'],
      [intervalCountRule, '3'],
      [ownLimitRule, 'tier'],
      [featureRule, 'sso=true'],
      [featureNameRule, 'sso'],
      [deviceLimitRule, '5'],
      [deviceRule, `dev_${'a'.repeat(22)}`],
      [oneOf(billingIntervals), 'month'],
      [oneOf(scopes), 'read:entitlements'],
      [oneOf(operatorScopes), 'admin:read'],
      [oneOf(listedStatuses), 'active'],
      [handleRule, 'ada'],
      [listingNameRule, 'Ada'],
      [aboutRule, 'I draw.'],
      [affiliateLinkTimeRule, '7d'],
      [urlRule, 'https://ada.example/'],
      [percentRule, '30'],
      [listingRules.commissionFor, 'lifetime'],
      [listingRules.holdDays, '30'],
      [codeRule, 'ADA20'],
      [oneOf(promotionStates), 'live'],
      [currencyRule, 'usd'],
      [paymentRule, 'ch_1,2026-07-02T10:00:00Z,4900,4900'],
      [oneOf(statementStates), 'to_pay'],
      [monthRule, '2026-11'],
      [paidTextRule, 'paypal'],
      [lastFourRule, 'X5SX'],
    ] as const
  ).map(([{ rule }, value]) => [rule, value]),
);

const declared = declaredGroups.flatMap(({ name, commands }) =>
  commands.map((command) => [`${name} ${command.verb}`, command] as const),
);

/** The members of declared commands that an option or argument gives, by command and flag. */
const members = new Map<string, Member<unknown> & { readonly name: string }>(
  declared.flatMap(([path, command]) =>
    Object.entries(command.members).flatMap(([name, member]) =>
      member.option === null ? [] : [[`${path} ${member.option.split(' ')[0]}`, { name, ...member }] as const],
    ),
  ),
);

/**
 * The rule of each option and argument of the other commands, and a value that keeps it; by command where commands differ.
 * No rule takes "".
 */
const table: Readonly<Record<string, readonly [rule: Rule, valid: string]>> = {
  '--id': [identifierRule, 'x1'],
  '--product': [identifierRule, 'p1'],
  '--tier': [identifierRule, 'pro'],
  '<entitlement>': [identifierRule, 'e1'],
  '<file>': [filePathRule, 'copy.db'],
  '<backup>': [filePathRule, 'copy.db'],
  '--tier-name': [displayNameRule, 'Pro'],
  '--reference': [displayNameRule, 'sub_1'],
  '--period-start': [instantRule, '2026-07-01T00:00:00Z'],
  '--period-end': [instantRule, '2999-01-01T00:00:00Z'],
  '--access-ends-at': [instantRule, '2999-01-01T00:00:00Z'],
  '--updates-until': [instantRule, '2999-01-01T00:00:00Z'],
  '--grace': [durationRule, '1h'],
  '--interval': [oneOf(billingTerms), 'month'],
  '--interval-count': [intervalCountRule, '3'],
  '--device-limit': [deviceLimitRule, '3'],
  '--status': [oneOf(standings), 'active'],
  '--format': [oneOf(fileFormats), 'csv'],
  'license receipt --expires': [offlineAgeRule, '1d'],
  '--device-id': [deviceIdRule, 'machine-1'],
  '--device-name': [deviceNameRule, 'A machine'],
  '--out': [filePathRule, 'receipt.jwt'],
  'entitlement import --from': [oneOf(vendorNames), 'polar'],
  '--products': [filePathRule, 'products.json'],
  '--keys-file': [filePathRule, 'keys.ndjson'],
  '--as-of': [instantRule, '2026-07-01T00:00:00Z'],
  'stripe reconcile --since': [{ rule: 'must be a duration of at most 30d, such as 7d' }, '7d'],
  '--keys': [filePathRule, 'keys.jsonl'],
  '--month': [monthRule, '2026-11'],
  '--affiliate': [handleRule, 'ada'],
  '<statement>': [identifierRule, 'st_1'],
  '--seed': [textThat((text) => text !== '', 'must not be empty'), 'tests'],
};

/** The options that a command line or the line of a batch must give, of the other commands. */
const required: Readonly<Record<string, readonly string[]>> = {
  'entitlement grant': ['--product', '--tier', '--tier-name', '--interval'],
  'statement close': ['--month'],
};

/** An option or an argument whose value keeps a rule. */
export interface RuledValue {
  /** `--period-end`, or `<id>` for an argument. */
  readonly flag: string;
  /** `--period-end <instant>`. */
  readonly flags: string;
  /** `periodEnd`, in the line of a batch. */
  readonly member: string;
  /** The rule, or the part of it that an empty text breaks. */
  readonly rule: string;
  /** Whether the line of a batch may give it as a number. */
  readonly isNumber: boolean;
  /** A value that keeps the rule. */
  readonly valid: string;
  /** Whether every text keeps the rule, an empty one too. */
  readonly takesAny: boolean;
}

/** A command that does something, with what it takes. */
export interface CommandForm {
  /** `entitlement renew`. */
  readonly path: string;
  readonly command: Command;
  readonly options: readonly RuledValue[];
  readonly required: readonly RuledValue[];
  /** Its arguments that keep a rule. */
  readonly given: readonly RuledValue[];
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
    .map((option) => ruled(path, option.long ?? '', option));
  const given = command.registeredArguments.filter((each) => each.parseArg !== undefined && each.name() !== '-');
  const [first] = command.registeredArguments;
  return {
    path,
    command,
    options,
    required: options.filter(({ flag }) => isRequired(path, flag)),
    given: given.map((argument) => ruled(path, `<${argument.name()}>`, null)),
    hasBatch: first?.description.includes('- to read one change a line') ?? false,
  };
}

function isRequired(path: string, flag: string): boolean {
  const declaredMember = members.get(`${path} ${flag}`);
  return declaredMember === undefined ? required[path]?.includes(flag) === true : declaredMember.isRequired === true;
}

function ruled(path: string, flag: string, option: Option | null): RuledValue {
  const isNumber = option !== null && isNumberOption(option);
  const flags = option?.flags ?? flag;
  const known = members.get(`${path} ${flag}`);
  if (known !== undefined) {
    const { rule, brokenBy } = known.each ?? known.rule;
    const value = validValues.get(rule);
    if (value === undefined) throw new Error(`no value is known that ${rule}`);
    return {
      flag,
      flags,
      member: option?.attributeName() ?? known.name,
      rule: brokenBy?.('') ?? rule,
      isNumber,
      valid: value,
      takesAny: false,
    };
  }
  const row = table[`${path} ${flag}`] ?? table[flag];
  if (row === undefined) throw new Error(`there is no rule for ${path} ${flag}`);
  const name = flag === '<entitlement>' ? 'id' : flag.slice(1, -1);
  const [{ rule }, valid] = row;
  const takesAny = rule === deviceNameRule.rule;
  return { flag, flags, member: option?.attributeName() ?? name, rule, isNumber, valid, takesAny };
}

/** The words that give each of these values. */
export function wordsOf(values: readonly RuledValue[]): readonly string[] {
  return values.flatMap(({ flag, valid }) => (flag.startsWith('<') ? [valid] : [flag, valid]));
}

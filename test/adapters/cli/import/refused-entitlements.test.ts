import { expect } from 'chai';
import { entitlementLine } from '../../../../adapters/cli/import/entitlement-import.ts';
import { importStatuses } from '../../../../core/entitlement/administration/import-entitlements.ts';
import { billingTerms } from '../../../../core/entitlement/entitlement.ts';
import { deviceLimitRule, intervalCountRule } from '../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import { licenseKeyRule } from '../../../../core/license/license-key.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../../core/parsing/value-rule.ts';
import { jsonError, type TestCommandLine } from '../../../support/cli/command-line.ts';
import { commandLineWithProduct, importEntitlements } from '../../../support/cli/line-files.ts';

const line = { id: 'e1', productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const taken = { id: 'e0', licenseKey: 'the-key-of-entitlement-e0', reference: 'sub_0' };
const end = '2026-09-01T00:00:00Z';

/** The rule of each member. */
const rules = {
  id: identifierRule,
  productId: identifierRule,
  tierId: identifierRule,
  tierName: displayNameRule,
  billingInterval: oneOf(billingTerms),
  billingIntervalCount: intervalCountRule,
  currentPeriodStart: instantRule,
  currentPeriodEnd: instantRule,
  accessEndsAt: instantRule,
  updatesUntil: instantRule,
  status: oneOf(importStatuses),
  grace: durationRule,
  reference: displayNameRule,
  licenseKey: licenseKeyRule,
  deviceLimit: deviceLimitRule,
};
/** A number that breaks the rule of a member. */
const badNumbers: Readonly<Record<string, number>> = { billingIntervalCount: 121, deviceLimit: 10_001 };
const required = ['id', 'productId', 'tierId', 'tierName', 'billingInterval'];

describe('a line that an import of entitlements refuses', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithProduct();
  });

  it('has a rule for every member', () => {
    expect(Object.keys(entitlementLine.rules)).to.have.members(Object.keys(rules));
  });

  const bad: readonly (readonly [change: unknown, error: string, code?: string])[] = [
    ...['{', '[]', '1', '"e1"', 'null', '{"id":}'].map((text) => [text, 'The line must be a JSON object.'] as const),
    ...required.flatMap((member) =>
      [undefined, null].map((value) => [{ [member]: value }, `${member} is missing.`] as const),
    ),
    ...Object.entries(rules).flatMap(([member, { rule }]) =>
      ['', badNumbers[member] ?? 1].map((value) => [{ [member]: value }, `${member} ${rule}.`] as const),
    ),
    [{ currentperiodend: end }, '"currentperiodend" is unknown; did you mean currentPeriodEnd?'],
    [{ tierName: undefined, tier_name: 'Pro' }, '"tier_name" is unknown; did you mean tierName?'],
    [
      { licenceKey: 'the-key-of-entitlement-e1', graec: '1h' },
      '"licenceKey" is unknown; did you mean licenseKey? "graec" is unknown; did you mean grace?',
    ],
    [
      { id: 'a b', tierName: '', grace: 1, 'statu\u0007': 'active' },
      `"statu\\u0007" is unknown; did you mean status? id ${identifierRule.rule}. tierName ${displayNameRule.rule}. grace ${durationRule.rule}.`,
    ],
    [
      { currentPeriodStart: end, currentPeriodEnd: end },
      'currentPeriodEnd, or accessEndsAt, must be later than currentPeriodStart.',
      'period_end_too_early',
    ],
    [
      { accessEndsAt: end },
      'accessEndsAt needs billingInterval one_time: the access of a subscription ends with its period and grace.',
    ],
    [
      { billingInterval: 'one_time', billingIntervalCount: 1 },
      'billingIntervalCount cannot be combined with billingInterval one_time, which has no intervals.',
    ],
    [
      { billingInterval: 'one_time', grace: '1h' },
      'grace cannot be combined with billingInterval one_time, which has no intervals.',
    ],
    [{ productId: 'p2' }, 'productId must be that of a product; add it first.', 'product_not_found'],
    [{ id: 'e0' }, 'There is an entitlement with this id already.', 'entitlement_exists'],
    [{ licenseKey: 'the-key-of-entitlement-e0' }, 'There is a license with this key already.', 'license_key_exists'],
    [{ reference: 'sub_0' }, 'Another entitlement of the product has this reference already.', 'reference_exists'],
  ];
  for (const [change, error, code = 'invalid_line'] of bad) {
    it(`is refused: ${JSON.stringify(change)?.slice(0, 80)}`, async () => {
      await importEntitlements(cli, [{ ...line, ...taken }]);
      const before = structuredClone(cli.store);
      const text = typeof change === 'string' ? change : { ...line, ...(change as object) };
      const { exitCode, stdout, stderr } = await importEntitlements(cli, [text]);
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 0, failed: 1, errors: [{ line: 1, code, error }] });
      expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '1 of 1 lines were rejected.')]);
      expect(structuredClone(cli.store)).to.deep.equal(before);
    });
  }
});

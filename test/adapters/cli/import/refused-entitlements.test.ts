import { expect } from 'chai';
import { jsonError, type TestCommandLine } from '../../../support/processes/command-line.ts';
import { commandLineWithProduct, importEntitlements } from '../../../support/processes/line-files.ts';

const line = { id: 'e1', productId: 'p1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const end = '2026-09-01T00:00:00Z';

describe('a line that an import of entitlements refuses', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithProduct();
  });

  const imported = (lines: readonly unknown[], ...more: readonly string[]): ReturnType<typeof importEntitlements> =>
    importEntitlements(cli, lines, ...more);

  const identifierRule = 'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".';
  const instantRule = 'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.';
  const durationRule = 'must be a whole number with s, m, h or d, such as 24h, of at most 36500d.';
  const licenseKeyRule =
    'must have 24 to 120 characters, not counting white space at its ends, and be well-formed Unicode.';
  const bad: readonly (readonly [change: unknown, error: string, code?: string])[] = [
    ...['{', '[]', '1', '"e1"', 'null', '{"id":}'].map((text) => [text, 'The line must be a JSON object.'] as const),
    ...['id', 'productId', 'tierId', 'tierName', 'billingInterval'].flatMap((member) => [
      [{ [member]: undefined }, `${member} is missing.`] as const,
      [{ [member]: null }, `${member} is missing.`] as const,
    ]),
    ...['id', 'productId', 'tierId'].flatMap((member) =>
      ['', 'a b', 'a/b', 'é', 'x'.repeat(129), 1, ['e1'], {}].map(
        (value) => [{ [member]: value }, `${member} ${identifierRule}`] as const,
      ),
    ),
    ...['', ' ', 'x'.repeat(201), 'a\u0007b', 1].map(
      (value) =>
        [
          { tierName: value },
          'tierName must be 1 to 200 characters, not blank and without control characters.',
        ] as const,
    ),
    ...['hour', 'Month', '', 1].map(
      (value) =>
        [{ billingInterval: value }, 'billingInterval must be one of day, week, month, year, one_time.'] as const,
    ),
    ...['canceled', 'Active', '', true].map(
      (value) => [{ status: value }, 'status must be one of trialing, active, past_due.'] as const,
    ),
    ...['currentPeriodStart', 'currentPeriodEnd'].flatMap((member) =>
      ['2026-09-01', '2026-02-30T00:00:00Z', '2026-09-01T00:00:00', 1788000000, ''].map(
        (value) => [{ [member]: value }, `${member} ${instantRule}`] as const,
      ),
    ),
    ...['1', '24', '1y', '-1h', '1.5h', '', 24].map((value) => [{ grace: value }, `grace ${durationRule}`] as const),
    ...[
      'k'.repeat(23),
      'k'.repeat(121),
      '',
      ' '.repeat(24),
      `${'\u00a0'.repeat(23)}k`,
      `${'k'.repeat(24)}\uD83C`,
      1,
    ].map((value) => [{ licenseKey: value }, `licenseKey ${licenseKeyRule}`] as const),
    [{ currentperiodend: end }, '"currentperiodend" is unknown; did you mean currentPeriodEnd?'],
    [{ tierName: undefined, tier_name: 'Pro' }, '"tier_name" is unknown; did you mean tierName?'],
    [
      { licenceKey: 'the-key-of-entitlement-e1', graec: '1h' },
      '"licenceKey" is unknown; did you mean licenseKey? "graec" is unknown; did you mean grace?',
    ],
    [
      { id: 'a b', tierName: '', grace: 1, 'statu\u0007': 'active' },
      `"statu\\u0007" is unknown; did you mean status? id ${identifierRule} tierName must be 1 to 200 characters, not blank and without control characters. grace ${durationRule}`,
    ],
    [
      { currentPeriodEnd: '2020-01-01T00:00:00Z' },
      'currentPeriodEnd must be later than currentPeriodStart.',
      'period_end_too_early',
    ],
    [
      { currentPeriodStart: end, currentPeriodEnd: end },
      'currentPeriodEnd must be later than currentPeriodStart.',
      'period_end_too_early',
    ],
    [
      { billingInterval: 'one_time', currentPeriodEnd: end },
      'currentPeriodEnd does not go with billingInterval one_time, which never ends.',
    ],
    [
      { billingInterval: 'one_time', grace: '1h' },
      'grace does not go with billingInterval one_time, which never ends.',
    ],
    [{ productId: 'p2' }, 'productId must be that of a product; add it first.', 'product_not_found'],
    [{ id: 'e0' }, 'There is an entitlement with this id already.', 'entitlement_exists'],
    [{ licenseKey: 'the-key-of-entitlement-e0' }, 'There is a license with this key already.', 'license_key_exists'],
  ];
  for (const [change, error, code = 'invalid_line'] of bad) {
    it(`refuses the line: ${JSON.stringify(change)?.slice(0, 80)}`, async () => {
      await imported([{ ...line, id: 'e0', licenseKey: 'the-key-of-entitlement-e0' }]);
      const before = structuredClone(cli.store);
      const text = typeof change === 'string' ? change : { ...line, ...(change as object) };
      const { exitCode, stdout, stderr } = await imported([text]);
      expect(JSON.parse(stdout)).to.deep.equal({ imported: 0, failed: 1, errors: [{ line: 1, code, error }] });
      expect([exitCode, stderr]).to.deep.equal([1, jsonError('lines_refused', '1 of 1 lines were bad.')]);
      expect(structuredClone(cli.store)).to.deep.equal(before);
    });
  }
});

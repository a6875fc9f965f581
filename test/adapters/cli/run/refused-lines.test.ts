import { expect } from 'chai';
import type { TestCommandLine } from '../../../support/processes/command-line.ts';
import { commandLineWithSubscriptions, runBatch } from '../../../support/processes/line-files.ts';

const newEnd = '2026-09-18T12:00:00Z';

describe('a refused line of a batch', () => {
  let cli: TestCommandLine;
  beforeEach(async () => {
    cli = await commandLineWithSubscriptions();
  });

  const batch = (command: string, lines: readonly unknown[]): ReturnType<typeof runBatch> =>
    runBatch(cli, command, lines);

  const anObject = 'The line must be a JSON object.';
  const notAnOption = 'A member of the line is not an option of this command.';
  const identifierRule = 'must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".';
  const instantRule = 'must be an instant with Z or an offset, such as 2026-08-01T00:00:00Z, from 1970 to 8999.';
  const wrong: readonly (readonly [command: string, line: unknown, error: string])[] = [
    ...[
      'entitlement suspend',
      'entitlement renew',
      'license rotate',
      'key revoke',
      'entitlement grant',
      'product add',
    ].flatMap((command) =>
      ['{', '[]', '"e1"', '1', 'null', '{"id":"e1"', "{'id':'e1'}"].map((line) => [command, line, anObject] as const),
    ),
    ...[
      'entitlement suspend',
      'entitlement past-due',
      'entitlement revoke',
      'license rotate',
      'license revoke',
      'key revoke',
    ].flatMap((command) => [
      [command, {}, 'id is missing.'] as const,
      [command, { id: null }, 'id is missing.'] as const,
      [command, { id: 1 }, 'id must be a text.'] as const,
      [command, { id: ['e1'] }, 'id must be a text.'] as const,
      [command, { id: 'e1', grace: '1h' }, notAnOption] as const,
      [command, { id: 'e1', json: true }, notAnOption] as const,
      [command, { id: 'e1', ID: 'e2' }, notAnOption] as const,
    ]),
    ['entitlement suspend', { id: '' }, `id ${identifierRule}`],
    ['entitlement suspend', { id: 'e 1' }, `id ${identifierRule}`],
    ['key revoke', { id: 'e/1' }, `id ${identifierRule}`],
    ['listing pause', { slug: 'a b' }, `slug ${identifierRule}`],
    ['listing pause', { id: 'a' }, `${notAnOption} slug is missing.`],
    ['listing publish', {}, 'slug is missing.'],
    ['listing publish', { slug: ['a'] }, 'slug must be a text.'],
    ['listing publish', { slug: 'a' }, 'There is no listing with this slug.'],
    ['entitlement renew', { id: 'e1', periodEnd: 1 }, 'periodEnd must be a text.'],
    ['entitlement renew', { id: 'e1', periodEnd: [newEnd] }, 'periodEnd must be a text.'],
    ['entitlement renew', { id: 'e1', 'period-end': newEnd }, '"period-end" is unknown; did you mean periodEnd?'],
    [
      'entitlement renew',
      { id: 'e 1', graze: '1h', xyz: 1, abc: 1 },
      `"graze" is unknown; did you mean grace? ${notAnOption} id ${identifierRule} periodEnd is missing.`,
    ],
    [
      'entitlement renew',
      { ID: 'e1', periodEnd: 'soon', grace: 1 },
      `"ID" is unknown; did you mean id? periodEnd ${instantRule} grace must be a text.`,
    ],
    ['entitlement renew', { id: 'e1', periodEnd: newEnd, grace: 1 }, 'grace must be a text.'],
    [
      'entitlement renew',
      { id: 'e1', periodEnd: newEnd, grace: '1y' },
      'grace must be a whole number with s, m, h or d, such as 24h, of at most 36500d.',
    ],
    ['entitlement grant', {}, 'product is missing. tier is missing. tierName is missing. interval is missing.'],
    ['entitlement grant', { product: 'p1', tier: 'pro', tierName: 'Pro' }, 'interval is missing.'],
    [
      'entitlement grant',
      { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'hour' },
      'interval must be one of day, week, month, year, one_time.',
    ],
    [
      'entitlement grant',
      { product: 'p1', tier: 'pro', tierName: ' ', interval: 'day' },
      'tierName must be 1 to 200 characters, not blank and without control characters.',
    ],
    [
      'entitlement grant',
      { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'one_time', periodEnd: newEnd },
      'periodEnd does not go with interval one_time, which never ends.',
    ],
    [
      'entitlement grant',
      { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'day', periodEnd: '2020-01-01T00:00:00Z' },
      'periodEnd must be later than the start of the period.',
    ],
    [
      'entitlement grant',
      { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'day', licenseKey: '-' },
      'A license key must have 24 to 120 characters, not counting white space at its ends, and be well-formed Unicode.',
    ],
    [
      'entitlement grant',
      { product: 'p2', tier: 'pro', tierName: 'Pro', interval: 'day' },
      'There is no product with this id.',
    ],
    [
      'entitlement grant',
      { product: 'p1', tier: 'pro', tierName: 'Pro', interval: 'day', id: 'e1' },
      'There is an entitlement with this id already.',
    ],
    ['key issue', { product: 'p1', scope: [] }, 'scope must be a text.'],
    [
      'key issue',
      { product: 'p1', scope: ['read:all'] },
      'scope must be one of read:listings, write:waitlist, read:licenses, read:entitlements, write:entitlements.',
    ],
    ['key issue', { product: 'p1', expires: '2020-01-01T00:00:00Z' }, 'expires must be later than now.'],
    [
      'key rotate',
      { id: 'key_0', overlap: '1' },
      'overlap must be a whole number with s, m, h or d, such as 24h, of at most 36500d.',
    ],
    ['key rotate', { id: 'key_0' }, 'There is no app key with this id.'],
    ['product add', { id: 'p2' }, 'name is missing.'],
    ['product add', { id: 'p1', name: 'Again' }, 'There is a product with this id already.'],
  ];
  for (const [command, line, error] of wrong) {
    it(`refuses and changes nothing: ${command} - of ${typeof line === 'string' ? line : JSON.stringify(line)}`, async () => {
      const before = structuredClone(cli.store);
      const [exitCode, answers, stderr] = await batch(`${command} -`, [line]);
      expect([exitCode, stderr]).to.deep.equal([1, '1 of 1 lines were refused.\n']);
      expect(answers.map(({ line: number, error: is }) => [number, is])).to.deep.equal([[1, error]]);
      expect(structuredClone(cli.store)).to.deep.equal(before);
      expect(cli.changes).to.deep.equal([]);
    });
  }
});

import { expect } from 'chai';
import { Refusal, type CommandRefusal } from '../../../core/refusal.ts';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { refusalMessage } from '../../../adapters/cli/output/refusal-messages.ts';
import type { Shell } from '../../../adapters/cli/shell/shell.ts';
import { identifierRule } from '../../../core/identifier.ts';
import { jsonError, TestCommandLine, TextSink } from '../../support/processes/command-line.ts';
import { anOperatorKey, aOneTimePurchase, aSubscription, day, later } from '../../support/builders.ts';
import { thrownBy } from '../../support/thrown.ts';

const grant = 'entitlement grant --product prod_1 --tier pro --tier-name Pro --interval month';
const renew = '--period-end 2026-09-01T00:00:00Z';
const tier = '--tier team --tier-name Team';
const suspended = { kind: 'suspended' } as const;
const revoked = { kind: 'revoked', at: later(0) } as const;
const scheduled = { at: later(day), requestedAt: later(0) };
const keyOf = (length: number): string => 'k'.repeat(length);

const refused: readonly (readonly [line: string, code: CommandRefusal, stdin?: string])[] = [
  ['product add --id prod_1 --name Again', 'product_exists'],
  ['key issue --product prod_2', 'product_not_found'],
  ['key revoke key_0', 'app_key_not_found'],
  ['key rotate key_0', 'app_key_not_found'],
  ['key rotate key_revoked', 'app_key_ended'],
  ['key issue --product prod_3 --id key_revoked', 'app_key_exists'],
  ['operator revoke key_0', 'operator_key_not_found'],
  ['operator rotate key_0', 'operator_key_not_found'],
  ['operator rotate op_revoked', 'operator_key_ended'],
  ['operator issue --name Other --id op_revoked', 'operator_key_exists'],
  [`${grant} --product prod_2`, 'product_not_found'],
  [`${grant} --id active`, 'entitlement_exists'],
  [`${grant} --license-key ${keyOf(23)}`, 'invalid_license_key'],
  [`${grant} --license-key ${keyOf(121)}`, 'invalid_license_key'],
  [`${grant} --license-key -`, 'invalid_license_key', ''],
  [`${grant} --license-key -`, 'invalid_license_key', keyOf(100_000)],
  [`${grant} --license-key -`, 'invalid_license_key', ' '.repeat(24)],
  [`${grant} --license-key ${keyOf(24)}`, 'license_key_exists'],
  [`${grant} --license-key -`, 'license_key_exists', `${keyOf(24)}\n`],
  ['entitlement show unknown', 'entitlement_not_found'],
  ['entitlement history unknown', 'entitlement_not_found'],
  ['entitlement suspend unknown', 'entitlement_not_found'],
  [`entitlement renew unknown ${renew}`, 'entitlement_not_found'],
  [`entitlement renew revoked ${renew}`, 'entitlement_revoked'],
  [`entitlement renew scheduled ${renew}`, 'cancellation_scheduled'],
  [`entitlement renew canceled ${renew}`, 'entitlement_canceled'],
  ['entitlement renew active --period-end 2026-07-31T00:00:00Z', 'period_end_too_early'],
  [`entitlement change-tier unknown ${tier}`, 'entitlement_not_found'],
  [`entitlement change-tier revoked ${tier}`, 'entitlement_ended'],
  [`entitlement change-tier canceled ${tier}`, 'entitlement_ended'],
  [`entitlement change-tier active ${tier} --period-end 2026-07-18T12:00:00Z`, 'period_end_too_early'],
  [`entitlement change-tier purchase ${tier} --period-end 2027-07-18T12:00:00Z`, 'not_a_subscription'],
  [`entitlement change-tier purchase ${tier} --grace 1h`, 'not_a_subscription'],
  ['entitlement cancel canceled', 'entitlement_ended'],
  ['entitlement resume revoked', 'entitlement_ended'],
  ['entitlement cancel purchase', 'not_a_subscription'],
  ['entitlement resume purchase', 'not_a_subscription'],
  ['entitlement past-due suspended', 'entitlement_not_current'],
  ['entitlement past-due revoked', 'entitlement_ended'],
  ['entitlement suspend canceled', 'entitlement_ended'],
  ['license rotate unknown', 'entitlement_not_found'],
  ['license revoke unknown', 'entitlement_not_found'],
  ['license revoke active', 'license_not_found'],
  ['license find -', 'license_not_found', keyOf(25)],
  ['license find -', 'invalid_license_key', keyOf(23)],
];

describe('a refused command', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id prod_1 --name One');
    await cli.json(`${grant} --id licensed --license-key ${keyOf(24)}`);
    for (const [id, overrides] of Object.entries({
      active: {},
      suspended: { hold: suspended },
      revoked: { hold: revoked },
      scheduled: { cancellation: scheduled },
      canceled: { cancellation: { ...scheduled, at: later(0) } },
    })) {
      cli.store.entitlements.set(id, aSubscription({ id, ...overrides }));
    }
    cli.store.entitlements.set('purchase', aOneTimePurchase({ id: 'purchase' }));
    const { id } = (await cli.json('key issue --product prod_1')) as { readonly id: string };
    const key = cli.store.appKeys.find(id);
    if (key === null) throw new Error(`no key ${id}`);
    cli.store.appKeys.put({ ...key, id: 'key_revoked', digest: 'digest-of-a-revoked-key', revokedAt: later(0) });
    cli.store.operatorKeys.put(anOperatorKey({ id: 'op_revoked', revokedAt: later(0) }));
    await cli.json('product add --id prod_3 --name Three');
    cli.changes.length = 0;
    cli.closed = 0;
  });

  for (const [line, code, stdin = ''] of refused) {
    const input = stdin === '' ? '' : `, ${stdin.length} characters on standard input`;
    it(`prints the reason and changes nothing (${code}): ${line}${input}`, async () => {
      const before = structuredClone(cli.store);
      const error = refusalMessage(code);
      const asText = await cli.run(line.split(' '), stdin);
      expect(asText).to.deep.equal({ exitCode: 1, stdout: '', stderr: `${error}\n` });
      const asJson = await cli.run([...line.split(' '), '--json'], stdin);
      expect(asJson).to.deep.equal({ exitCode: 1, stdout: '', stderr: jsonError(code, error ?? '') });
      expect(structuredClone(cli.store)).to.deep.equal(before);
      expect(cli.changes).to.deep.equal([]);
      expect(cli.closed).to.equal(2);
    });
  }

  it('has a code in JSON for every other error', async () => {
    const missing = new UnusableStore('There is no store at x.', { isMissing: true });
    const examples: readonly (readonly [string, Error | null, string])[] = [
      ['product list', missing, '{"code":"store_not_found","error":"There is no store at x."}'],
      ['product list', new UnusableStore('x is no store.'), '{"code":"store_unusable","error":"x is no store."}'],
      [
        'entitlement show a/b',
        null,
        `{"code":"invalid_argument","error":"<id> ${identifierRule.rule.replaceAll('"', '\\"')}."}`,
      ],
      ['product lst', null, `{"code":"invalid_argument","error":"Unknown command 'lst'. Did you mean list?"}`],
      ['product', null, '{"code":"invalid_argument","error":"The command is missing or unknown: see --help."}'],
      [
        'serve --port x',
        null,
        '{"code":"invalid_argument","error":"port (--port) must be an integer from 0 to 65535; 0 means any free port."}',
      ],
    ];
    for (const [line, error, json] of examples) {
      const overrides = error === null ? {} : { openStore: failingWith(error) };
      const { stdout, stderr } = await cli.run([...line.split(' '), '--json'], '', overrides);
      expect([stdout, stderr]).to.deep.equal(['', `${json}\n`]);
    }
  });

  it('has a code in JSON for a fault, which is thrown as well', async () => {
    const stderr = new TextSink();
    const fault = new Error('disk on fire');
    const run = cli.run(['product', 'list', '--json'], '', { openStore: failingWith(fault), stderr });
    expect(await thrownBy(run)).to.equal(fault);
    expect(JSON.parse(stderr.text)).to.deep.equal({
      code: 'internal_error',
      error: 'The command failed because of a fault; see the log.',
    });
  });

  it('prints why the store cannot be opened', async () => {
    const openStore = failingWith(new UnusableStore('There is no store at /srv/x.db, or it may not be opened.'));
    expect(await cli.run(['product', 'list'], '', { openStore })).to.deep.equal({
      exitCode: 1,
      stdout: '',
      stderr: 'There is no store at /srv/x.db, or it may not be opened.\n',
    });
  });

  for (const line of ['product add --id p1 --name One', 'product list', 'key list', 'entitlement list']) {
    it(`cannot use a store in memory: ${line}`, async () => {
      const expected = {
        exitCode: 1,
        stdout: '',
        stderr: 'A store in memory ends with its process: only serve and demo can use one.\n',
      };
      const opened = cli.opened.length;
      expect(await cli.run([...line.split(' '), '--store', 'memory:'])).to.deep.equal(expected);
      expect(cli.opened).to.have.length(opened);
    });
  }

  it('says that the outcome is unknown if the store did not answer', async () => {
    const openStore = failingWith(new Refusal('store_unavailable'));
    const { exitCode, stderr } = await cli.run(['product', 'list'], '', { openStore });
    expect([exitCode, stderr]).to.deep.equal([1, `${refusalMessage('store_unavailable')}\n`]);
  });

  it('throws every other error', async () => {
    for (const fault of [new Error('disk on fire'), new Refusal('too_many_changes')]) {
      const openStore = failingWith(fault);
      expect(await thrownBy(cli.run(['product', 'list'], '', { openStore }))).to.equal(fault);
    }
  });
});

function failingWith(error: Error): Shell['openStore'] {
  return async () => {
    throw error;
  };
}

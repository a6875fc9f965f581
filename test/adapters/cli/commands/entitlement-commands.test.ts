import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro';

const noon = '2026-07-18T12:00:00.000Z';

/** The snapshot of `grant --interval month --id e1`, granted at noon. */
const monthly = {
  id: 'e1',
  productId: 'p1',
  kind: 'subscription',
  status: 'active',
  active: true,
  tierId: 'pro',
  tierName: 'Pro',
  billingInterval: 'month',
  currentPeriodStart: '2026-07-18T12:00:00.000Z',
  currentPeriodEnd: '2026-08-18T12:00:00.000Z',
  cancelAtPeriodEnd: false,
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  allowedActions: ['cancel'],
  createdAt: '2026-07-18T12:00:00.000Z',
  updatedAt: '2026-07-18T12:00:00.000Z',
  version: 1,
};
const once = { kind: 'one_time', billingInterval: 'one_time', currentPeriodEnd: null, allowedActions: [] };
const onceOnly = { ...monthly, ...once, id: 'e2' };

describe('latchkey', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
  });

  describe('entitlement', () => {
    it('grants an entitlement for one interval from now, with a license key', async () => {
      const granted = (await cli.json(`${grant} --interval month --id e1`)) as { readonly licenseKey: string };
      expect(granted).to.deep.equal({ entitlement: monthly, licenseKey: granted.licenseKey });
      expect(granted.licenseKey).to.match(/^LK(-[0-9A-Z]{5}){6}$/);
      const license = {
        lastFour: granted.licenseKey.slice(-4),
        createdAt: '2026-07-18T12:00:00.000Z',
        revokedAt: null,
      };
      const whole = {
        ...monthly,
        reference: null,
        graceUntil: '2026-08-19T12:00:00.000Z',
        license,
        suspendedBy: [],
        own: { deviceLimit: null, features: {} },
      };
      expect(await cli.json('license find -', `${granted.licenseKey}\n`)).to.deep.equal(whole);
      expect(await cli.json('entitlement show e1')).to.deep.equal(whole);
    });

    it('grants an entitlement with every option', async () => {
      const key = 'a-key-that-was-issued-elsewhere';
      const period = '--period-start 2026-07-01T00:00:00Z --period-end 2026-07-18T12:00:00Z --grace 1s';
      const granted = await cli.json(
        `${grant} --interval year --interval-count 2 ${period} --status trialing --id e1 --license-key ${key}`,
      );
      expect(granted).to.deep.equal({
        entitlement: {
          ...monthly,
          status: 'past_due',
          billingInterval: 'year',
          billingIntervalCount: 2,
          currentPeriodStart: '2026-07-01T00:00:00.000Z',
          currentPeriodEnd: '2026-07-18T12:00:00.000Z',
        },
        licenseKey: key,
      });
    });

    it('shows a count of intervals wherever it is not 1', async () => {
      const start = '--period-start 2026-01-31T10:00:00Z';
      await cli.json(`${grant} --interval month --interval-count 3 ${start} --id e1`);
      const shown = { billingIntervalCount: 3, currentPeriodEnd: '2026-04-30T10:00:00.000Z' };
      expect(await cli.json('entitlement show e1')).to.deep.include(shown);
      expect(await cli.json('entitlement list')).to.have.deep.nested.property('[0].billingIntervalCount', 3);
      expect((await cli.run(['entitlement', 'show', 'e1'])).stdout).to.match(/^Billing interval count +3$/m);
    });

    const endings: readonly (readonly [string, string])[] = [
      ['no newline', ''],
      ['a newline', '\n'],
      ['a newline of Windows', '\r\n'],
    ];
    for (const [what, ending] of endings) {
      it(`reads a license key with ${what} at its end from standard input`, async () => {
        const key = 'ein Schlüssel von woanders her';
        const granted = await cli.json(`${grant} --interval month --license-key -`, key + ending);
        expect(granted).to.include({ licenseKey: key });
      });
    }

    it('lists entitlements by product, status, end and reference', async () => {
      await cli.json('product add --id p2 --name Two');
      await cli.json(`${grant} --interval month --id e1 --reference sub_1`);
      await cli.json(`${grant} --interval one_time --id e2`);
      await cli.json(`${grant} --interval day --product p2 --status trialing --id e3 --reference sub_1`);
      const terms = { status: 'trialing', billingInterval: 'day', currentPeriodEnd: '2026-07-19T12:00:00.000Z' };
      const daily = { ...monthly, ...terms, id: 'e3', productId: 'p2' };
      expect(await cli.json('entitlement list')).to.deep.equal([monthly, onceOnly, daily]);
      expect(await cli.json('entitlement list --product p1')).to.deep.equal([monthly, onceOnly]);
      expect(await cli.json('entitlement list --product p1 --reference sub_1')).to.deep.equal([monthly]);
      expect(await cli.json('entitlement list --status trialing')).to.deep.equal([daily]);
      expect(await cli.json('entitlement list --ends-before 2026-07-19T12:00:00.001Z')).to.deep.equal([daily]);
    });

    it('lists entitlements the newest first, by tier, by what has ended and by the end of the key', async () => {
      const { licenseKey } = (await cli.json(`${grant} --interval month --id e1`)) as { readonly licenseKey: string };
      await cli.json('entitlement grant --product p1 --tier team --tier-name Team --interval one_time --id e2');
      await cli.json('entitlement revoke e2');
      const idsOf = async (options: string): Promise<readonly string[]> =>
        ((await cli.json(`entitlement list ${options}`)) as readonly { readonly id: string }[]).map(({ id }) => id);
      expect(await idsOf('--newest')).to.deep.equal(['e2', 'e1']);
      expect(await idsOf('--tier pro')).to.deep.equal(['e1']);
      expect(await idsOf('--status ended --newest')).to.deep.equal(['e2']);
      const lastFour = licenseKey.slice(-4).toLowerCase();
      expect(await idsOf(`--last-four ${lastFour}`)).to.deep.equal(['e1']);
      expect(await idsOf(`--last-four ${lastFour} --tier team`)).to.deep.equal([]);
      expect((await cli.run(['entitlement', 'list', '--last-four', 'X5S'])).stderr).to.include('--last-four');
    });

    it('grants a purchase that ends, renews it, and moves its end and its updates', async () => {
      const [first, second, third] = ['2026-08-01', '2027-08-01', '2026-12-01'].map((day) => `${day}T00:00:00.000Z`);
      const granted = await cli.json(
        `${grant} --interval one_time --id e1 --access-ends-at ${first} --updates-until ${second}`,
      );
      const shown = { kind: 'one_time', currentPeriodEnd: null, accessEndsAt: first, updatesUntil: second };
      expect((granted as { readonly entitlement: object }).entitlement).to.include(shown);
      expect(await cli.json('entitlement show e1')).to.include(shown);
      expect(await cli.json(`entitlement list --ends-before ${second}`)).to.have.length(1);
      expect(await cli.json(`entitlement renew e1 --period-end ${second}`)).to.include({ accessEndsAt: second });
      const change = `entitlement change-tier e1 --tier pro --tier-name Pro --period-end ${third}`;
      const moved = { accessEndsAt: third, updatesUntil: third, version: 3 };
      expect(await cli.json(`${change} --updates-until ${third}`)).to.include(moved);
      expect(await cli.json(change)).to.include(moved);
    });

    it('renews an entitlement for one more period, if no end is given', async () => {
      await cli.json(`${grant} --interval month --interval-count 3 --period-start 2027-01-31T00:00:00Z --id e1`);
      for (const end of ['2027-07-31', '2027-10-31']) {
        expect(await cli.json('entitlement renew e1')).to.include({ currentPeriodEnd: `${end}T00:00:00.000Z` });
      }
      expect(graceOfE1()).to.equal('2027-11-01T00:00:00.000Z');
    });

    it('counts the next period from now, if it would have passed already', async () => {
      const long = '--period-start 2020-01-31T00:00:00Z --interval month --interval-count 3';
      await cli.json(`${grant} ${long} --id e1`);
      const period = { currentPeriodStart: '2020-04-30T00:00:00.000Z', currentPeriodEnd: '2026-10-18T12:00:00.000Z' };
      expect(await cli.json('entitlement renew e1')).to.include(period);
    });

    it('shows who has changed it, the newest change first, on a terminal one a line', async () => {
      await cli.json(`${grant} --interval month --id e1`);
      await cli.json('entitlement suspend e1');
      const { by, correlationId } = cli.shell().newCall();
      expect(await cli.json('entitlement history e1')).to.deep.equal([
        { at: noon, by, operation: 'suspended', reason: null, correlationId, version: 2 },
        { at: noon, by, operation: 'granted', reason: null, correlationId, version: 1 },
      ]);
      const { stdout } = await cli.run(['entitlement', 'history', 'e1']);
      expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4))).to.deep.equal([
        ['At', 'Operation', 'By', 'Version'],
        [noon, 'suspended', 'command:test', '2'],
        [noon, 'granted', 'command:test', '1'],
        [''],
      ]);
    });
  });

  function graceOfE1(): string | null {
    const entitlement = cli.store.entitlements.get('e1');
    return entitlement?.kind === 'subscription' ? entitlement.graceUntil.toISOString() : null;
  }
});

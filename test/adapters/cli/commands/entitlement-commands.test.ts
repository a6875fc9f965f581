import { expect } from 'chai';
import { TestCommandLine } from '../../../support/cli/command-line.ts';
import { at, snapshot } from '../../../support/http/granted-entitlement.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro';

/** The snapshot of `grant --interval month --id e1`, granted at noon. */
const monthly = { ...snapshot, id: 'e1', productId: 'p1' };

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
        createdAt: at(0),
        revokedAt: null,
      };
      const whole = {
        ...monthly,
        reference: null,
        graceUntil: at(32),
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
          currentPeriodEnd: at(0),
        },
        licenseKey: key,
      });
    });

    it('shows a count of intervals that is not 1', async () => {
      const start = '--period-start 2026-01-31T10:00:00Z';
      await cli.json(`${grant} --interval month --interval-count 3 ${start} --id e1`);
      expect(await cli.json('entitlement show e1')).to.include({ currentPeriodEnd: '2026-04-30T10:00:00.000Z' });
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

    it('grants a purchase that ends, with its updates', async () => {
      const [first, second] = ['2026-08-01T00:00:00.000Z', '2027-08-01T00:00:00.000Z'];
      const granted = await cli.json(
        `${grant} --interval one_time --id e1 --access-ends-at ${first} --updates-until ${second}`,
      );
      const shown = { kind: 'one_time', currentPeriodEnd: null, accessEndsAt: first, updatesUntil: second };
      expect((granted as { readonly entitlement: object }).entitlement).to.include(shown);
    });

    it('renews an entitlement for one more period, if no end is given', async () => {
      await cli.json(`${grant} --interval month --interval-count 3 --period-start 2027-01-31T00:00:00Z --id e1`);
      for (const end of ['2027-07-31', '2027-10-31']) {
        expect(await cli.json('entitlement renew e1')).to.include({ currentPeriodEnd: `${end}T00:00:00.000Z` });
      }
    });

    it('shows on a terminal who has changed it, one change a line', async () => {
      await cli.json(`${grant} --interval month --id e1`);
      await cli.json('entitlement suspend e1');
      const { stdout } = await cli.run(['entitlement', 'history', 'e1']);
      expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4))).to.deep.equal([
        ['At', 'Operation', 'By', 'Version'],
        [at(0), 'suspended', 'command:test', '2'],
        [at(0), 'granted', 'command:test', '1'],
        [''],
      ]);
    });
  });
});

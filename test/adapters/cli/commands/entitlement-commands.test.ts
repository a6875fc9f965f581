import { expect } from 'chai';
import { TestCommandLine } from '../../../support/processes/command-line.ts';

const grant = 'entitlement grant --product p1 --tier pro --tier-name Pro';

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
const onceOnly = {
  ...monthly,
  id: 'e2',
  kind: 'one_time',
  billingInterval: 'one_time',
  currentPeriodEnd: null,
  allowedActions: [],
};

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
      const whole = { ...monthly, reference: null, graceUntil: '2026-08-19T12:00:00.000Z', license };
      expect(await cli.json('license find -', `${granted.licenseKey}\n`)).to.deep.equal(whole);
      expect(await cli.json('entitlement show e1')).to.deep.equal(whole);
    });

    it('grants an entitlement with every option', async () => {
      const key = 'a-key-that-was-issued-elsewhere';
      const period = '--period-start 2026-07-01T00:00:00Z --period-end 2026-07-18T12:00:00Z --grace 1s';
      const granted = await cli.json(
        `${grant} --interval year ${period} --status trialing --id e1 --license-key ${key}`,
      );
      expect(granted).to.deep.equal({
        entitlement: {
          ...monthly,
          status: 'past_due',
          billingInterval: 'year',
          currentPeriodStart: '2026-07-01T00:00:00.000Z',
          currentPeriodEnd: '2026-07-18T12:00:00.000Z',
        },
        licenseKey: key,
      });
    });

    it('grants a purchase', async () => {
      const granted = await cli.json(`${grant} --interval one_time --id e2`);
      expect(granted).to.have.deep.property('entitlement', onceOnly);
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

    it('shows an entitlement, and lists entitlements by product, status and end', async () => {
      await cli.json('product add --id p2 --name Two');
      await cli.json(`${grant} --interval month --id e1`);
      await cli.json(`${grant} --interval one_time --id e2`);
      await cli.json(`${grant} --interval day --product p2 --status trialing --id e3`);
      const daily = {
        ...monthly,
        id: 'e3',
        productId: 'p2',
        status: 'trialing',
        billingInterval: 'day',
        currentPeriodEnd: '2026-07-19T12:00:00.000Z',
      };
      expect(await cli.json('entitlement show e3')).to.deep.include(daily);
      expect(await cli.json('entitlement list')).to.deep.equal([monthly, onceOnly, daily]);
      expect(await cli.json('entitlement list --product p1')).to.deep.equal([monthly, onceOnly]);
      expect(await cli.json('entitlement list --status trialing')).to.deep.equal([daily]);
      expect(await cli.json('entitlement list --ends-before 2026-07-19T12:00:00.001Z')).to.deep.equal([daily]);
      expect(await cli.json('entitlement list --ends-before 2026-07-19T12:00:00Z')).to.deep.equal([]);
    });

    it('changes an entitlement, prints it and logs its versions', async () => {
      await cli.json(`${grant} --interval month --id e1`);
      cli.changes.length = 0;
      const answers = [];
      for (const command of ['past-due', 'suspend', 'reinstate', 'revoke']) {
        answers.push(await cli.json(`entitlement ${command} e1`));
      }
      const end = { allowedActions: [], active: false, endedAt: '2026-07-18T12:00:00.000Z' };
      expect(answers).to.deep.equal([
        { ...monthly, status: 'past_due', version: 2 },
        { ...monthly, status: 'suspended', active: false, version: 3 },
        { ...monthly, status: 'past_due', version: 4 },
        { ...monthly, ...end, status: 'revoked', version: 5 },
      ]);
      expect(cli.changes).to.deep.equal([
        { command: 'entitlement past-due', entitlementId: 'e1', versionBefore: 1, version: 2 },
        { command: 'entitlement suspend', entitlementId: 'e1', versionBefore: 2, version: 3 },
        { command: 'entitlement reinstate', entitlementId: 'e1', versionBefore: 3, version: 4 },
        { command: 'entitlement revoke', entitlementId: 'e1', versionBefore: 4, version: 5 },
      ]);
    });

    it('renews an entitlement, with a grace of a day by default', async () => {
      await cli.json(`${grant} --interval month --id e1`);
      const renewed = await cli.json('entitlement renew e1 --period-end 2026-09-18T12:00:00Z');
      const period = { currentPeriodStart: '2026-08-18T12:00:00.000Z', currentPeriodEnd: '2026-09-18T12:00:00.000Z' };
      expect(renewed).to.deep.equal({ ...monthly, ...period, version: 2 });
      expect(graceOfE1()).to.equal('2026-09-19T12:00:00.000Z');
      await cli.json('entitlement renew e1 --period-end 2026-10-18T12:00:00Z --grace 2h');
      expect(graceOfE1()).to.equal('2026-10-18T14:00:00.000Z');
    });

    it('cancels an entitlement at the end of its period, and resumes it', async () => {
      await cli.json(`${grant} --interval month --id e1`);
      cli.changes.length = 0;
      const canceled = {
        ...monthly,
        cancelAtPeriodEnd: true,
        cancelAt: '2026-08-18T12:00:00.000Z',
        canceledAt: '2026-07-18T12:00:00.000Z',
        allowedActions: ['resume'],
        version: 2,
      };
      expect(await cli.json('entitlement cancel e1')).to.deep.equal(canceled);
      expect(await cli.json('entitlement resume e1')).to.deep.equal({ ...monthly, version: 3 });
      expect(cli.changes).to.deep.equal([
        { command: 'entitlement cancel', entitlementId: 'e1', versionBefore: 1, version: 2 },
        { command: 'entitlement resume', entitlementId: 'e1', versionBefore: 2, version: 3 },
      ]);
    });

    for (const command of ['suspend', 'revoke', 'cancel', 'reinstate', 'resume']) {
      it(`changes and logs nothing if it needs no ${command}`, async () => {
        await cli.json(`${grant} --interval month --id e1`);
        if (!['reinstate', 'resume'].includes(command)) await cli.json(`entitlement ${command} e1`);
        cli.changes.length = 0;
        const before = await cli.json('entitlement show e1');
        expect(before).to.deep.include(await cli.json(`entitlement ${command} e1`));
        expect(cli.changes).to.deep.equal([]);
      });
    }
  });

  it('rotates, revokes and finds licenses', async () => {
    const { licenseKey: first } = (await cli.json(`${grant} --interval month --id e1`)) as {
      readonly licenseKey: string;
    };
    const rotated = (await cli.json('license rotate e1')) as { readonly licenseKey: string };
    expect(rotated).to.deep.equal({ licenseKey: rotated.licenseKey });
    expect(rotated.licenseKey).not.to.equal(first);
    const revoked = { ...monthly, version: 3 };
    expect(await cli.json('license revoke e1')).to.deep.equal(revoked);
    const at = '2026-07-18T12:00:00.000Z';
    const license = { lastFour: rotated.licenseKey.slice(-4), createdAt: at, revokedAt: at };
    expect(await cli.json('license find -', rotated.licenseKey)).to.deep.include({ ...revoked, license });
    expect(await cli.json('license rotate e1')).to.have.all.keys('licenseKey');
    expect(cli.changes.slice(2)).to.deep.equal([
      { command: 'license rotate', entitlementId: 'e1', versionBefore: 1, version: 2 },
      { command: 'license revoke', entitlementId: 'e1', versionBefore: 2, version: 3 },
      { command: 'license rotate', entitlementId: 'e1', versionBefore: 3, version: 4 },
    ]);
  });

  function graceOfE1(): string | null {
    const entitlement = cli.store.entitlements.get('e1');
    return entitlement?.kind === 'subscription' ? entitlement.graceUntil.toISOString() : null;
  }
});

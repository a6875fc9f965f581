import { expect } from 'chai';
import { scopes } from '../../../core/access/scope.ts';
import { TestCommandLine } from '../../support/command-line.ts';

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

describe('the command line', () => {
  let cli: TestCommandLine;

  beforeEach(async () => {
    cli = new TestCommandLine();
    await cli.json('product add --id p1 --name One');
  });

  describe('about products', () => {
    it('adds one, creating the store, and lists them', async () => {
      const added = { id: 'p0', name: 'Zéro', createdAt: '2026-07-18T12:00:00.000Z' };
      expect(await cli.json('product add --id p0 --name Zéro --store sqlite:x.db')).to.deep.equal(added);
      expect(await cli.json('product list')).to.deep.equal([added, { ...added, id: 'p1', name: 'One' }]);
      expect(cli.opened).to.deep.equal([
        { url: 'sqlite:data/latchkey.db', create: true },
        { url: 'sqlite:x.db', create: true },
        { url: 'sqlite:data/latchkey.db', create: false },
      ]);
      expect(cli.closed).to.equal(3);
    });

    it('lists none as an empty array', async () => {
      expect(await new TestCommandLine().run(['product', 'list', '--json'])).to.deep.equal({
        exitCode: 0,
        stdout: '[]\n',
        stderr: '',
      });
    });
  });

  describe('about app keys', () => {
    it('issues one with every scope and without an end where nothing else is said', async () => {
      const issued = await cli.json('key issue --product p1');
      expect(issued).to.have.all.keys('id', 'key', 'productId', 'scopes', 'expiresAt');
      expect(issued).to.include({ productId: 'p1', expiresAt: null });
      expect(issued).to.have.deep.property('scopes', scopes);
    });

    it('issues one with the scopes and the end that are named', async () => {
      const issued = await cli.json(
        'key issue --product p1 --scope read:entitlements --scope write:entitlements --scope read:entitlements --expires 2026-07-19T01:00:00+02:00',
      );
      expect(issued).to.deep.include({
        scopes: ['read:entitlements', 'write:entitlements'],
        expiresAt: '2026-07-18T23:00:00.000Z',
      });
    });

    it('lists them without the keys', async () => {
      const { id, key } = await issuedKey();
      expect(await cli.json('key list')).to.deep.equal([
        {
          id,
          productId: 'p1',
          lastFour: key.slice(-4),
          scopes,
          createdAt: '2026-07-18T12:00:00.000Z',
          expiresAt: null,
          revokedAt: null,
          lastUsedAt: null,
        },
      ]);
    });

    it('rotates one with an overlap of a day, or of what is named, and revokes one', async () => {
      const { id } = await issuedKey('--scope read:entitlements');
      const rotated = await cli.json(`key rotate ${id}`);
      expect(rotated).to.have.all.keys('id', 'key', 'productId', 'scopes', 'expiresAt');
      expect(rotated).to.deep.include({ productId: 'p1', scopes: ['read:entitlements'], expiresAt: null });
      const again = await cli.json(`key rotate ${id} --overlap 90m --expires 2027-01-01T00:00:00Z`);
      expect(again).to.include({ expiresAt: '2027-01-01T00:00:00.000Z' });
      expect(await cli.json(`key revoke ${id}`)).to.include({
        id,
        expiresAt: '2026-07-18T13:30:00.000Z',
        revokedAt: '2026-07-18T12:00:00.000Z',
      });
      const ends = (await cli.json('key list')) as readonly { readonly expiresAt: string | null }[];
      expect(ends.map(({ expiresAt }) => expiresAt)).to.have.members([
        null,
        '2026-07-18T13:30:00.000Z',
        '2027-01-01T00:00:00.000Z',
      ]);
    });
  });

  describe('about entitlements', () => {
    it('grants one for an interval from now, with a license key', async () => {
      const granted = (await cli.json(`${grant} --interval month --id e1`)) as { readonly licenseKey: string };
      expect(granted).to.deep.equal({ entitlement: monthly, licenseKey: granted.licenseKey });
      expect(granted.licenseKey).to.match(/^LK(-[0-9A-Z]{5}){6}$/);
      expect(await cli.json('license find -', `${granted.licenseKey}\n`)).to.deep.equal(monthly);
    });

    it('grants one on every term that can be named', async () => {
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

    it('grants one for good', async () => {
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

    it('shows one, and lists them by product, status and end', async () => {
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
      expect(await cli.json('entitlement show e3')).to.deep.equal(daily);
      expect(await cli.json('entitlement list')).to.deep.equal([monthly, onceOnly, daily]);
      expect(await cli.json('entitlement list --product p1')).to.deep.equal([monthly, onceOnly]);
      expect(await cli.json('entitlement list --status trialing')).to.deep.equal([daily]);
      expect(await cli.json('entitlement list --ends-before 2026-07-19T12:00:00.001Z')).to.deep.equal([daily]);
      expect(await cli.json('entitlement list --ends-before 2026-07-19T12:00:00Z')).to.deep.equal([]);
    });

    it('changes one, prints what it has become and logs the versions', async () => {
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

    it('renews one, with a grace of a day or of what is named', async () => {
      await cli.json(`${grant} --interval month --id e1`);
      const renewed = await cli.json('entitlement renew e1 --period-end 2026-09-18T12:00:00Z');
      const period = { currentPeriodStart: '2026-08-18T12:00:00.000Z', currentPeriodEnd: '2026-09-18T12:00:00.000Z' };
      expect(renewed).to.deep.equal({ ...monthly, ...period, version: 2 });
      expect(graceOfE1()).to.equal('2026-09-19T12:00:00.000Z');
      await cli.json('entitlement renew e1 --period-end 2026-10-18T12:00:00Z --grace 2h');
      expect(graceOfE1()).to.equal('2026-10-18T14:00:00.000Z');
    });

    for (const command of ['suspend', 'revoke', 'reinstate']) {
      it(`${command}s one that needs it no more without a change and without a log line`, async () => {
        await cli.json(`${grant} --interval month --id e1`);
        if (command !== 'reinstate') await cli.json(`entitlement ${command} e1`);
        cli.changes.length = 0;
        const before = await cli.json('entitlement show e1');
        expect(await cli.json(`entitlement ${command} e1`)).to.deep.equal(before);
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
    expect(await cli.json('license find -', rotated.licenseKey)).to.deep.equal(revoked);
    expect(await cli.json('license rotate e1')).to.have.all.keys('licenseKey');
    expect(cli.changes.slice(2)).to.deep.equal([
      { command: 'license rotate', entitlementId: 'e1', versionBefore: 1, version: 2 },
      { command: 'license revoke', entitlementId: 'e1', versionBefore: 2, version: 3 },
      { command: 'license rotate', entitlementId: 'e1', versionBefore: 3, version: 4 },
    ]);
  });

  it('logs a change once and never a key', async () => {
    const { id, key } = await issuedKey();
    await cli.json(`key revoke ${id}`);
    await cli.json(`${grant} --interval month --id e1`);
    expect(cli.changes).to.deep.equal([
      { command: 'product add', productId: 'p1' },
      { command: 'key issue', appKeyId: id },
      { command: 'key revoke', appKeyId: id },
      { command: 'entitlement grant', entitlementId: 'e1', versionBefore: 0, version: 1 },
    ]);
    expect(JSON.stringify(cli.changes)).not.to.contain(key);
  });

  async function issuedKey(more = ''): Promise<{ readonly id: string; readonly key: string }> {
    return (await cli.json(`key issue --product p1 ${more}`.trim())) as { readonly id: string; readonly key: string };
  }

  function graceOfE1(): string | null {
    const entitlement = cli.store.entitlements.get('e1');
    return entitlement?.kind === 'subscription' ? entitlement.graceUntil.toISOString() : null;
  }
});

import { expect } from 'chai';
import { aCall, aLicense, aOneTimePurchase, aSubscription, granted, noon } from '../../support/builders.ts';
import { atEachDoor } from '../../support/doors/doors.ts';
import { at, snapshot } from '../../support/http/granted-entitlement.ts';

const end = at(31);
const [later, muchLater] = ['2026-09-18T12:00:00.000Z', '2027-07-18T12:00:00.000Z'];
const now = noon.toISOString();
const team = { tierId: 'team', tierName: 'Team' };

/** A change, what it asks for, what must be changed before, and what it changes in the snapshot. */
type Change = readonly [command: string, values: object, before: string | null, shows: object];

const changes: readonly Change[] = [
  [
    'renew',
    { currentPeriodEnd: '2026-09-18T14:00:00+02:00' },
    null,
    { currentPeriodStart: end, currentPeriodEnd: later },
  ],
  ['renew', { currentPeriodEnd: later, keepStart: true }, null, { currentPeriodEnd: later }],
  ['change-tier', team, null, team],
  [
    'change-tier',
    { ...team, billingInterval: 'year', currentPeriodEnd: muchLater, grace: '3d' },
    null,
    { ...team, billingInterval: 'year', currentPeriodEnd: muchLater },
  ],
  [
    'change-tier',
    { ...team, billingInterval: 'month', billingIntervalCount: 6 },
    null,
    { ...team, billingIntervalCount: 6 },
  ],
  ['past-due', {}, null, { status: 'past_due', active: true }],
  ['suspend', {}, null, { status: 'suspended', active: false }],
  ['reinstate', {}, 'suspend', { status: 'active', active: true }],
  ['cancel', {}, null, { cancelAtPeriodEnd: true, cancelAt: end, canceledAt: now, allowedActions: ['resume'] }],
  ['resume', {}, 'cancel', { cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null }],
  ['revoke', {}, null, { status: 'revoked', active: false, endedAt: now, allowedActions: [] }],
];

/** As `snapshot` shows it. */
const monthly = aSubscription({
  currentPeriodStart: noon,
  currentPeriodEnd: new Date(end),
  graceUntil: new Date(at(32)),
  createdAt: noon,
  updatedAt: noon,
  license: aLicense(),
});

atEachDoor('the commands that change an entitlement', (door) => {
  const id = 'ent_1';

  beforeEach(async () => {
    await door().administration.addProduct('prod_1', 'Sketchpad', aCall());
    const both = [monthly, aOneTimePurchase()];
    await door().ports.allEntitlements.add(granted(both), aCall());
  });

  for (const [command, values, before, shows] of changes) {
    const what = Object.keys(values).join(', ');
    it(`are carried out once, however often they are repeated: ${command}${what && ` with ${what}`}`, async () => {
      if (before !== null) await door().administration.runEntitlementCommand(id, { kind: before } as never, aCall());
      const version = before === null ? 2 : 3;
      for (const _ of ['once', 'twice']) {
        expect(await door().run(`entitlement ${command}`, { id, ...values })).to.deep.include({
          ...snapshot,
          ...shows,
          version,
        });
      }
      const logged = { command: `entitlement ${command}`, entitlementId: id, versionBefore: version - 1, version };
      expect(door().changes()).to.deep.equal([logged]);
      expect(await door().run('entitlement history', { id })).to.have.length(version);
    });
  }

  it('move the end and the updates of a purchase', async () => {
    const own = { id: 'ent_once', ...team, currentPeriodEnd: later, updatesUntil: muchLater };
    const moved = { accessEndsAt: later, updatesUntil: muchLater, version: 2 };
    expect(await door().run('entitlement change-tier', own)).to.deep.include(moved);
    const renewed = await door().run('entitlement renew', { id: 'ent_once', currentPeriodEnd: muchLater });
    expect(renewed).to.deep.include({ ...moved, accessEndsAt: muchLater, version: 3 });
  });

  it('rotate a license key, revoke it, and find what it opens', async () => {
    const { licenseKey } = (await door().run('license rotate', { id })) as { readonly licenseKey: string };
    expect(licenseKey).to.match(/^LK(-[0-9A-Z]{5}){6}$/);
    expect((await door().administration.findByLicenseKey(licenseKey, aCall())).id).to.equal(id);
    for (const _ of ['once', 'twice']) {
      expect(await door().run('license revoke', { id })).to.deep.include({ id, status: 'active', version: 3 });
    }
    expect(
      door()
        .changes()
        .map(({ command }) => command),
    ).to.deep.equal(['license rotate', 'license revoke']);
  });

  it('refuse an entitlement that there is not', async () => {
    for (const command of ['entitlement suspend', 'entitlement history', 'license revoke']) {
      expect(await door().refusal(command, { id: 'none' })).to.equal('entitlement_not_found');
    }
  });
});

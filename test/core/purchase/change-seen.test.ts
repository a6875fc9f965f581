import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../core/administration/administration.ts';
import type { SeenCommand } from '../../../core/purchase/change-seen.ts';
import { aCall, aLicense, aSubscription, day, granted, later } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

const tier = {
  tierId: 'team',
  tierName: 'Team',
  billingInterval: null,
  billingIntervalCount: null,
  currentPeriodEnd: null,
  grace: null,
};

const commands: readonly SeenCommand[] = [
  { kind: 'renew', currentPeriodEnd: later(90 * day), grace: day },
  { kind: 'change-tier', ...tier },
  { kind: 'cancel' },
  { kind: 'suspend' },
  { kind: 'revoke' },
  { kind: 'rotate-license', licenseKey: 'a key of the owner’s making' },
  { kind: 'revoke-license' },
];

describe('a change of an entitlement that somebody has looked at', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);

  beforeEach(async () => {
    await store().products.add({ id: 'prod_1', name: 'One', createdAt: later(0) }, aCall());
    await store().allEntitlements.add(granted([aSubscription({ license: aLicense(), sequence: 1 })]), aCall());
  });

  for (const command of commands) {
    it(`is made once where it is ${command.kind}, however often it is sent`, async () => {
      const { changeSeen, showEntitlement, showHistory } = administration();
      const first = await changeSeen({ id: 'ent_1', version: 1, command }, aCall());
      expect([first.versionBefore, first.snapshot.version]).to.deep.equal([1, 2]);
      const second = await changeSeen({ id: 'ent_1', version: 1, command }, aCall());
      expect([second.versionBefore, second.snapshot.version]).to.deep.equal([2, 2]);
      expect((await showEntitlement('ent_1', aCall())).version).to.equal(2);
      expect((await showHistory('ent_1', aCall())).length).to.equal(2);
    });

    it(`is refused where it is ${command.kind} and another change came first`, async () => {
      const { changeSeen, runEntitlementCommand, showEntitlement } = administration();
      const other = { kind: 'change-tier', ...tier, tierId: 'solo' } as const;
      const { snapshot } = await runEntitlementCommand('ent_1', other, aCall());
      const refused = changeSeen({ id: 'ent_1', version: 1, command }, aCall());
      expect((await refusalOf(refused)).code).to.equal('changed_meanwhile');
      expect((await showEntitlement('ent_1', aCall())).version).to.equal(snapshot.version);
    });
  }

  it('warns of a tier that is not declared, where others are, and of no other change', async () => {
    const { changeSeen, putTier } = administration();
    const terms = { deviceLimit: null, trial: null, features: {} };
    await putTier({ productId: 'prod_1', id: 'solo' }, terms, aCall());
    const canceled = await changeSeen({ id: 'ent_1', version: 1, command: { kind: 'cancel' } }, aCall());
    expect(canceled).not.to.have.property('isUnknownTier');
    const unknown = await changeSeen({ id: 'ent_1', version: 2, command: { kind: 'change-tier', ...tier } }, aCall());
    expect(unknown).to.include({ isUnknownTier: true });
    const solo = { kind: 'change-tier', ...tier, tierId: 'solo' } as const;
    expect(await changeSeen({ id: 'ent_1', version: 3, command: solo }, aCall())).not.to.have.property('isUnknownTier');
  });

  it('keeps the 31st as the day of the month where a form names the end that it proposed', async () => {
    const { changeSeen, runEntitlementCommand, showPurchase } = administration();
    const february = { currentPeriodEnd: new Date('2027-02-28'), graceUntil: new Date('2027-03-01'), anchorDay: 31 };
    await store().allEntitlements.add(granted([aSubscription({ id: 'ent_31', ...february })]), aCall());
    for (const version of [1, 2]) {
      const { extensions } = await showPurchase('ent_31', aCall());
      const end = extensions(null)?.ends.get('1m');
      const command = { kind: 'renew', currentPeriodEnd: end ?? later(0), grace: day } as const;
      await changeSeen({ id: 'ent_31', version, command }, aCall());
    }
    const renewal = { kind: 'renew', currentPeriodEnd: null, grace: day } as const;
    const { snapshot } = await runEntitlementCommand('ent_31', renewal, aCall());
    expect(snapshot.currentPeriodStart).to.deep.equal(new Date('2027-04-30'));
    expect(snapshot.currentPeriodEnd).to.deep.equal(new Date('2027-05-31'));
  });

  it('shows the key of a new license once', async () => {
    const { changeSeen, findByLicenseKey } = administration();
    const command = { kind: 'rotate-license', licenseKey: null } as const;
    const { licenseKey } = await changeSeen({ id: 'ent_1', version: 1, command }, aCall());
    expect((await findByLicenseKey(licenseKey ?? '', aCall())).id).to.equal('ent_1');
    const repeated = changeSeen({ id: 'ent_1', version: 1, command }, aCall());
    expect((await refusalOf(repeated)).code).to.equal('changed_meanwhile');
  });

  it('changes once where twenty send it at the same time', async () => {
    const { changeSeen, showHistory } = administration();
    const command = { kind: 'rotate-license', licenseKey: null } as const;
    const all = Array.from({ length: 20 }, () => changeSeen({ id: 'ent_1', version: 1, command }, aCall()));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).to.equal(1);
    expect((await showHistory('ent_1', aCall())).length).to.equal(2);
  });
});

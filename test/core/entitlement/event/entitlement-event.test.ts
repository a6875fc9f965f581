import { expect } from 'chai';
import { licenseFacts, previousValues } from '../../../../core/entitlement/event/entitlement-event.ts';
import { eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import { snapshotAt, type Snapshot } from '../../../../core/entitlement/snapshot.ts';
import { aLicense, aSubscription, later, noon } from '../../../support/builders.ts';

const before = snapshotAt(aSubscription(), noon);

describe('the previous values of an event', () => {
  const changes: readonly Partial<Snapshot>[] = [
    { status: 'past_due' },
    { tierId: 'team' },
    { tierName: 'Team' },
    { billingInterval: 'year' },
    { billingIntervalCount: 3 },
    { currentPeriodStart: later(1) },
    { currentPeriodEnd: later(2) },
    { cancelAt: later(3) },
    { canceledAt: later(4) },
    { endedAt: later(5) },
  ];
  for (const change of changes) {
    const [member] = Object.keys(change) as [keyof Snapshot];
    it(`have ${member} if it has changed, and nothing else`, () => {
      expect(previousValues(before, { ...before, ...change })).to.deep.equal({ [member]: before[member] });
      expect(previousValues({ ...before, ...change }, before)).to.deep.equal(change);
    });
  }

  it('have no instant that is the same in another object', () => {
    expect(
      previousValues(before, { ...before, currentPeriodStart: new Date(before.currentPeriodStart) }),
    ).to.deep.equal({});
  });

  it('have nothing that changes with every write', () => {
    expect(previousValues(before, { ...before, updatedAt: later(1), version: 9 })).to.deep.equal({});
  });
});

describe('the license of an event', () => {
  it('stands in events of the license alone, without its digest', () => {
    const { digest: _, ...facts } = aLicense({ revokedAt: noon });
    const licensed = aSubscription({ license: aLicense({ revokedAt: noon }) });
    const shown = eventTypes.filter((type) => licenseFacts(type, licensed) !== null);
    expect(shown).to.deep.equal(['license.rotated', 'license.moved', 'license.revoked']);
    for (const type of shown) expect(licenseFacts(type, licensed)).to.deep.equal(facts);
    for (const type of eventTypes) expect(licenseFacts(type, aSubscription())).to.equal(null);
  });
});

import { expect } from 'chai';
import { readEntitlement } from '../../../../core/entitlement/merchant/read-entitlement.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { aCall, aSubscription, granted, later } from '../../../support/builders.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('readEntitlement', () => {
  const store = freshStore(memory.open);
  const seen = aSubscription({ currentPeriodEnd: later(10), graceUntil: later(20) });

  beforeEach(() => store().allEntitlements.add(granted([seen]), aCall()));

  it('reads the entitlement at the instant of the call', async () => {
    const read = readEntitlement(store().entitlements);
    const statuses = [];
    for (const milliseconds of [9, 10, 19, 20]) {
      const snapshot = await read('ent_1', 'prod_1', aCall({ now: later(milliseconds) }));
      expect(snapshot).to.deep.equal(snapshotAt(seen, later(milliseconds)));
      statuses.push(snapshot.status);
    }
    expect(statuses).to.deep.equal(['active', 'past_due', 'past_due', 'expired']);
  });

  it('refuses an unknown entitlement and one of another product alike', async () => {
    const read = readEntitlement(store().entitlements);
    const refusals = [
      await refusalOf(read('ent_2', 'prod_1', aCall())),
      await refusalOf(read('ent_1', 'prod_2', aCall())),
    ];
    const notFound = { code: 'entitlement_not_found', details: {} };
    expect(refusals).to.deep.equal([notFound, notFound]);
  });
});

import { expect } from 'chai';
import { changeTrail, grantTrail } from '../../../../core/entitlement/event/change-record.ts';
import { tell, tellGrant } from '../../../../core/entitlement/event/record-events.ts';
import { historyEntry } from '../../../../core/entitlement/history-entry.ts';
import { aCall, aSubscription, changed, later } from '../../../support/builders.ts';
import { countingIds } from '../../../support/random-entitlements.ts';

const period = { currentPeriodEnd: later(100), graceUntil: later(200) };

describe('the trail', () => {
  it('of a change has its entry, and the events of the clock before its own', () => {
    const seen = aSubscription({ ...period, updatedAt: later(0) });
    const call = aCall({ now: later(150) });
    const { next, events } = tell(seen, changed(seen), 'entitlement.cancellation_scheduled', call, countingIds());
    expect(events).to.have.length(2);
    expect(changeTrail(seen, changed(seen), 'cancellation_scheduled', call, countingIds())).to.deep.equal({
      next,
      trail: { entry: historyEntry(next, 'cancellation_scheduled', call), events },
    });
  });

  for (const operation of ['granted', 'imported'] as const) {
    it(`of an entitlement that is ${operation} has its entry and one event`, () => {
      const call = aCall({ now: later(150) });
      const { next, events } = tellGrant(aSubscription(period), call, countingIds());
      expect(events).to.have.length(1);
      expect(grantTrail(aSubscription(period), operation, call, countingIds())).to.deep.equal({
        next,
        trail: { entry: historyEntry(next, operation, call), events },
      });
    });
  }
});

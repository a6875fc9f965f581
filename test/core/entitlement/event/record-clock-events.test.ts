import { expect } from 'chai';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { clockEvents } from '../../../../core/entitlement/event/change-record.ts';
import { oldestDue, recordClockEvents } from '../../../../core/entitlement/event/record-clock-events.ts';
import { aCall, aSubscription, granted, later } from '../../../support/builders.ts';
import { countingIds } from '../../../support/random-entitlements.ts';
import { range } from '../../../support/range.ts';
import { eventsIn } from '../../../support/stores/event-log.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

describe('recordClockEvents', () => {
  const store = freshStore(memory.open);
  let calls = 0;

  const sweep = (milliseconds: number, isStopped?: () => boolean): Promise<number> => {
    calls = 0;
    const newCall = () => {
      calls += 1;
      return aCall({ now: later(milliseconds), by: 'clock' });
    };
    return recordClockEvents(store().dueEntitlements, countingIds())(newCall, isStopped);
  };

  const add = async (count: number): Promise<readonly Entitlement[]> => {
    const period = { currentPeriodEnd: later(10), graceUntil: later(5000) };
    const made = range(count).map((index) => aSubscription({ id: `ent_${index}`, ...period }));
    await store().allEntitlements.add(granted(made), aCall());
    return made;
  };

  it('stores what the clock did, a second after it', async () => {
    const [seen] = await add(1);
    if (seen === undefined) throw new Error('nothing was added');
    expect([await sweep(1009), await eventsIn(store(), 'prod_1')]).to.deep.equal([0, []]);
    expect(await sweep(1010)).to.equal(1);
    const [event] = clockEvents(seen, later(10), countingIds());
    expect(await eventsIn(store(), 'prod_1')).to.deep.equal([{ position: 1, event }]);
    const expected = { ...seen, revision: 2, sequence: 1, nextEventAt: later(5000) };
    expect(await store().allEntitlements.find(seen.id, aCall())).to.deep.equal(expected);
    expect(await sweep(1010)).to.equal(0);
  });

  for (const [count, batches] of [
    [99, 1],
    [100, 2],
    [250, 3],
  ] as const) {
    it(`stores ${count} changes with ${batches} calls, one for each hundred`, async () => {
      await add(count);
      expect([await sweep(2000), calls]).to.deep.equal([count, batches]);
      expect(await eventsIn(store(), 'prod_1')).to.have.length(count);
    });
  }

  it('announces ends by the hundred too, and only with a setting', async () => {
    const period = { currentPeriodEnd: later(10_000), graceUntil: later(20_000), unannouncedEnd: later(20_000) };
    const made = range(250).map((index) => aSubscription({ id: `ent_${index}`, ...period }));
    await store().allEntitlements.add(granted(made), aCall());
    const announce = (endingSoon: number): Promise<number> =>
      recordClockEvents(store().dueEntitlements, countingIds(), endingSoon)(() => aCall({ now: later(6000) }));
    expect([await announce(0), await announce(14_999), await announce(15_000), await announce(15_000)]).to.deep.equal([
      0, 0, 250, 0,
    ]);
    expect(await eventsIn(store(), 'prod_1')).to.have.length(250);
  });

  it('knows since when the oldest event has been due', async () => {
    const oldest = (milliseconds: number, endingSoon: number): Promise<Date | null> =>
      oldestDue(store().dueEntitlements, endingSoon)(aCall({ now: later(milliseconds) }));
    const [seen] = await add(1);
    const near = aSubscription({
      id: 'near',
      currentPeriodEnd: later(90),
      graceUntil: later(100),
      unannouncedEnd: later(100),
    });
    await store().allEntitlements.add(granted([near]), aCall());
    expect(seen?.nextEventAt).to.deep.equal(later(10));
    expect(await oldest(9, 90)).to.equal(null);
    expect(await oldest(10, 0)).to.deep.equal(later(10));
    expect(await oldest(20, 95)).to.deep.equal(later(5));
    expect(await oldest(20, 85)).to.deep.equal(later(10));
    expect(await oldest(9, 95)).to.deep.equal(later(5));
  });

  it('ends after the batch in which it is stopped, and begins none afterwards', async () => {
    await add(250);
    expect([await sweep(2000, () => calls === 2), calls]).to.deep.equal([200, 2]);
    expect([await sweep(2000, () => true), calls]).to.deep.equal([0, 0]);
  });
});

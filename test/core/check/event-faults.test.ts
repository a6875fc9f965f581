import { expect } from 'chai';
import { EventFaults } from '../../../core/check/event-faults.ts';
import { EventIds } from '../../../core/check/event-ids.ts';
import { range } from '../../support/range.ts';

describe('the findings of a check of events', () => {
  const faultsOf = (count: number) => {
    const faults = new EventFaults('webhooks');
    for (const index of range(count)) faults.add(`Fault ${index}.`);
    return faults.findings('Good.');
  };
  const named = (count: number) =>
    range(count).map((index) => ({ check: 'webhooks', ok: false, message: `Fault ${index}.` }));

  it('are a good one if nothing is wrong', () => {
    expect(faultsOf(0)).to.deep.equal([{ check: 'webhooks', ok: true, message: 'Good.' }]);
  });

  it('are the faults, the first ten by name and the others by number', () => {
    expect(faultsOf(1)).to.deep.equal(named(1));
    expect(faultsOf(10)).to.deep.equal(named(10));
    const more = { check: 'webhooks', ok: false, message: 'There are 2 more faults of this kind.' };
    expect(faultsOf(12)).to.deep.equal([...named(10), more]);
  });
});

describe('the ids of events', () => {
  it('are known from the second time on', () => {
    const ids = new EventIds();
    expect(['evt_a', 'evt_b', 'evt_ba', 'evt_a', 'evt_ba'].map((id) => ids.add(id))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

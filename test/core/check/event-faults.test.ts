import { expect } from 'chai';
import { EventFaults, EventIds } from '../../../core/check/event-faults.ts';
import { range } from '../../support/range.ts';

function findingsAfter(count: number) {
  const faults = new EventFaults('webhooks');
  for (const index of range(count)) faults.add(`Fault ${index}.`);
  return faults.findings('Good.');
}

function named(count: number) {
  return range(count).map((index) => ({ check: 'webhooks', ok: false, message: `Fault ${index}.` }));
}

describe('the findings of a check of events', () => {
  it('are a good one if nothing is wrong', () => {
    expect(findingsAfter(0)).to.deep.equal([{ check: 'webhooks', ok: true, message: 'Good.' }]);
  });

  it('are the faults, the first ten by name and the others by number', () => {
    expect(findingsAfter(1)).to.deep.equal(named(1));
    expect(findingsAfter(10)).to.deep.equal(named(10));
    const more = { check: 'webhooks', ok: false, message: 'There are 2 more faults of this kind.' };
    expect(findingsAfter(12)).to.deep.equal([...named(10), more]);
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

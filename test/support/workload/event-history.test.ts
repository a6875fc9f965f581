import { expect } from 'chai';
import { anEvent, aSubscription } from '../builders.ts';
import { eventViolations } from './event-history.ts';

const before = [{ id: 'ent_1', version: 3, cancelAtPeriodEnd: false }];
const after = [{ id: 'ent_1', version: 5, cancelAtPeriodEnd: false }];

const canceled = anEvent(aSubscription({ version: 4, sequence: 1 }));
const resumed = anEvent(aSubscription({ version: 5, sequence: 2 }), { type: 'entitlement.cancellation_undone' });

const inOrder = [
  { position: 1, event: canceled },
  { position: 2, event: resumed },
];

describe('the check of a log against a history', () => {
  it('accepts one event for each change', () => {
    expect(eventViolations({ before, after }, inOrder)).to.deep.equal([]);
  });

  for (const [what, log] of [
    ['a lost event', inOrder.slice(0, 1)],
    ['a doubled event', [...inOrder, { position: 3, event: resumed }]],
    ['events out of order', inOrder.toReversed().map((each, index) => ({ ...each, position: index + 1 }))],
    ['a gap in the positions', inOrder.map(({ position, event }) => ({ position: position * 2, event }))],
    ['an event of no change', [...inOrder, { position: 3, event: { ...canceled, sequence: 3 } }]],
  ] as const) {
    it(`finds ${what}`, () => {
      expect(eventViolations({ before, after }, log)).to.not.deep.equal([]);
    });
  }
});

import { expect } from 'chai';
import { anEvent, aSubscription } from '../builders.ts';
import { deliveryViolations, type Delivery } from './delivery-history.ts';

const log = ['a', 'b', 'a', 'b'].map((id, index) => ({
  position: index + 1,
  event: anEvent(aSubscription({ id }), { id: `evt_${index + 1}` }),
}));

const [a1, b2, a3, b4] = log.map(({ event }): Delivery => ({ id: event.id, entitlementId: event.entitlement.id })) as [
  Delivery,
  Delivery,
  Delivery,
  Delivery,
];

describe('the check of deliveries against a log', () => {
  for (const [what, accepted] of [
    ['each event in the order of its entitlement', [b2, b4, a1, a3]],
    ['repeats of what has arrived', [a1, a3, a1, b2, a3, b4, b2]],
  ] as const) {
    it(`accepts ${what}`, () => {
      expect(deliveryViolations(log, accepted)).to.deep.equal([]);
    });
  }

  for (const [what, accepted] of [
    ['a lost event', [a1, b2, a3]],
    ['an entitlement without deliveries', [a1, a3]],
    ['events out of order', [a3, a1, b2, b4]],
    ['a delivery of no event', [a1, a3, b2, b4, { ...b4, id: 'evt_5' }]],
    ['a delivery of another entitlement', [a1, a3, b2, b4, { id: 'evt_1', entitlementId: 'c' }]],
    ['a delivery of no entitlement', [a1, a3, b2, b4, { id: 'evt_6', entitlementId: undefined }]],
  ] as const) {
    it(`finds ${what}`, () => {
      expect(deliveryViolations(log, accepted)).to.have.length(1);
    });
  }
});

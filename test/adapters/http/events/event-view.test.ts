import { expect } from 'chai';
import { eventView } from '../../../../adapters/http/events/event-view.ts';
import type { EntitlementEvent } from '../../../../core/entitlement/event/entitlement-event.ts';
import { anEvent, aSubscription, later, noon } from '../../../support/builders.ts';

function dataOf(overrides: Partial<EntitlementEvent>): object {
  return (eventView(anEvent(aSubscription(), overrides)) as { readonly data: object }).data;
}

describe('the reasons that an event shows', () => {
  const revoked = anEvent(aSubscription({ hold: { kind: 'revoked', at: noon } })).entitlement;
  const rows: readonly (readonly [string, Partial<EntitlementEvent>, object])[] = [
    ['of a suspension', { type: 'entitlement.suspended', reason: 'disputed' }, { reason: 'disputed' }],
    ['of a grant that is suspended', { type: 'entitlement.granted', reason: 'unpaid' }, { reason: 'unpaid' }],
    ['of a change without one', { type: 'entitlement.suspended', reason: null }, {}],
    [
      'of a revocation for a refund',
      { type: 'entitlement.ended', reason: 'refunded', entitlement: revoked },
      { reason: 'revoked', cause: 'refunded' },
    ],
    [
      'of a revocation by an operator',
      { type: 'entitlement.ended', reason: null, entitlement: revoked },
      { reason: 'revoked' },
    ],
    [
      'of an end that is near',
      { type: 'entitlement.ending_soon', ending: { reason: 'trial', endsAt: later(1) } },
      { reason: 'trial' },
    ],
    ['of a device', { type: 'device.released', device: { id: 'd', reason: 'idle' } }, { reason: 'idle' }],
  ];
  for (const [title, overrides, shown] of rows) {
    it(`are those ${title}`, () => {
      const { reason, cause } = dataOf(overrides) as { readonly reason?: string; readonly cause?: string };
      expect({ ...(reason && { reason }), ...(cause && { cause }) }).to.deep.equal(shown);
    });
  }
});

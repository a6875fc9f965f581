import { expect } from 'chai';
import { eventTypeOf, eventTypes } from '../../../../core/entitlement/event/event-type.ts';
import { historyOperations } from '../../../../core/entitlement/history-entry.ts';

describe('eventTypes', () => {
  it('names each type once', () => {
    expect(eventTypes).to.deep.equal([
      'entitlement.granted',
      'entitlement.renewed',
      'entitlement.tier_changed',
      'entitlement.cancellation_scheduled',
      'entitlement.cancellation_undone',
      'entitlement.past_due',
      'entitlement.suspended',
      'entitlement.reinstated',
      'entitlement.ended',
      'license.rotated',
      'license.moved',
      'license.revoked',
      'entitlement.allowance_changed',
      'entitlement.ending_soon',
      'device.activated',
      'device.released',
    ]);
  });

  it('are the types of the operations of the history, that of an end which the clock announces, and those of devices', () => {
    const others = ['entitlement.ending_soon', 'device.activated', 'device.released'];
    const types = [...historyOperations.map(eventTypeOf), ...others];
    expect([...new Set(types)]).to.have.members(eventTypes);
    expect(eventTypeOf('imported')).to.equal('entitlement.granted');
    expect(eventTypeOf('revoked')).to.equal('entitlement.ended');
  });
});

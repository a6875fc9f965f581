import { expect } from 'chai';
import * as fc from 'fast-check';
import { addInterval } from '../../../adapters/calendar/utc-calendar.ts';
import { grantOfTarget } from '../../../core/entitlement/aligned-grant.ts';
import { decideAlignment } from '../../../core/entitlement/alignment.ts';
import { decideGrant } from '../../../core/entitlement/grant.ts';
import { aLicense, aSubscription, hour, later, noon } from '../../support/builders.ts';
import { aTarget, instants, targets } from '../../support/random-entitlements.ts';

const beside = { productId: 'prod_1', reference: 'cs_1', grace: hour };
const made = { id: 'sub_1', license: aLicense() };

describe('the grant of a target', () => {
  it('makes an entitlement that an alignment to the same target leaves as it is', () => {
    const decisions = new Set<string>();
    fc.assert(
      fc.property(targets, instants, (target, now) => {
        const grant = grantOfTarget(target, beside, now);
        expect(grant === null).to.equal(target.tier === null || target.endedAt !== null);
        const decision = grant && decideGrant(grant, made, now, addInterval);
        if (decision?.kind !== 'granted') return;
        expect(decideAlignment(target, decision.entitlement, now)).to.deep.equal({ kind: 'unchanged' });
        decisions.add(decision.entitlement.hold.kind);
      }),
      { numRuns: 2000 },
    );
    expect([...decisions]).to.have.members(['none', 'suspended']);
  });

  it('has every member in one write', () => {
    const cancellation = { kind: 'at', at: later(hour), requestedAt: later(-hour) } as const;
    const grant = grantOfTarget(aTarget({ standing: 'past_due', isSuspended: true, cancellation }), beside, noon);
    expect(grant && decideGrant(grant, made, noon, addInterval)).to.deep.equal({
      kind: 'granted',
      entitlement: aSubscription({
        ...made,
        standing: 'past_due',
        hold: { kind: 'suspended', causes: ['payment'] },
        graceUntil: new Date(aSubscription().currentPeriodEnd.getTime() + hour),
        cancellation: { at: later(hour), requestedAt: later(-hour) },
        reference: 'cs_1',
        createdAt: noon,
        updatedAt: noon,
        nextEventAt: null,
      }),
    });
  });

  it('asks for a cancellation now if nothing says when, and for none that is on its way', () => {
    const cancellations = [{ kind: 'at', at: later(1), requestedAt: null }, { kind: 'keep' }] as const;
    const grants = cancellations.map((cancellation) => grantOfTarget(aTarget({ cancellation }), beside, noon));
    expect(grants.map((grant) => grant?.kind === 'subscription' && grant.cancellation)).to.deep.equal([
      { at: later(1), requestedAt: noon },
      null,
    ]);
  });
});

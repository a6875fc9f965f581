import { expect } from 'chai';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryAllEntitlements } from '../../../../adapters/memory/memory-all-entitlements.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import { applyDecision } from '../../../../core/entitlement/administration/apply-decision.ts';
import type { EntitlementDecision } from '../../../../core/entitlement/entitlement-decision.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { aCall, aLicense, aSubscription, changed, granted } from '../../../support/builders.ts';
import { failing, InjectedFault } from '../../../support/failing.ts';
import { refusalOf, thrownBy } from '../../../support/thrown.ts';

describe('applyDecision', () => {
  const { newEventId } = nodePlatform;
  const seen = aSubscription();
  const change: EntitlementDecision = { kind: 'changed', next: changed(seen), operation: 'cancellation_scheduled' };
  let entitlements: MemoryAllEntitlements;

  beforeEach(async () => {
    entitlements = new MemoryAllEntitlements(new MemoryStore());
    await entitlements.add(granted([seen]), aCall());
  });

  it('reads nothing once the deadline has passed', async () => {
    const unread = failing<AllEntitlements>(entitlements, { method: 'find', nth: 1, when: 'before' });
    const late = aCall({ deadline: { remaining: () => 0 } });
    const refused = await refusalOf(applyDecision(unread, newEventId)('ent_1', () => change, late));
    expect(refused).to.deep.equal({ code: 'changed_meanwhile', details: {} });
  });

  it('decides as long as a millisecond is left', async () => {
    const soon = aCall({ deadline: { remaining: () => 1 } });
    const { snapshot } = await applyDecision(entitlements, newEventId)('ent_1', () => change, soon);
    expect(snapshot).to.deep.equal(snapshotAt(changed(seen), soon.now));
  });

  it('writes nothing if the decision changes nothing', async () => {
    const unwritable = failing<AllEntitlements>(entitlements, { method: 'replace', nth: 1, when: 'before' });
    const { versionBefore } = await applyDecision(unwritable, newEventId)(
      'ent_1',
      () => ({ kind: 'unchanged' }),
      aCall(),
    );
    expect(versionBefore).to.equal(1);
    const error = await thrownBy(applyDecision(unwritable, newEventId)('ent_1', () => change, aCall()));
    expect(error).to.be.instanceOf(InjectedFault);
  });

  it('refuses a license that another entitlement has', async () => {
    await entitlements.add(granted([aSubscription({ id: 'ent_2', license: aLicense() })]), aCall());
    const taken: EntitlementDecision = {
      kind: 'changed',
      next: { ...changed(seen), license: aLicense() },
      operation: 'license_rotated',
    };
    const refused = await refusalOf(applyDecision(entitlements, newEventId)('ent_1', () => taken, aCall()));
    expect(refused).to.deep.equal({ code: 'license_key_exists', details: {} });
    expect(await entitlements.find('ent_1')).to.deep.equal(seen);
  });
});

import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import { changeCancellation } from '../../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import {
  aCall,
  aGrant,
  aLicense,
  aOneTimePurchase,
  aSubscription,
  day,
  granted,
  hour,
  later,
  noon,
} from '../../../support/builders.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const grant = aGrant({ grace: day });

describe('what an operator is shown of an entitlement', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);
  beforeEach(() => store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall()));

  it('has the reference, the end of the grace and the license without its digest', async () => {
    const license = aLicense({ lastFour: 'wxyz', revokedAt: later(1) });
    const one = aSubscription({ reference: 'sub_1', license });
    await store().allEntitlements.add(granted([one, aOneTimePurchase({ id: 'ent_2' })]), aCall());
    const { digest: _, ...shown } = license;
    expect(await administration().showEntitlement('ent_1', aCall())).to.deep.equal({
      ...snapshotAt(one, noon),
      reference: 'sub_1',
      graceUntil: one.graceUntil,
      license: shown,
      suspendedBy: [],
      own: { deviceLimit: null, features: {} },
    });
    const purchase = await administration().showEntitlement('ent_2', aCall());
    expect([purchase.graceUntil, purchase.license]).to.deep.equal([null, null]);
  });

  it('is as a change would be decided on, after an end that has its event, however slow the clock is', async () => {
    const license = aLicense();
    const ends = { currentPeriodEnd: later(hour), graceUntil: later(2 * hour) };
    const told = aSubscription({ ...ends, license, reference: 'sub_1', nextEventAt: null });
    const untold = { ...told, id: 'ent_2', productId: 'prod_2', license: null, nextEventAt: later(hour) };
    await store().products.add({ id: 'prod_2', name: 'Two', createdAt: noon }, aCall());
    await store().allEntitlements.add(granted([told, untold]), aCall());
    const { findPurchase, showEntitlement, showPurchase } = administration();
    const { status, endedAt } = await showEntitlement('ent_1', aCall());
    expect([status, endedAt]).to.deep.equal(['expired', later(2 * hour)]);
    expect((await showEntitlement('ent_2', aCall())).status).to.equal('active');
    expect((await showPurchase('ent_1', aCall())).entitlement.status).to.equal('expired');
    const found = await findPurchase('sub_1', false, aCall());
    const statuses = found.kind === 'several' ? found.entitlements.map((each) => each.status) : found.kind;
    expect(statuses).to.deep.equal(['expired', 'active']);
  });

  it('names in its history what each change was', async () => {
    const { grantEntitlement, putEntitlement, importEntitlements, runEntitlementCommand } = administration();
    const written = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;
    await grantEntitlement({ id: 'granted', grant, licenseKey: null }, aCall());
    await putEntitlement({ id: 'put', written, licenseKey: null }, aCall());
    await importEntitlements([{ id: 'imported', grant, licenseKey: null }], aCall());
    const tier = { tierId: 'team', tierName: 'Team', billingInterval: null, billingIntervalCount: null, grace: null };
    for (const currentPeriodEnd of [null, later(90 * day)])
      await runEntitlementCommand('put', { kind: 'change-tier', ...tier, currentPeriodEnd }, aCall());
    await administration().rotateLicense('put', null, aCall());
    await administration().revokeLicense('put', aCall());
    expect(await operationsOf('granted')).to.deep.equal(['granted']);
    expect(await operationsOf('imported')).to.deep.equal(['imported']);
    expect(await operationsOf('put')).to.deep.equal([
      'granted',
      'tier_changed',
      'tier_changed',
      'license_rotated',
      'license_revoked',
    ]);
  });

  it('has no entry for a cancellation that was scheduled already', async () => {
    await store().allEntitlements.add(granted([aSubscription()]), aCall());
    const change = changeCancellation(store().entitlements, store().idempotencyRecords, nodePlatform.newEventId);
    for (const idempotencyKey of ['key-00000001', 'key-00000002']) {
      await change({ operation: 'cancel', entitlementId: 'ent_1', productId: 'prod_1', idempotencyKey }, aCall());
    }
    expect((await operationsOf('ent_1')).slice(1)).to.deep.equal(['cancellation_scheduled']);
  });

  it('has no history of an unknown entitlement', async () => {
    const { code } = await refusalOf(administration().showHistory('unknown', aCall()));
    expect(code).to.equal('entitlement_not_found');
  });

  /** The operations of the history, the oldest first. */
  async function operationsOf(id: string): Promise<readonly string[]> {
    const history = await administration().showHistory(id, aCall());
    return history.map(({ operation }) => operation).toReversed();
  }
});

import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import type { WrittenGrant } from '../../../../core/entitlement/written-grant.ts';
import { aCall, aSubscription, day, granted, hour, later, noon } from '../../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../../support/failing.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';
import { refusalOf, thrownBy } from '../../../support/thrown.ts';

const written: WrittenGrant = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', billingInterval: 'month' };
const whole: WrittenGrant = {
  ...written,
  billingIntervalCount: 2,
  currentPeriodStart: noon,
  currentPeriodEnd: later(30 * day),
  status: 'trialing',
  grace: hour,
  reference: 'sub_1',
};
const licenseKey = 'a key of the caller’s own making';

describe('putting an entitlement', () => {
  const store = freshStore(memory.open);
  const administration = (): Administration => administrationOf(store(), nodePlatform);
  beforeEach(() => store().products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall()));

  it('grants it, and shows the key once', async () => {
    const first = await put({ written });
    expect(first.outcome).to.equal('granted');
    expect(first.licenseKey).to.match(/^LK-/);
    const history = await administration().showHistory('ent_1', aCall());
    expect(history.map(({ operation }) => operation)).to.deep.equal(['granted']);
    const again = await put({ written }, later(day));
    expect(again).to.deep.equal({ ...first, licenseKey: null, outcome: 'unchanged' });
  });

  it('is the same again with everything given, even when the period is over', async () => {
    const first = await put({ written: whole, licenseKey });
    expect(first.licenseKey).to.equal(licenseKey);
    const again = await put({ written: whole, licenseKey }, later(60 * day));
    expect([again.licenseKey, again.outcome, again.entitlement.version]).to.deep.equal([null, 'unchanged', 1]);
  });

  const others: readonly (readonly [string, Partial<WrittenGrant>])[] = [
    ['productId', { productId: 'prod_2' }],
    ['tierId', { tierId: 'team' }],
    ['tierName', { tierName: 'Team' }],
    ['billingInterval', { billingInterval: 'year' }],
    ['billingIntervalCount', { billingIntervalCount: 1 }],
    ['currentPeriodStart', { currentPeriodStart: later(1) }],
    ['currentPeriodEnd', { currentPeriodEnd: later(31 * day) }],
    ['status', { status: 'active' }],
    ['grace', { grace: 2 * hour }],
    ['reference', { reference: 'sub_2' }],
  ];
  for (const [member, other] of others) {
    it(`refuses the id with another ${member}`, async () => {
      await put({ written: whole, licenseKey });
      expect((await refusalOf(put({ written: { ...whole, ...other }, licenseKey }))).code).to.equal(
        'entitlement_exists',
      );
    });
  }

  it('refuses the id with another license key', async () => {
    await put({ written: whole, licenseKey });
    const { code } = await refusalOf(put({ written: whole, licenseKey: licenseKey.toUpperCase() }));
    expect(code).to.equal('entitlement_exists');
  });

  it('is the same again for a purchase, which no subscription equals', async () => {
    const purchase: WrittenGrant = { ...written, billingInterval: 'one_time', reference: 'order_1' };
    const first = await put({ written: purchase, licenseKey });
    expect(first.outcome).to.equal('granted');
    expect(await put({ written: purchase, licenseKey })).to.deep.equal({
      ...first,
      licenseKey: null,
      outcome: 'unchanged',
    });
    expect((await refusalOf(put({ written: { ...purchase, billingInterval: 'month' } }))).code).to.equal(
      'entitlement_exists',
    );
    const { code, details } = await refusalOf(put({ written: { ...purchase, grace: hour } }));
    const message = 'grace cannot be combined with billingInterval one_time, which has no intervals.';
    expect([code, details]).to.deep.equal(['not_for_a_purchase', { message }]);
  });

  it('repeats a purchase with an end and with updates, whichever name the end has, and no other', async () => {
    const purchase: WrittenGrant = { ...written, billingInterval: 'one_time', updatesUntil: later(hour) };
    const first = await put({ written: { ...purchase, accessEndsAt: later(hour) } });
    expect(first.entitlement).to.deep.include({ accessEndsAt: later(hour), updatesUntil: later(hour) });
    for (const end of [{ accessEndsAt: later(hour) }, { currentPeriodEnd: later(hour) }, {}]) {
      expect((await put({ written: { ...purchase, ...end } })).outcome).to.equal('unchanged');
    }
    for (const other of [{ accessEndsAt: later(1) }, { currentPeriodEnd: later(1) }, { updatesUntil: later(1) }]) {
      const { code } = await refusalOf(put({ written: { ...purchase, ...other } }));
      expect(code).to.equal('entitlement_exists');
    }
  });

  it('refuses the id of an entitlement without a license if a key is given', async () => {
    await store().allEntitlements.add(granted([aSubscription({ tierId: 'pro', tierName: 'Pro' })]), aCall());
    expect((await put({ written })).outcome).to.equal('unchanged');
    expect((await refusalOf(put({ written, licenseKey }))).code).to.equal('entitlement_exists');
  });

  it('refuses what another entitlement has, an unknown product, an empty period, and an end of a purchase', async () => {
    await put({ written: whole, licenseKey });
    const codes = [];
    for (const request of [
      { id: 'ent_2', written: { ...written, reference: 'sub_1' } },
      { id: 'ent_2', written, licenseKey },
      { id: 'ent_2', written: { ...written, productId: 'prod_2' } },
      { id: 'ent_2', written: { ...written, currentPeriodEnd: noon } },
      { id: 'ent_2', written: { ...whole, billingInterval: 'one_time' as const } },
      { id: 'ent_2', written: { ...written, accessEndsAt: later(9) } },
      { id: 'ent_2', written, licenseKey: 'short' },
    ]) {
      codes.push((await refusalOf(put(request))).code);
    }
    expect(codes).to.deep.equal([
      'reference_exists',
      'license_key_exists',
      'product_not_found',
      'period_end_too_early',
      'not_for_a_purchase',
      'not_for_a_subscription',
      'invalid_license_key',
    ]);
    expect(await entitlementsIn(store())).to.have.lengthOf(1);
  });

  it('grants once for twenty equal requests at once, with a key, a reference and everything', async () => {
    const answers = await Promise.all(range(20).map(() => put({ written: whole, licenseKey })));
    expect(answers.filter(({ outcome }) => outcome === 'granted')).to.have.lengthOf(1);
    expect(answers.filter((answer) => answer.licenseKey !== null)).to.have.lengthOf(1);
    expect(new Set(answers.map(({ entitlement }) => JSON.stringify(entitlement))).size).to.equal(1);
    expect(await administration().showHistory('ent_1', aCall())).to.have.lengthOf(1);
  });

  for (const when of moments) {
    it(`can be repeated if the write failed ${when} it took effect`, async () => {
      const allEntitlements = failing(store().allEntitlements, { method: 'add', nth: 1, when });
      const { putEntitlement } = administrationOf({ ...store(), allEntitlements }, nodePlatform);
      const request = { id: 'ent_1', written, licenseKey };
      expect(await thrownBy(putEntitlement(request, aCall()))).to.be.instanceOf(InjectedFault);
      const again = await putEntitlement(request, aCall());
      expect(again.outcome).to.equal(when === 'before' ? 'granted' : 'unchanged');
      expect(await entitlementsIn(store())).to.have.lengthOf(1);
    });
  }

  for (const read of [
    { method: 'find', nth: 1 },
    { method: 'find', nth: 2 },
    { method: 'page', nth: 1 },
    { method: 'all', nth: 1 },
  ] as const) {
    it(`grants nothing, whose key would be lost, if tiers cannot be read: ${read.method} ${read.nth}`, async () => {
      const { putEntitlement } = administrationOf(
        { ...store(), tiers: failing(store().tiers, { ...read, when: 'before' }) },
        nodePlatform,
      );
      const request = { id: 'ent_1', written, licenseKey: null };
      expect(await thrownBy(putEntitlement(request, aCall()))).to.be.instanceOf(InjectedFault);
      expect(await entitlementsIn(store())).to.deep.equal([]);
      expect((await putEntitlement(request, aCall())).licenseKey).to.match(/^LK-/);
    });
  }

  function put(
    request: { readonly id?: string; readonly written: WrittenGrant; readonly licenseKey?: string },
    now = noon,
  ) {
    const { id = 'ent_1', licenseKey: key = null } = request;
    return administration().putEntitlement({ id, written: request.written, licenseKey: key }, aCall({ now }));
  }
});

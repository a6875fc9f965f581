import { expect } from 'chai';
import {
  allowanceKnown,
  allowanceOf,
  ownLimitOf,
  readTier,
  readTiers,
  tierIn,
  tierTable,
  unknownTier,
  withoutTiers,
} from '../../../core/tier/allowance.ts';
import { tierEvent } from '../../../core/tier/tier-event.ts';
import {
  areSameTerms,
  isDeclared,
  shownTerms,
  termsOf,
  type DeclaredTier,
  type Tier,
} from '../../../core/tier/tier.ts';
import { aCall, aSubscription, day, hour } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

const pro: DeclaredTier = {
  productId: 'prod_1',
  id: 'pro',
  terms: { deviceLimit: 3, features: { seats: 5, sso: true }, trial: null },
  revision: 7,
};
const deleted: Tier = { ...pro, terms: null };
const ofTier = { deviceLimit: null, features: {} };

describe('the allowance of an entitlement', () => {
  it('is that of its tier, unless it has a value of its own', () => {
    expect(allowanceOf(ofTier, pro)).to.deep.equal({
      deviceLimit: 3,
      features: { seats: 5, sso: true },
      tierRevision: 7,
    });
    expect(allowanceOf({ deviceLimit: 9, features: { api: true, seats: 50 } }, pro)).to.deep.equal({
      deviceLimit: 9,
      features: { api: true, seats: 50, sso: true },
      tierRevision: 7,
    });
    expect(allowanceOf({ deviceLimit: 'unlimited', features: {} }, pro).deviceLimit).to.equal(null);
  });

  it('is its own where the tier is not declared, or not any more', () => {
    for (const tier of [null, deleted]) {
      expect(allowanceOf(ofTier, tier)).to.deep.equal({ deviceLimit: null, features: {}, tierRevision: null });
      expect(allowanceOf({ deviceLimit: 2, features: { api: true } }, tier)).to.deep.equal({
        deviceLimit: 2,
        features: { api: true },
        tierRevision: null,
      });
    }
  });

  it('has an own limit as a number, but for none and for that of the tier', () => {
    expect([ownLimitOf(4), ownLimitOf('unlimited'), ownLimitOf(null)]).to.deep.equal([4, null, null]);
  });

  it('follows from the tier of its own product', async () => {
    const table = tierTable([pro, { ...pro, productId: 'prod_2', revision: 8 }, { ...pro, id: 'team', revision: 9 }]);
    const revisionIn = (productId: string, tierId: string) => tierIn(table, { productId, tierId })?.revision ?? null;
    expect([revisionIn('prod_1', 'pro'), revisionIn('prod_2', 'pro'), revisionIn('prod_1', 'team')]).to.deep.equal([
      7, 8, 9,
    ]);
    expect([revisionIn('prod_2', 'team'), revisionIn('prod_1', 'solo')]).to.deep.equal([null, null]);
    const known = async () => table;
    expect(await allowanceKnown(known, aSubscription({ productId: 'prod_2' }), aCall())).to.include({
      tierRevision: 8,
    });
    expect(await allowanceKnown(withoutTiers.knownTiers, aSubscription(), aCall())).to.deep.equal({
      deviceLimit: null,
      features: {},
      tierRevision: null,
    });
  });
});

describe('a tier that is not declared', () => {
  const store = freshStore(memory.open);
  const call = aCall();
  const put = (tier: Tier) =>
    store().tiers.replace(
      tier,
      tierEvent(null, tier, call, () => `evt_${tier.id}`),
      call,
    );
  const looked = (productId: string, tierId: string) =>
    unknownTier(
      { find: store().tiers.find.bind(store().tiers), page: store().tiers.page.bind(store().tiers) },
      { productId, tierId },
      call,
    );

  it('may be a mistake in a product that declares others', async () => {
    expect(await looked('prod_1', 'prou')).to.deep.equal({});
    await put({ ...pro, revision: 1 });
    expect(await looked('prod_1', 'prou')).to.deep.equal({ isUnknownTier: true });
    expect(await looked('prod_1', 'pro')).to.deep.equal({});
    expect(await looked('prod_2', 'prou')).to.deep.equal({});
    await put({ ...deleted, revision: 2 });
    expect(await looked('prod_1', 'pro')).to.deep.equal({});
  });

  it('is none when it was deleted', async () => {
    await put({ ...pro, revision: 1 });
    const of = { productId: 'prod_1', tierId: 'pro' };
    const known = readTiers(store().tiers);
    expect(await readTier(store().tiers, of, call)).to.deep.equal({ ...pro, revision: 1 });
    expect(tierIn(await known(call), of)).to.deep.equal({ ...pro, revision: 1 });
    await put({ ...deleted, revision: 2 });
    expect(await readTier(store().tiers, of, call)).to.equal(null);
    expect(tierIn(await known(call), of)).to.equal(null);
    expect([isDeclared(pro), isDeclared(deleted), isDeclared(null)]).to.deep.equal([true, false, false]);
  });

  it('has no page of others in a service without tiers', async () => {
    expect(await unknownTier(withoutTiers.tiers, { productId: 'prod_1', tierId: 'pro' }, call)).to.deep.equal({});
  });
});

describe('the terms of a tier', () => {
  it('are none where they are left out', () => {
    expect(termsOf({})).to.deep.equal({ deviceLimit: null, features: {}, trial: null });
    const terms = { deviceLimit: 2, features: { a: 1 }, trial: day };
    expect(termsOf(terms)).to.deep.equal(terms);
    expect(termsOf({ deviceLimit: null, features: null, trial: null })).to.deep.equal(termsOf({}));
  });

  it('are shown with the length of the trial as a text', () => {
    expect(shownTerms({ ...pro.terms, trial: 14 * day })).to.deep.equal({ ...pro.terms, trial: '14d' });
    expect(shownTerms({ ...pro.terms, trial: 36 * hour }).trial).to.equal('36h');
    expect(shownTerms(pro.terms)).to.deep.equal(pro.terms);
  });

  it('are the same only with all of them', () => {
    expect(areSameTerms(pro.terms, { ...pro.terms })).to.equal(true);
    for (const change of [{ deviceLimit: 4 }, { deviceLimit: null }, { features: {} }, { trial: day }])
      expect(areSameTerms(pro.terms, { ...pro.terms, ...change })).to.equal(false);
    expect(areSameTerms(null, null)).to.equal(true);
    expect([areSameTerms(null, pro.terms), areSameTerms(pro.terms, null)]).to.deep.equal([false, false]);
  });
});

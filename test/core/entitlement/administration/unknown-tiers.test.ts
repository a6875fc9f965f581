import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import type { EntitlementDraft } from '../../../../core/entitlement/administration/import-entitlements.ts';
import { aCall, aGrant, aProduct } from '../../../support/builders.ts';
import { aTarget } from '../../../support/random-entitlements.ts';
import { range } from '../../../support/range.ts';
import { interposed } from '../../../support/stores/interposed.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';

const call = aCall();
const terms = { deviceLimit: null, trial: null, features: {} };

const draft = (id: string, more: { readonly productId?: string; readonly tierId?: string }): EntitlementDraft => ({
  id,
  licenseKey: null,
  grant: aGrant(more),
});

describe('a tier that is not declared', () => {
  const store = freshStore(memory.open);
  let administration: Administration;
  let reads: string[];

  beforeEach(async () => {
    reads = [];
    const tiers = interposed(store().tiers, (method) => void reads.push(method));
    administration = administrationOf({ ...store(), tiers }, nodePlatform);
    for (const id of ['prod_1', 'prod_2']) await store().products.add(aProduct({ id }), call);
    await administration.putTier({ productId: 'prod_1', id: 'pro' }, terms, call);
    await administration.putTier({ productId: 'prod_1', id: 'gone' }, terms, call);
    await administration.deleteTier({ productId: 'prod_1', id: 'gone' }, call);
    reads = [];
  });

  it('is reported of each entitlement of an import and of its dry run, with one read of each tier', async () => {
    const drafts = [
      draft('known', {}),
      draft('unknown', { tierId: 'prou' }),
      draft('deleted', { tierId: 'gone' }),
      draft('elsewhere', { productId: 'prod_2', tierId: 'prou' }),
      draft('refused', { productId: 'prod_3', tierId: 'prou' }),
      draft('unknown', { tierId: 'prou' }),
      ...range(100).map((n) => draft(`many-${n}`, { tierId: 'prou' })),
    ];
    const [imported, warned] = [{ kind: 'imported' }, { kind: 'imported', isUnknownTier: true }];
    const expected = [
      imported,
      warned,
      warned,
      imported,
      { kind: 'refused', code: 'product_not_found' },
      { kind: 'refused', code: 'entitlement_exists' },
      ...range(100).map(() => warned),
    ];
    expect(await administration.dryRunOfEntitlements()(drafts, call)).to.deep.equal(expected);
    reads = [];
    expect(await administration.importEntitlements(drafts, call)).to.deep.equal(expected);
    expect(reads.toSorted()).to.deep.equal(['find', 'find', 'find', 'find', 'page', 'page']);
  });

  const mapped = async (productId: string, tierId: string): Promise<unknown> => {
    const mapping = { price: 'price_1', productId, tierId, tierName: 'Any', deviceLimit: null, updates: null };
    return (await administration.mapPrice(mapping, call)).isUnknownTier;
  };

  it('is reported of a price', async () => {
    expect([await mapped('prod_1', 'pro'), await mapped('prod_1', 'prou')]).to.deep.equal([undefined, true]);
    expect(await mapped('prod_1', 'prou'), 'mapped already').to.equal(true);
    expect([await mapped('prod_1', 'gone'), await mapped('prod_2', 'prou')]).to.deep.equal([true, undefined]);
  });

  it('is reported of an alignment that brings it, once, and of no other', async () => {
    await administration.grantEntitlement({ id: 'ent_1', grant: aGrant(), licenseKey: null }, call);
    const align = async (tierId: string | null, endedAt: Date | null = null): Promise<readonly unknown[]> => {
      const seen = await administration.findEntitlement('ent_1', call);
      if (seen === null) throw new Error('it was granted');
      reads = [];
      const target = aTarget({ tier: tierId === null ? null : { tierId, tierName: 'Any' }, endedAt });
      const outcome = await administration.alignEntitlement(seen, target, call);
      return [outcome.kind, 'isUnknownTier' in outcome && outcome.isUnknownTier];
    };
    expect(await align('prou')).to.deep.equal(['changed', true]);
    expect(await align('prou')).to.deep.equal(['unchanged', false]);
    expect(reads.filter((method) => method !== 'all')).to.deep.equal([]);
    expect(await align('pro')).to.deep.equal(['changed', false]);
    expect(await align(null)).to.deep.equal(['unchanged', false]);
    expect(await align('prou', call.now)).to.deep.equal(['changed', false]);
  });
});

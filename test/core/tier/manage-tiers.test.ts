import { expect } from 'chai';
import type { Call } from '../../../core/call.ts';
import { deleteTier, everyTier, listTiers, putTier, saveTier, showTier } from '../../../core/tier/manage-tiers.ts';
import { tierEvent } from '../../../core/tier/tier-event.ts';
import type { Tier, TierTerms } from '../../../core/tier/tier.ts';
import { aCall, aProduct, day, deadlineIn, noon } from '../../support/builders.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { logIn } from '../../support/stores/event-log.ts';
import { interposed } from '../../support/stores/interposed.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

const pro = { productId: 'prod_1', id: 'pro' };
const terms: TierTerms = { deviceLimit: 3, features: { sso: true }, trial: null };
const more: TierTerms = { ...terms, deviceLimit: 5 };
const call = aCall();

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

describe('the management of tiers', () => {
  const store = freshStore(memory.open);
  let newId: () => string;
  beforeEach(async () => {
    newId = countingIds();
    await store().products.add(aProduct(), call);
    await store().products.add(aProduct({ id: 'prod_2' }), call);
  });

  const put = (name = pro, to = terms, own: Call = call) =>
    putTier(store().tiers, store().products, newId)(name, to, own);
  const save = (to: TierTerms, seen: number | null) =>
    saveTier(store().tiers, store().products, newId)(pro, to, seen, call);
  const remove = (own: Call = call) => deleteTier(store().tiers, newId)(pro, own);

  it('saves a tier that is as it was seen, and refuses to overwrite another one', async () => {
    expect(await codeOf(save(terms, 1))).to.equal('changed_meanwhile');
    expect((await save(terms, null)).outcome).to.equal('added');
    expect(await codeOf(save(more, null))).to.equal('changed_meanwhile');
    expect(await save(more, 1)).to.deep.equal({ tier: { ...pro, terms: more, revision: 2 }, outcome: 'replaced' });
    expect(await codeOf(save(terms, 1))).to.equal('changed_meanwhile');
    expect((await save(more, 1)).outcome).to.equal('unchanged');
    await remove();
    expect(await codeOf(save(more, 3))).to.equal('changed_meanwhile');
    expect(await save(more, null)).to.deep.equal({ tier: { ...pro, terms: more, revision: 4 }, outcome: 'added' });
  });

  it('lets one tier of a product have a trial', async () => {
    const trial = { ...terms, trial: 14 * day };
    await put(pro, trial);
    expect((await put(pro, { ...trial, deviceLimit: 1 })).outcome).to.equal('replaced');
    const team = { productId: 'prod_1', id: 'team' };
    expect(await codeOf(put(team, trial))).to.equal('trial_exists');
    expect(await store().tiers.find('prod_1', 'team', call)).to.equal(null);
    expect((await put(team, terms)).outcome).to.equal('added');
    expect((await put({ productId: 'prod_2', id: 'pro' }, trial)).outcome).to.equal('added');
    await put(pro, terms);
    expect((await put(team, trial)).outcome).to.equal('replaced');
  });

  it('shows and deletes what is declared', async () => {
    const show = showTier(store().tiers);
    expect(await codeOf(show(pro, call))).to.equal('tier_not_found');
    expect(await remove()).to.equal(false);
    await put();
    expect(await show(pro, call)).to.deep.equal({ ...pro, terms, revision: 1 });
    expect(await remove()).to.equal(true);
    expect(await codeOf(show(pro, call))).to.equal('tier_not_found');
    expect(await remove()).to.equal(false);
    expect((await logIn(store(), 'prod_1')).map(({ event }) => event.sequence)).to.deep.equal([1, 2]);
  });

  it('lists and walks over the tiers of one product by id', async () => {
    for (const id of ['solo', 'pro', 'team']) await put({ productId: 'prod_1', id });
    await put({ productId: 'prod_2', id: 'other' });
    const list = listTiers(store().tiers, store().products);
    const first = await list('prod_1', { after: null, limit: 2 }, call);
    const last = await list('prod_1', { after: first.next, limit: 2 }, call);
    expect([first, last].map(({ items }) => items.map(({ id }) => id))).to.deep.equal([['pro', 'solo'], ['team']]);
    expect(last.next).to.equal(null);
    const foreign = list('prod_2', { after: first.next, limit: 2 }, call);
    expect(await codeOf(foreign)).to.equal('invalid_parameter');
    expect(await codeOf(list('prod_9', { after: null, limit: 2 }, call))).to.equal('product_not_found');
    const every = everyTier(store().tiers, store().products);
    const ids = await Array.fromAsync(
      every('prod_1', () => call),
      ({ id }) => id,
    );
    expect(ids).to.deep.equal(['pro', 'solo', 'team']);
    expect(await codeOf(Array.fromAsync(every('prod_9', () => call)))).to.equal('product_not_found');
  });

  it('walks over more tiers than one read has', async () => {
    for (const number of range(201)) await put({ productId: 'prod_1', id: `tier-${number + 1000}` });
    const every = everyTier(store().tiers, store().products)('prod_1', () => call);
    const ids = await Array.fromAsync(every, ({ id }) => id);
    expect(ids).to.deep.equal(range(201).map((number) => `tier-${number + 1000}`));
  });

  it('reads again where another has written first, and gives up at the deadline', async () => {
    await put();
    let races = 1;
    const raced = interposed(store().tiers, async (method) => {
      if (method !== 'replace' || races === 0) return;
      races -= 1;
      const seen = await store().tiers.find('prod_1', 'pro', call);
      const revision = (seen?.revision ?? 0) + 1;
      const next: Tier = { ...pro, terms: { ...terms, deviceLimit: 100 + revision }, revision };
      await store().tiers.replace(next, tierEvent(seen, next, call, newId), call);
    });
    const answer = await putTier(raced, store().products, newId)(pro, more, call);
    expect(answer).to.deep.equal({ tier: { ...pro, terms: more, revision: 3 }, outcome: 'replaced' });
    races = 1;
    expect(await deleteTier(raced, newId)(pro, call)).to.equal(true);
    expect(await store().tiers.find('prod_1', 'pro', call)).to.deep.equal({ ...pro, terms: null, revision: 5 });
    const late = aCall({ deadline: deadlineIn(0) });
    expect(await codeOf(put(pro, more, late))).to.equal('changed_meanwhile');
    expect(await codeOf(remove(late))).to.equal('changed_meanwhile');
  });

  it('says in the event who has changed what', async () => {
    await put();
    const by = 'operator:opk_1';
    await put(pro, more, aCall({ by, correlationId: 'of-this-change' }));
    const [, placed] = await logIn(store(), 'prod_1');
    expect(placed?.event).to.deep.equal({
      id: placed?.event.id,
      type: 'tier.changed',
      at: noon,
      sequence: 2,
      by,
      correlationId: 'of-this-change',
      productId: 'prod_1',
      tierId: 'pro',
      tier: more,
      previous: terms,
    });
  });
});

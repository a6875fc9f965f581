import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../adapters/crypto/signing.ts';
import type { Actor, Call } from '../../../core/call.ts';
import { checkStore } from '../../../core/check/check-store.ts';
import { readFeed } from '../../../core/feed/read-feed.ts';
import { Refusal } from '../../../core/refusal.ts';
import { deleteTier, listTiers, putTier, showTier } from '../../../core/tier/manage-tiers.ts';
import { tierEvent } from '../../../core/tier/tier-event.ts';
import { shownTier, type Tier, type TierTerms } from '../../../core/tier/tier.ts';
import { aCall, aProduct, aSubscription, granted, later } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { countingIds } from '../../support/random-entitlements.ts';
import { range } from '../../support/range.ts';
import { logIn } from '../../support/stores/event-log.ts';
import { beside, freshStore, type OpenedStore, type OpenStore } from '../../support/stores/stores.ts';

const terms: TierTerms = { deviceLimit: 3, trial: null, features: { projects: 20, sso: true, theme: 'dark' } };
const none: TierTerms = { deviceLimit: null, trial: null, features: {} };
const pro = { productId: 'prod_1', id: 'pro' };
const by: Actor = 'operator:opk_1';

const call = (seconds = 0): Call => aCall({ by, now: later(seconds * 1000), correlationId: 'tiers-of-tests' });
const tierAt = (deviceLimit: number, revision: number): Tier => ({
  ...pro,
  terms: { ...terms, deviceLimit },
  revision,
});

/** The contract of `Tiers`, and of the use cases that declare tiers over it. */
export function tiersContract(open: OpenStore): void {
  describe('Tiers', () => {
    const store = freshStore(open);
    let newId = countingIds();
    const put = (name = pro, to = terms, seconds = 0, opened: OpenedStore = store()) =>
      putTier(opened.tiers, opened.products, newId)(name, to, call(seconds));
    const remove = (name = pro, seconds = 0) => deleteTier(store().tiers, newId)(name, call(seconds));

    beforeEach(async () => {
      newId = countingIds();
      await store().products.add(aProduct({ id: 'prod_1' }), aCall());
      await store().products.add(aProduct({ id: 'prod_2' }), aCall());
    });

    it('stores each member of a tier, with an event of the product that no entitlement has', async () => {
      expect(await put()).to.deep.equal({ tier: { ...pro, terms, revision: 1 }, outcome: 'added' });
      expect(await store().tiers.find('prod_1', 'pro', aCall())).to.deep.equal({ ...pro, terms, revision: 1 });
      expect(await store().tiers.find('prod_2', 'pro', aCall())).to.equal(null);
      const [placed, ...others] = await logIn(store(), 'prod_1');
      expect(others).to.deep.equal([]);
      expect(placed).to.deep.equal({
        position: 1,
        event: {
          id: placed?.event.id,
          type: 'tier.changed',
          at: later(0),
          sequence: 1,
          by,
          correlationId: 'tiers-of-tests',
          productId: 'prod_1',
          tierId: 'pro',
          tier: terms,
          previous: null,
        },
      });
    });

    it('changes nothing when a tier is put again, and counts on behind a deletion', async () => {
      await put();
      expect((await put()).outcome).to.equal('unchanged');
      expect((await put(pro, none, 1)).outcome).to.equal('replaced');
      expect(await remove(pro, 2)).to.equal(true);
      expect(await remove(pro, 3)).to.equal(false);
      expect(await store().tiers.find('prod_1', 'pro', aCall())).to.deep.equal({ ...pro, terms: null, revision: 3 });
      expect((await put(pro, terms, 4)).tier.revision).to.equal(4);
      const log = await logIn(store(), 'prod_1');
      expect(log.map(({ event }) => [event.sequence, 'tier' in event && [event.previous, event.tier]])).to.deep.equal([
        [1, [null, terms]],
        [2, [terms, none]],
        [3, [none, null]],
        [4, [null, terms]],
      ]);
    });

    it('lists the declared tiers of a product by id in code-point order', async () => {
      for (const id of inCodePointOrder.toReversed()) await put({ productId: 'prod_1', id });
      await put({ productId: 'prod_2', id: 'other' });
      const [deleted = '', ...left] = inCodePointOrder;
      await remove({ productId: 'prod_1', id: deleted });
      const list = listTiers(store().tiers, store().products);
      const found: string[] = [];
      for (let after: string | null = null; ;) {
        const page = await list('prod_1', { limit: 2, after }, aCall());
        found.push(...page.items.map(({ id }) => id));
        after = page.next;
        if (after === null) break;
      }
      expect(found).to.deep.equal(left);
      const all = await store().tiers.all(aCall());
      expect(all.map(({ productId, id }) => `${productId}/${id}`).toSorted()).to.deep.equal(
        [...left.map((id) => `prod_1/${id}`), 'prod_2/other'].toSorted(),
      );
      expect(shownTier(await showTier(store().tiers)({ productId: 'prod_2', id: 'other' }, aCall()))).to.deep.equal({
        id: 'other',
        ...terms,
        revision: 1,
      });
    });

    it('refuses a tier of no product, and one that is not declared', async () => {
      expect(await codeOf(put({ productId: 'prod_9', id: 'pro' }))).to.equal('product_not_found');
      expect(await codeOf(showTier(store().tiers)(pro, aCall()))).to.equal('tier_not_found');
      const list = listTiers(store().tiers, store().products)('prod_9', { limit: 2, after: null }, aCall());
      expect(await codeOf(list)).to.equal('product_not_found');
      expect(await logIn(store(), 'prod_1')).to.deep.equal([]);
    });

    it('stores one of two that have seen the same tier, without the event of the other', async () => {
      for (const revision of [1, 2]) {
        const outcomes = await beside(store(), (other) =>
          Promise.all(
            [store(), other].map((opened, index) => {
              const next = tierAt(index + 1, revision);
              return opened.tiers.replace(next, tierEvent(null, next, call(), newId), call());
            }),
          ),
        );
        expect(outcomes.map(({ kind }) => kind).toSorted()).to.deep.equal(['replaced', 'stale']);
        const kept = await store().tiers.find('prod_1', 'pro', aCall());
        expect(kept).to.deep.equal(tierAt(outcomes.findIndex(({ kind }) => kind === 'replaced') + 1, revision));
        expect(await logIn(store(), 'prod_1')).to.have.length(revision);
      }
      const late = tierAt(9, 2);
      expect(await store().tiers.replace(late, tierEvent(null, late, call(), newId), call())).to.deep.equal({
        kind: 'stale',
      });
    });

    it('lets 16 puts at once change it one after another, with one event each', async () => {
      const answers = await beside(store(), (other) =>
        Promise.all(range(16).map((n) => put(pro, { ...terms, deviceLimit: n + 1 }, 0, n % 2 === 0 ? store() : other))),
      );
      expect(answers.map(({ tier }) => tier.revision).toSorted((a, b) => a - b)).to.deep.equal(
        range(16).map((n) => n + 1),
      );
      expect(answers.filter(({ outcome }) => outcome === 'added')).to.have.length(1);
      const log = await logIn(store(), 'prod_1');
      expect(log.map(({ event }) => event.sequence)).to.deep.equal(range(16).map((n) => n + 1));
      const last = answers.find(({ tier }) => tier.revision === 16)?.tier;
      expect(await store().tiers.find('prod_1', 'pro', aCall())).to.deep.equal(last);
    });

    it('lets 16 equal puts at once change it once', async () => {
      const answers = await Promise.all(range(16).map(() => put()));
      expect(answers.map(({ outcome }) => outcome).toSorted()).to.deep.equal([
        'added',
        ...range(15).map(() => 'unchanged'),
      ]);
      expect(await logIn(store(), 'prod_1')).to.have.length(1);
    });

    it('is left out of the feed, which goes on behind what it leaves out', async () => {
      await put();
      await remove();
      await store().allEntitlements.add(granted([aSubscription({ sequence: 1 })]), aCall());
      await put();
      await store().settle();
      const read = readFeed(store().events);
      const first = await read('prod_1', { after: null, limit: 1 }, aCall());
      expect(first.events.map(({ event }) => event.type)).to.deep.equal(['entitlement.granted']);
      expect(first.hasMore).to.equal(true);
      const rest = await read('prod_1', { after: first.next, limit: 1 }, aCall());
      expect([rest.events, rest.hasMore]).to.deep.equal([[], false]);
      await put(pro, none);
      await store().settle();
      const onlyTiers = await read('prod_2', { after: null, limit: 1 }, aCall());
      expect([onlyTiers.events, onlyTiers.next, onlyTiers.hasMore]).to.deep.equal([[], '0-', false]);
      const again = await read('prod_1', { after: rest.next, limit: 1 }, aCall());
      expect([again.events, again.hasMore]).to.deep.equal([[], false]);
      expect(again.next).not.to.equal(rest.next);
    });

    it('passes the check, and is found if its events are missing', async () => {
      await put();
      await put({ productId: 'prod_1', id: 'team' });
      await remove();
      await store().settle();
      const check = async () =>
        (await checkStore(store(), digest, publicPartOf)(() => aCall())).filter((one) => one.check === 'events');
      expect(await check()).to.deep.equal([
        { check: 'events', ok: true, message: 'All 3 events are complete and in order.' },
      ]);
      const { archive } = store();
      if (archive === null) return;
      await archive.remove('tiers', ['prod_1 pro'], aCall());
      const team = { productId: 'prod_1', id: 'team', terms, revision: 2 };
      await archive.remove('tiers', ['prod_1 team'], aCall());
      await archive.insert([{ section: 'tiers', id: 'prod_1 team', value: team }], aCall());
      expect((await check()).map(({ message }) => message)).to.deep.equal([
        'Product prod_1 has events of tier pro, which does not exist.',
        'The last event of tier team of product prod_1 is missing: it has the sequence 2.',
      ]);
    });
  });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  throw new Error('nothing was refused');
}

import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { affiliatesCall } from '../../../core/affiliate/affiliate-links.ts';
import { hundredthsOf, percentRule } from '../../../core/affiliate/listing-terms.ts';
import { askForPromotion, type PutTerms } from '../../../core/affiliate/manage-promotions.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import { recountStorefronts } from '../../../core/affiliate/recount-storefronts.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { anAffiliate, aPromotion, aVersion, thirty } from '../../support/affiliates/builders.ts';
import { aCall, aListing, later } from '../../support/builders.ts';
import { failing, InjectedFault } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf, thrownBy } from '../../support/thrown.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => (await refusalOf(work)).code;

const place = { handle: 'ada', slug: 'sketchpad' };
const nothing: PutTerms = { commissionPercent: null, commissionFor: null, holdDays: null, codes: [] };
const offered = { commissionPercent: 2999, commissionFor: 12, holdDays: 14 } as const;
const ofOperator = { by: 'operator:opk_1' } as const;
const everything = { handle: null, slug: null, productId: null, state: null };

const using = (ports: StorePorts) => administrationOf(ports, nodePlatform);
const callAt = (at: number) => aCall({ now: later(at), ...ofOperator });

describe('promotions', () => {
  const store = freshStore(memory.open);
  const a = () => using(store());
  const put = (terms: Partial<PutTerms> = {}, at = 0) => a().putPromotion(place, { ...nothing, ...terms }, callAt(at));
  const find = () => store().promotions.find('ada', 'sketchpad', aCall());
  const storefronts = async (slug = 'sketchpad') => (await store().allListings.find(slug, aCall()))?.storefronts;
  const list = async (overrides: Partial<Listing> = {}): Promise<void> => {
    const listing = aListing({
      slug: 'sketchpad',
      productId: 'prod_1',
      commissionPercent: 29.99,
      commissionFor: 12,
      holdDays: 14,
      ...overrides,
    });
    await store().listings.put([listing], aCall());
  };
  const ask = (at = 0) => {
    const parts = { ...store(), recount: recountStorefronts(store()) };
    return askForPromotion(parts)(place, affiliatesCall(callAt(at), place));
  };

  beforeEach(async () => {
    await store().affiliates.replace(null, anAffiliate(), aCall());
    await list();
  });

  describe('that are put', () => {
    it('are live with the terms of the listing, or others', async () => {
      const { promotion, outcome } = await put();
      const first = { from: later(0), ...ofOperator, ...offered };
      const expected = aPromotion({ terms: [first] });
      expect([promotion, outcome]).to.deep.equal([expected, 'added']);
      expect(await find()).to.deep.equal(expected);
      expect(await storefronts()).to.equal(1);
      expect(await put({}, 5)).to.deep.equal({ promotion, outcome: 'unchanged' });
      const other = await put({ holdDays: 0 }, 9);
      const second = { from: later(9), ...ofOperator, ...offered, holdDays: 0 };
      expect(other.promotion).to.deep.equal({ ...expected, terms: [first, second], revision: 2 });
    });

    it('keep what was agreed, whatever the listing offers by now', async () => {
      await put({ commissionPercent: 5000 });
      await list({ commissionPercent: 1, commissionFor: 'lifetime' });
      expect((await put({}, 1)).outcome).to.equal('unchanged');
      expect((await put({ holdDays: 1 }, 2)).promotion.terms[1]).to.include({
        commissionPercent: 5000,
        commissionFor: 12,
      });
    });

    it('begin again with the terms of the listing after an end', async () => {
      await put({ commissionPercent: 5000 });
      await a().endPromotion('ada', 'sketchpad', callAt(1));
      const { promotion } = await put({}, 2);
      expect(promotion.state).to.equal('live');
      expect(promotion.terms.map(({ commissionPercent }) => commissionPercent)).to.deep.equal([5000, null, 2999]);
    });

    it('add codes, which belong to one promotion of the product', async () => {
      expect((await put({ codes: ['b', 'a'] })).promotion.codes).to.deep.equal(['b', 'a']);
      const more = await put({ codes: ['c', 'a'] }, 1);
      expect(more.promotion).to.deep.include({ codes: ['b', 'a', 'c'], revision: 2 });
      expect(more.promotion.terms).to.have.length(1);
      await store().affiliates.replace(null, anAffiliate({ handle: 'bob' }), aCall());
      const ofBob = { handle: 'bob', slug: 'sketchpad' };
      expect(await codeOf(a().putPromotion(ofBob, { ...nothing, codes: ['new', 'a'] }, callAt(1)))).to.equal(
        'code_exists',
      );
      expect(await store().promotions.find('bob', 'sketchpad', aCall())).to.equal(null);
      expect(await codeOf(put({ codes: range(18).map((n) => `x${n}`) }))).to.equal('too_many_codes');
    });

    it('give a code to one of twenty that take it at once', async () => {
      const handles = range(20).map((n) => `ada-${n}`);
      for (const handle of handles) await store().affiliates.replace(null, anAffiliate({ handle }), aCall());
      const outcomes = await Promise.all(
        handles.map((handle) =>
          a()
            .putPromotion({ handle, slug: 'sketchpad' }, { ...nothing, codes: ['ada20'] }, aCall())
            .then(
              () => 'stored',
              (error: { readonly code: string }) => error.code,
            ),
        ),
      );
      expect(outcomes.toSorted()).to.deep.equal([...Array.from({ length: 19 }, () => 'code_exists'), 'stored']);
      expect(await storefronts()).to.equal(1);
    });

    it('are refused without an affiliate, a listing, a product and a time', async () => {
      const of = (handle: string, slug: string) => codeOf(a().putPromotion({ handle, slug }, nothing, aCall()));
      expect([await of('nobody', 'sketchpad'), await of('ada', 'nothing')]).to.deep.equal([
        'affiliate_not_found',
        'listing_not_found',
      ]);
      await list({ productId: null });
      expect(await codeOf(put())).to.equal('listing_not_promotable');
      await list({ commissionFor: null });
      const { code, details } = await refusalOf(put());
      expect(code).to.equal('invalid_body');
      expect(details.message).to.match(/^commissionFor is missing/);
      expect((await put({ commissionFor: 'lifetime' })).outcome).to.equal('added');
    });

    it('stay with the product that the listing had', async () => {
      await put();
      await list({ productId: 'prod_2' });
      expect(await codeOf(put({ holdDays: 1 }))).to.equal('listing_not_promotable');
      expect((await a().endPromotion('ada', 'sketchpad', aCall())).promotion.state).to.equal('ended');
    });

    it('are at most 200 of an affiliate, also for a caller who sees few of them', async () => {
      for (const n of range(200)) {
        const productId = n === 0 ? 'prod_1' : 'prod_2';
        await store().promotions.replace(null, aPromotion({ slug: `slug-${n}`, productId }), aCall());
      }
      const merchant = { ...callAt(0), products: new Set(['prod_1']) };
      expect(await codeOf(a().putPromotion(place, nothing, merchant))).to.equal('too_many_promotions');
    });

    it('are at most 200 of an affiliate, with at most 49 terms and an end', async () => {
      for (const n of range(200)) {
        await store().promotions.replace(null, aPromotion({ slug: `slug-${n}`, state: 'ended' }), aCall());
      }
      expect(await codeOf(put())).to.equal('too_many_promotions');
      const terms = range(49).map((n) => aVersion({ from: later(n), holdDays: n }));
      await store().promotions.replace(null, aPromotion({ terms }), aCall());
      expect(await codeOf(put({ holdDays: 99 }))).to.equal('too_many_terms');
      expect((await a().endPromotion('ada', 'sketchpad', aCall())).promotion.terms).to.have.length(50);
      expect(await codeOf(a().approvePromotion(place, aCall()))).to.equal('too_many_terms');
    });

    it('end again if the affiliate ends meanwhile', async () => {
      const { promotions, affiliates } = store();
      const racing = using({
        ...store(),
        promotions: {
          find: (...what) => promotions.find(...what),
          ofAffiliate: (...what) => promotions.ofAffiliate(...what),
          ofCode: (...what) => promotions.ofCode(...what),
          page: (...what) => promotions.page(...what),
          count: (...what) => promotions.count(...what),
          replace: async (...what) => {
            await affiliates.replace(anAffiliate(), anAffiliate({ state: 'ended', revision: 2 }), aCall());
            return promotions.replace(...what);
          },
        },
      });
      expect(await codeOf(racing.putPromotion(place, nothing, aCall()))).to.equal('affiliate_ended');
      expect((await find())?.state).to.equal('ended');
    });
  });

  describe('that are asked for', () => {
    it('wait for an approval, which brings the terms of then', async () => {
      await list({ affiliates: 'ask' });
      const { promotion, outcome } = await ask(3);
      expect([promotion, outcome]).to.deep.equal([
        aPromotion({ state: 'asked', terms: [], askedAt: later(3) }),
        'added',
      ]);
      expect((await ask(4)).outcome).to.equal('unchanged');
      expect(await storefronts()).to.equal(0);
      await list({ affiliates: 'ask', holdDays: 60 });
      const approved = await a().approvePromotion(place, callAt(5));
      const terms = [{ from: later(5), ...ofOperator, ...offered, holdDays: 60 }];
      expect(approved.promotion).to.deep.equal({ ...promotion, state: 'live', terms, revision: 2 });
      expect(await storefronts()).to.equal(1);
      await list({ affiliates: 'none', holdDays: 1 });
      expect((await a().approvePromotion(place, callAt(6))).outcome).to.equal('unchanged');
      expect((await ask(7)).outcome).to.equal('unchanged');
    });

    it('are live at once where the listing is open to all', async () => {
      await list({ affiliates: 'open' });
      const { promotion } = await ask(3);
      const terms = [{ from: later(3), by: 'affiliate:ada', ...offered } as const];
      expect(promotion).to.deep.equal(aPromotion({ terms, askedAt: later(3) }));
      expect(await storefronts()).to.equal(1);
    });

    it('are refused for listings that are not live or take no affiliates', async () => {
      for (const listing of [
        { affiliates: 'none' },
        { affiliates: 'open', state: 'paused' },
        { affiliates: 'open', commissionFor: null },
        { affiliates: 'ask', productId: null },
      ] as const) {
        await list(listing);
        expect(await codeOf(ask())).to.equal('listing_not_promotable');
      }
      expect(await find()).to.equal(null);
      expect(await codeOf(a().approvePromotion(place, aCall()))).to.equal('listing_not_promotable');
      await list();
      expect(await codeOf(a().approvePromotion(place, aCall()))).to.equal('promotion_not_found');
      expect(await codeOf(a().endPromotion('ada', 'sketchpad', aCall()))).to.equal('promotion_not_found');
    });

    it('wait again after somebody else has ended them, and not after the own end', async () => {
      await list({ affiliates: 'open' });
      await ask(1);
      await a().endPromotion('ada', 'sketchpad', affiliatesCall(callAt(2), place));
      expect(await storefronts()).to.equal(0);
      expect((await ask(3)).promotion.state).to.equal('live');
      await a().endPromotion('ada', 'sketchpad', callAt(4));
      const { promotion } = await ask(5);
      expect(promotion).to.deep.include({ state: 'asked', askedAt: later(5) });
      expect((await a().approvePromotion(place, callAt(6))).promotion.state).to.equal('live');
    });
  });

  describe('count as storefronts', () => {
    it('after a kill between the promotion and its count, once it is repeated', async () => {
      const listings = failing(store().listings, { method: 'setStorefronts', nth: 1, when: 'before' });
      expect(await thrownBy(using({ ...store(), listings }).putPromotion(place, nothing, aCall()))).to.be.instanceOf(
        InjectedFault,
      );
      expect(await storefronts()).to.equal(0);
      expect((await put()).outcome).to.equal('unchanged');
      expect(await storefronts()).to.equal(1);
    });

    it('of the product that the listing has, after each change of it', async () => {
      await put();
      const listing = await store().allListings.find('sketchpad', aCall());
      if (listing === null) throw new Error('the listing is gone');
      const { storefronts: _storefronts, publishedAt: _publishedAt, ...draft } = listing;
      await a()
        .putListing({ ...draft, productId: null }, aCall())
        .catch(() => undefined);
      await store().products.add({ id: 'prod_1', name: 'One', createdAt: later(0) }, aCall());
      await store().products.add({ id: 'prod_2', name: 'Two', createdAt: later(0) }, aCall());
      const moved = await a().putListing({ ...draft, productId: 'prod_2' }, aCall());
      expect([moved.listing.storefronts, await storefronts()]).to.deep.equal([0, 0]);
      await a().importListings([{ ...draft, productId: 'prod_1' }], aCall());
      expect(await storefronts()).to.equal(1);
      await a().deleteListing('sketchpad', aCall());
      const added = await a().putListing({ ...draft, id: 'lst_new', productId: 'prod_1' }, aCall());
      expect(added.listing.storefronts).to.equal(1);
      await a().saveListing(added.listing, { ...draft, productId: 'prod_2' }, aCall());
      expect(await storefronts()).to.equal(0);
      const seen = await store().allListings.find('sketchpad', aCall());
      await a().saveListing(seen, { ...draft, productId: 'prod_1' }, aCall());
      expect(await storefronts()).to.equal(1);
    });

    it('again after each write, so that what has changed meanwhile is counted', async () => {
      await put();
      const { listings } = store();
      await listings.setStorefronts('sketchpad', 7, aCall());
      const setStorefronts: typeof listings.setStorefronts = async (slug, count, call) => {
        const isFirst = (await store().promotions.find('bob', slug, call)) === null;
        if (isFirst) await store().promotions.replace(null, aPromotion({ handle: 'bob' }), call);
        return listings.setStorefronts(slug, count, call);
      };
      await recountStorefronts({ ...store(), listings: { setStorefronts } })('sketchpad', aCall());
      expect(await storefronts()).to.equal(2);
    });

    it('as many as there are, however many change at once', async () => {
      const handles = range(12).map((n) => `ada-${n}`);
      for (const handle of handles) await store().affiliates.replace(null, anAffiliate({ handle }), aCall());
      await Promise.all(handles.map((handle) => a().putPromotion({ handle, slug: 'sketchpad' }, nothing, aCall())));
      expect(await storefronts()).to.equal(12);
      await Promise.all(handles.slice(3).map((handle) => a().endPromotion(handle, 'sketchpad', aCall())));
      expect(await storefronts()).to.equal(3);
    });
  });

  it('are listed page by page, all or those of a filter', async () => {
    const all: readonly Promotion[] = ['a', 'b', 'c'].map((slug) => aPromotion({ slug }));
    for (const one of [...all, aPromotion({ handle: 'bob', slug: 'b' })]) {
      await store().promotions.replace(null, one, aCall());
    }
    const first = await a().listPromotions({ ...everything, handle: 'ada' }, { after: null, limit: 2 }, aCall());
    const rest = await a().listPromotions({ ...everything, handle: 'ada' }, { after: first.next, limit: 2 }, aCall());
    expect([...first.items, ...rest.items]).to.deep.equal(all);
    expect(await codeOf(a().listPromotions(everything, { after: first.next, limit: 2 }, aCall()))).to.equal(
      'invalid_parameter',
    );
    const ofB = await Array.fromAsync(a().everyPromotion({ ...everything, slug: 'b' }, () => aCall()));
    expect(ofB.map(({ handle }) => handle)).to.deep.equal(['ada', 'bob']);
  });

  it('have a percentage with at most two decimals', () => {
    const good = ['0', '100', '12.5', '29.99', '0.07'];
    const bad = ['-1', '100.01', '1.234', '', 'x', '1e-7'];
    expect([...good, ...bad].map(percentRule.parse).map((value) => value && hundredthsOf(value))).to.deep.equal([
      0,
      10_000,
      1250,
      2999,
      7,
      ...bad.map(() => null),
    ]);
    expect(thirty.commissionPercent).to.equal(hundredthsOf(30));
  });
});

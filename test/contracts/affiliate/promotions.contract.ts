import { expect } from 'chai';
import type { Promotion, PromotionState } from '../../../core/affiliate/promotion.ts';
import {
  comparePromotionPlaces,
  type PromotionFilter,
  type PromotionPlace,
} from '../../../core/affiliate/promotions.port.ts';
import { untilStored } from '../../../core/compare-and-set.ts';
import { aPromotion, aVersion } from '../../support/affiliates/builders.ts';
import { aCall, later } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

const states: readonly PromotionState[] = ['asked', 'live', 'ended'];

const some: readonly Promotion[] = ['bob', 'ada', 'a-b'].flatMap((handle, n) =>
  ['one', 'Two', 'two', '~'].map((slug, m) =>
    aPromotion({
      handle,
      slug,
      productId: `prod_${m % 2}`,
      state: states[(n + m) % 3] ?? 'live',
      codes: [`${n}-${m}`],
    }),
  ),
);

const filters: readonly PromotionFilter[] = [null, 'ada', 'nobody'].flatMap((handle) =>
  [null, 'two'].flatMap((slug) =>
    [null, 'prod_0'].flatMap((productId) =>
      ([null, 'live'] as const).map((state) => ({ handle, slug, productId, state })),
    ),
  ),
);

const fitting = ({ handle, slug, productId, state }: PromotionFilter): readonly Promotion[] =>
  some.filter(
    (one) =>
      [null, one.handle].includes(handle) &&
      [null, one.slug].includes(slug) &&
      [null, one.productId].includes(productId) &&
      [null, one.state].includes(state),
  );

/** The contract of `Promotions`. */
export function promotionsContract(open: OpenStore): void {
  describe('Promotions', () => {
    const store = freshStore(open);
    const add = async (...promotions: readonly Promotion[]): Promise<void> => {
      for (const promotion of promotions) await store().promotions.replace(null, promotion, aCall());
    };

    it('stores each member of a promotion, for every process', async () => {
      const ended = {
        from: later(9),
        by: 'affiliate:ada',
        commissionPercent: null,
        commissionFor: null,
        holdDays: null,
      };
      for (const promotion of [
        aPromotion({ state: 'asked', terms: [], askedAt: later(2) }),
        aPromotion({
          slug: 'größer.~',
          state: 'ended',
          codes: ['b20', 'a-10'],
          terms: [aVersion(), aVersion({ from: later(1), commissionFor: 12, holdDays: 0 }), ended as never],
        }),
      ]) {
        expect(await store().promotions.replace(null, promotion, aCall())).to.deep.equal({ kind: 'replaced' });
        const found = await beside(store(), ({ promotions }) => promotions.find('ada', promotion.slug, aCall()));
        expect(found).to.deep.equal(promotion);
      }
      expect(await store().promotions.find('ada', 'nothing', aCall())).to.equal(null);
      expect(await store().promotions.find('bob', 'sketchpad', aCall())).to.equal(null);
    });

    it('replaces what was seen, and nothing else', async () => {
      const first = aPromotion();
      const second = aPromotion({ state: 'ended', revision: 2 });
      expect((await store().promotions.replace(first, second, aCall())).kind).to.equal('stale');
      expect(await store().promotions.find('ada', 'sketchpad', aCall())).to.equal(null);
      await add(first);
      expect((await store().promotions.replace(null, first, aCall())).kind).to.equal('stale');
      expect((await store().promotions.replace(first, second, aCall())).kind).to.equal('replaced');
      const late = aPromotion({ codes: ['late'], revision: 2 });
      expect((await store().promotions.replace(first, late, aCall())).kind).to.equal('stale');
      expect(await store().promotions.find('ada', 'sketchpad', aCall())).to.deep.equal(second);
      expect(await store().promotions.ofCode('prod_1', 'late', aCall())).to.equal(null);
    });

    it('keeps each change of sixteen that change a promotion at once', async () => {
      await add(aPromotion());
      const addCode = (opened: ReturnType<typeof store>, n: number): Promise<Promotion> =>
        untilStored(aCall(), async () => {
          const seen = await opened.promotions.find('ada', 'sketchpad', aCall());
          if (seen === null) throw new Error('the promotion is gone');
          const next = { ...seen, codes: [...seen.codes, `code-${n}`], revision: seen.revision + 1 };
          const { kind } = await opened.promotions.replace(seen, next, aCall());
          return kind === 'replaced' ? next : 'stale';
        });
      await beside(store(), (other) => Promise.all(range(16).map((n) => addCode(n % 2 === 0 ? store() : other, n))));
      const found = await store().promotions.find('ada', 'sketchpad', aCall());
      expect(found).to.include({ revision: 17 });
      expect(found?.codes).to.have.members(range(16).map((n) => `code-${n}`));
    });

    it('finds the promotion of a product to which a code belongs', async () => {
      const own = aPromotion({ codes: ['ada20', 'ada-30'] });
      const ofOther = aPromotion({ slug: 'other', productId: 'prod_2', codes: ['ada20'] });
      await add(own, ofOther, aPromotion({ handle: 'bob' }), aPromotion({ handle: 'carl' }));
      expect(await store().promotions.ofCode('prod_1', 'ada20', aCall())).to.deep.equal(own);
      expect(await store().promotions.ofCode('prod_2', 'ada20', aCall())).to.deep.equal(ofOther);
      expect(await store().promotions.ofCode('prod_2', 'ada-30', aCall())).to.equal(null);
      const more = { ...own, codes: [...own.codes, 'late'], revision: 2 };
      expect((await store().promotions.replace(own, more, aCall())).kind).to.equal('replaced');
      for (const code of more.codes) {
        expect(await store().promotions.ofCode('prod_1', code, aCall())).to.deep.equal(more);
      }
    });

    it('stores nothing of a promotion with a code that another of the product has', async () => {
      const [ada, bob] = [aPromotion({ codes: ['taken'] }), aPromotion({ handle: 'bob', codes: ['bob'] })];
      await add(ada, bob);
      const next = { ...bob, codes: ['bob', 'new', 'taken'], revision: 2 };
      expect((await store().promotions.replace(bob, next, aCall())).kind).to.equal('stale');
      const third = aPromotion({ handle: 'carl', codes: ['new', 'taken'] });
      expect((await store().promotions.replace(null, third, aCall())).kind).to.equal('stale');
      expect(await store().promotions.find('bob', 'sketchpad', aCall())).to.deep.equal(bob);
      expect(await store().promotions.find('carl', 'sketchpad', aCall())).to.equal(null);
      expect(await store().promotions.ofCode('prod_1', 'new', aCall())).to.equal(null);
    });

    for (const begins of [true, false]) {
      it(`gives one of twenty a code that they take at once, ${begins ? 'as they begin' : 'later'}`, async () => {
        const known = range(20).map((n) => aPromotion({ handle: `ada-${n}` }));
        if (!begins) await add(...known);
        const outcomes = await beside(store(), (other) =>
          Promise.all(
            known.map((seen, n) => {
              const next = { ...seen, codes: ['ada20'], revision: begins ? 1 : 2 };
              return (n % 2 === 0 ? store() : other).promotions.replace(begins ? null : seen, next, aCall());
            }),
          ),
        );
        const winners = range(20).filter((n) => outcomes[n]?.kind === 'replaced');
        expect(winners).to.have.length(1);
        const found = await store().promotions.ofCode('prod_1', 'ada20', aCall());
        expect(found?.handle).to.equal(`ada-${winners[0]}`);
      });
    }

    for (const when of moments) {
      it(`stores a promotion once if the write fails ${when} it takes effect and is retried`, async () => {
        const promotion = aPromotion({ codes: ['ada20'] });
        const promotions = failing(store().promotions, { method: 'replace', nth: 1, when });
        expect(await thrownBy(promotions.replace(null, promotion, aCall()))).to.be.instanceOf(InjectedFault);
        const { kind } = await promotions.replace(null, promotion, aCall());
        expect(kind).to.equal(when === 'before' ? 'replaced' : 'stale');
        expect(await promotions.ofCode('prod_1', 'ada20', aCall())).to.deep.equal(promotion);
      });
    }

    it('lists by handle and slug, page by page, all or those that fit', async () => {
      await add(...some);
      for (const filter of filters) {
        const expected = fitting(filter).toSorted(comparePromotionPlaces);
        const found: Promotion[] = [];
        for (let after: PromotionPlace | null = null; ; after = found.at(-1) ?? null) {
          const page = await store().promotions.page({ ...filter, after, limit: 3 }, aCall());
          found.push(...page);
          if (page.length < 3) break;
        }
        expect(found, JSON.stringify(filter)).to.deep.equal(expected);
      }
      for (const handle of ['ada', 'nobody']) {
        const expected = some.filter((one) => one.handle === handle).toSorted(comparePromotionPlaces);
        expect(await store().promotions.ofAffiliate(handle, aCall())).to.deep.equal(expected);
      }
    });

    it('orders slugs by code points', async () => {
      await add(...inCodePointOrder.toReversed().map((slug) => aPromotion({ slug })));
      const found = await store().promotions.ofAffiliate('ada', aCall());
      expect(found.map(({ slug }) => slug)).to.deep.equal(inCodePointOrder);
    });

    it('counts the live ones of a listing for a product', async () => {
      const ofTwo = aPromotion({ handle: 'dora', productId: 'prod_2' });
      const more = states.map((state, n) => aPromotion({ handle: `h-${n}`, state }));
      await add(aPromotion(), ...more, ofTwo, aPromotion({ slug: 'other' }));
      const counts = await Promise.all(
        ['prod_1', 'prod_2', 'prod_3'].map((productId) => store().promotions.count('sketchpad', productId, aCall())),
      );
      expect(counts).to.deep.equal([2, 1, 0]);
    });
  });
}

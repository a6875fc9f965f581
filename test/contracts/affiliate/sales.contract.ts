import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../adapters/crypto/signing.ts';
import { lineDueAt, lookDueAt } from '../../../core/affiliate/sale/commission.ts';
import { saleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import {
  compareLinePlaces,
  compareSalePlaces,
  type LinePlace,
  type SalePlace,
  type SalesFilter,
} from '../../../core/affiliate/sale/sales.port.ts';
import { checkStore } from '../../../core/check/check-store.ts';
import { untilStored } from '../../../core/compare-and-set.ts';
import { anAffiliate, anySale, aPayment, aPromotion, aSale, inStatement } from '../../support/affiliates/builders.ts';
import { aCall, aProduct, day, later, noon } from '../../support/builders.ts';
import { inCodePointOrder } from '../../support/code-points.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { logIn } from '../../support/stores/event-log.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

const everySale: SalesFilter = { productId: null, handle: null, currency: null };

/** Some sales of a few chains, of any content. */
const someSales: readonly Sale[] = fc
  .sample(fc.tuple(anySale, fc.constantFrom('ada', 'bob'), fc.constantFrom('usd', 'jpy'), fc.nat(3)), {
    numRuns: 24,
    seed: 57,
  })
  .map(([sale, handle, currency, days], index) => {
    const { id } = aSale({ entitlementId: `sub_${index}` });
    const productId = `prod_${index % 2}`;
    return { ...sale, entitlementId: `sub_${index}`, id, productId, handle, currency, attributedAt: later(days * day) };
  });

const filters = [null, 'prod_0', 'prod_9'].flatMap((productId) =>
  [null, 'ada'].flatMap((handle) => [null, 'jpy'].map((currency) => ({ productId, handle, currency }))),
);

const fitting = ({ productId, handle, currency }: SalesFilter): readonly Sale[] =>
  someSales.filter(
    (sale) =>
      [null, sale.productId].includes(productId) &&
      [null, sale.handle].includes(handle) &&
      [null, sale.currency].includes(currency),
  );

/** The contract of `Sales`. */
export function salesContract(open: OpenStore): void {
  describe('Sales', () => {
    const store = freshStore(open);
    const add = async (...sales: readonly Sale[]): Promise<void> => {
      for (const sale of sales) await store().sales.replace(null, sale, null, aCall());
    };

    it('stores each member of a sale, for every process', async () => {
      const payments = [
        aPayment({ id: 'ch_größe', paidAt: later(-1), amount: 2 ** 53 - 1, kept: 2 ** 53 - 1 }),
        aPayment({ kept: 0 }),
      ];
      const voided = { at: later(3), by: 'operator:opk_1', reason: '“Own” purchase 🎉' } as const;
      const terms = { commissionPercent: 1250, commissionFor: 12, holdDays: 0 } as const;
      const more = { by: 'code', voided, stated: -7, statements: 3, statedUntil: later(5), confirmedAt: null } as const;
      for (const sale of [
        aSale(),
        aSale({ entitlementId: 'cs_1', payments, terms, ...more }),
        aSale({ entitlementId: 'sub_2', terms: { ...terms, commissionFor: 'first_payment' } }),
      ]) {
        expect(await store().sales.replace(null, sale, null, aCall())).to.deep.equal({ kind: 'replaced' });
        const found = await beside(store(), ({ sales }) => sales.find(sale.entitlementId, aCall()));
        expect(found).to.deep.equal(sale);
      }
      expect(await store().sales.find('sub_9', aCall())).to.equal(null);
    });

    it('replaces what was seen, and nothing else', async () => {
      const first = aSale();
      const second = aSale({ payments: [aPayment()], revision: 2 });
      expect((await store().sales.replace(first, second, null, aCall())).kind).to.equal('stale');
      expect(await store().sales.find('sub_1', aCall())).to.equal(null);
      await add(first);
      expect((await store().sales.replace(null, first, null, aCall())).kind).to.equal('stale');
      expect((await store().sales.replace(first, second, null, aCall())).kind).to.equal('replaced');
      const late = aSale({ handle: 'bob', revision: 2 });
      expect((await store().sales.replace(first, late, null, aCall())).kind).to.equal('stale');
      expect(await store().sales.find('sub_1', aCall())).to.deep.equal(second);
    });

    it('stores the event of a new sale with it, once, and none with a change', async () => {
      const opened = store();
      await opened.products.add(aProduct({ id: 'prod_1' }), aCall());
      const call = aCall({ by: 'stripe', correlationId: 'c-1' });
      const sale = aSale({ entitlementId: 'cs_test_a1Secret' });
      const outcomes = await Promise.all(
        range(5).map((n) =>
          opened.sales.replace(
            null,
            sale,
            saleEvent(sale, call, () => `evt_${n}`),
            call,
          ),
        ),
      );
      const winner = outcomes.findIndex(({ kind }) => kind === 'replaced');
      await opened.sales.replace(sale, { ...sale, payments: [aPayment()], revision: 2 }, null, call);
      const { id, productId, handle, slug, by, attributedAt, terms, currency } = sale;
      const facts = { id, productId, handle, slug, by, attributedAt, terms, currency };
      const event = { at: noon, sequence: 1, by: 'stripe', correlationId: 'c-1', productId, sale: facts } as const;
      const log = await logIn(opened);
      expect(log).to.deep.equal([{ position: 1, event: { id: `evt_${winner}`, type: 'sale.attributed', ...event } }]);
      expect(JSON.stringify(log)).not.to.include('Secret');
      expect(await opened.sales.find(sale.entitlementId, aCall())).to.deep.include({ revision: 2 });
      const findings = await checkStore(opened, digest, publicPartOf)(() => aCall());
      const check = findings.find((finding) => finding.check === 'events');
      expect(check?.message).to.equal('All 1 events are complete and in order.');
    });

    it('names in the check the sales of an affiliate or a promotion that does not exist', async () => {
      const opened = store();
      await opened.affiliates.replace(null, anAffiliate(), aCall());
      for (const slug of ['sketchpad', 'other']) {
        await opened.promotions.replace(null, aPromotion({ slug, state: 'ended' }), aCall());
      }
      const [bob, slug, productId] = [
        aSale({ entitlementId: 'bob', handle: 'bob' }),
        aSale({ entitlementId: 'slug', slug: 'none' }),
        aSale({ entitlementId: 'product', productId: 'prod_2', slug: 'other' }),
      ];
      for (const sale of [aSale(), aSale({ entitlementId: 'sub_2', slug: 'other' }), bob, slug, productId])
        await add(sale);
      const findings = await checkStore(opened, digest, publicPartOf)(() => aCall());
      expect(findings.filter(({ check }) => check === 'affiliates').map(({ message }) => message)).to.have.members([
        `Sale ${bob.id} is of the affiliate bob, who does not exist.`,
        `Sale ${slug.id} is of a promotion of none for product prod_1, which ada does not have.`,
        `Sale ${productId.id} is of a promotion of other for product prod_2, which ada does not have.`,
      ]);
    });

    it('stores one of twenty that begin a sale at once', async () => {
      const outcomes = await beside(store(), (other) =>
        Promise.all(
          range(20).map((n) =>
            (n % 2 === 0 ? store() : other).sales.replace(null, aSale({ handle: `h-${n}` }), null, aCall()),
          ),
        ),
      );
      expect(outcomes.filter(({ kind }) => kind === 'replaced')).to.have.length(1);
      const handle = `h-${outcomes.findIndex(({ kind }) => kind === 'replaced')}`;
      expect(await store().sales.find('sub_1', aCall())).to.deep.equal(aSale({ handle }));
    });

    it('keeps each change of sixteen that change a sale at once', async () => {
      await add(aSale({ revision: 1 }));
      const addOne = (opened: ReturnType<typeof store>): Promise<Sale> =>
        untilStored(aCall(), async () => {
          const seen = await opened.sales.find('sub_1', aCall());
          if (seen === null) throw new Error('the sale is gone');
          const next = { ...seen, stated: seen.stated + 1, revision: seen.revision + 1 };
          const { kind } = await opened.sales.replace(seen, next, null, aCall());
          return kind === 'replaced' ? next : 'stale';
        });
      await beside(store(), (other) => Promise.all(range(16).map((n) => addOne(n % 2 === 0 ? store() : other))));
      expect(await store().sales.find('sub_1', aCall())).to.deep.equal(aSale({ stated: 16, revision: 17 }));
    });

    for (const when of moments) {
      it(`stores a sale once if the write fails ${when} it takes effect and is retried`, async () => {
        const sales = failing(store().sales, { method: 'replace', nth: 1, when });
        expect(await thrownBy(sales.replace(null, aSale(), null, aCall()))).to.be.instanceOf(InjectedFault);
        const { kind } = await sales.replace(null, aSale(), null, aCall());
        expect(kind).to.equal(when === 'before' ? 'replaced' : 'stale');
        expect(await sales.find('sub_1', aCall())).to.deep.equal(aSale());
      });
    }

    it('lists the newest first, page by page, all or those of a product, an affiliate and a currency', async () => {
      await add(...someSales);
      for (const filter of filters) {
        const expected = fitting(filter).toSorted(compareSalePlaces);
        const found: Sale[] = [];
        for (let after: SalePlace | null = null; ; after = found.at(-1) ?? null) {
          const page = await store().sales.page({ ...filter, after, limit: 7 }, aCall());
          found.push(...page);
          if (page.length < 7) break;
        }
        expect(found, JSON.stringify(filter)).to.deep.equal(expected);
      }
    });

    it('finds those with some names', async () => {
      await add(...someSales);
      const names = ['sale_nobody', ...someSales.slice(3, 9).map(({ id }) => id)];
      expect(await store().sales.named(names, aCall())).to.have.deep.members(someSales.slice(3, 9));
      expect(await store().sales.named([], aCall())).to.deep.equal([]);
    });

    it('lists what a statement may have a line of, chain by chain', async () => {
      await add(...someSales);
      const until = later(60 * day);
      const isDue = (sale: Sale): boolean => (lineDueAt(sale)?.getTime() ?? Infinity) <= until.getTime();
      expect(someSales.filter(isDue)).to.have.length.within(6, 18);
      for (const filter of filters) {
        const expected = fitting(filter).filter(isDue).toSorted(compareLinePlaces);
        const found: Sale[] = [];
        for (let after: LinePlace | null = null; ; after = found.at(-1) ?? null) {
          const page = await store().sales.withLines(filter, until, after, 3, aCall());
          found.push(...page);
          if (page.length < 3) break;
        }
        expect(found, JSON.stringify(filter)).to.deep.equal(expected);
      }
    });

    it('orders chains by code points', async () => {
      const stated = { ...inStatement(1, noon) };
      const sales = inCodePointOrder.map((productId, index) =>
        aSale({ ...stated, entitlementId: `e_${index}`, productId }),
      );
      await add(...sales.toReversed());
      const found = await store().sales.withLines(everySale, noon, null, 99, aCall());
      expect(found.map(({ productId }) => productId)).to.deep.equal(inCodePointOrder);
    });

    it('has the line of a sale until it is stated, to the millisecond', async () => {
      const payments = [aPayment({ amount: 1000, kept: 1000 })];
      const sale = aSale({ payments, confirmedAt: later(31 * day) });
      await add(sale);
      const linesAt = async (until: Date): Promise<number> =>
        (await store().sales.withLines(everySale, until, null, 9, aCall())).length;
      expect([await linesAt(later(30 * day - 1)), await linesAt(later(30 * day))]).to.deep.equal([0, 1]);
      await store().sales.replace(sale, { ...sale, ...inStatement(300, later(30 * day)), revision: 2 }, null, aCall());
      expect(await linesAt(later(400 * day))).to.equal(0);
    });

    it('finds what a look has to confirm, the longest due first', async () => {
      const unconfirmed = someSales.map((sale) => ({ ...sale, confirmedAt: sale.confirmedAt && noon }));
      await add(...unconfirmed);
      const until = later(60 * day);
      const due = unconfirmed.filter((sale) => (lookDueAt(sale)?.getTime() ?? Infinity) <= until.getTime());
      expect(due).to.have.length.within(3, 20);
      const times = due.map((sale) => Number(lookDueAt(sale))).toSorted((a, b) => a - b);
      const found = await store().sales.toLookAt(until, 99, aCall());
      expect(found.map((sale) => Number(lookDueAt(sale)))).to.deep.equal(times);
      expect(found).to.have.deep.members(due);
      const first = await store().sales.toLookAt(until, 2, aCall());
      expect(first.map((sale) => Number(lookDueAt(sale)))).to.deep.equal(times.slice(0, 2));
    });

    it('finds a sale no more that was confirmed or is void', async () => {
      const sale = aSale({ payments: [aPayment()] });
      const toLookAt = async (): Promise<number> => (await store().sales.toLookAt(later(99 * day), 9, aCall())).length;
      await add(sale);
      expect(await toLookAt()).to.equal(1);
      const confirmed = { ...sale, confirmedAt: later(30 * day), revision: 2 };
      await store().sales.replace(sale, confirmed, null, aCall());
      expect(await toLookAt()).to.equal(0);
      await store().sales.replace(confirmed, { ...sale, revision: 3 }, null, aCall());
      expect(await toLookAt()).to.equal(1);
    });
  });
}

import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Promotion } from '../../../core/affiliate/promotion.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { Statement } from '../../../core/affiliate/statement/statement.ts';
import { allStatements } from '../../../core/affiliate/statement/statements.port.ts';
import type { PriceMapping } from '../../../core/billing/price-map.port.ts';
import type { Call } from '../../../core/call.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { AppKey } from '../../../core/key/app/app-key.ts';
import type { OperatorKey } from '../../../core/key/operator/operator-key.ts';
import type { Product } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import type { DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { WebhookEndpoint } from '../../../core/webhook/webhook-endpoint.ts';
import { anAffiliate, aPromotion, aSale, aStatement, inStatement } from '../../support/affiliates/builders.ts';
import {
  aCall,
  aListing,
  anAppKey,
  anOperatorKey,
  aProduct,
  aSubscription,
  granted,
  later,
  noon,
} from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { memory } from '../../support/stores/stores.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

const productIds = ['p1', 'p2', 'p3', 'p4'];

/** An item of every list: whose it is, and when it was made. Items of one instant stand by id. */
interface Item {
  readonly id: string;
  readonly productId: string;
  readonly createdAt: Date;
}

const items: fc.Arbitrary<readonly Item[]> = fc.uniqueArray(
  fc.record({
    id: fc.string({ unit: fc.constantFrom('a', 'b', 'B', '_'), minLength: 1, maxLength: 6 }),
    productId: fc.constantFrom(...productIds),
    createdAt: fc.nat(3).map(later),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
);

/** Products of a key; one of them may not exist. */
const reaches = fc.subarray([...productIds, 'p5'], { minLength: 1 });

async function storeWith(all: readonly Item[]): Promise<StorePorts> {
  const store = await memory.open();
  const call = aCall();
  for (const id of productIds) await store.products.add(aProduct({ id }), call);
  await store.allEntitlements.add(
    granted(all.map((item) => aSubscription({ ...item, license: null, reference: null }))),
    call,
  );
  for (const { id, productId, createdAt } of all) {
    await store.allAppKeys.add(anAppKey({ id, productId, createdAt, digest: id }), call);
    await store.allOperatorKeys.add(anOperatorKey({ id, products: [productId], createdAt, digest: id }), call);
    await store.webhookEndpoints.add(anEndpoint({ id, productId }), call);
    await store.priceMap.put(
      { price: id, productId, tierId: 't', tierName: 'T', deviceLimit: null, updates: null },
      call,
    );
  }
  for (const { id, productId, createdAt } of all) {
    const sale = aSale({ entitlementId: id, productId, attributedAt: createdAt, ...inStatement(1, noon) });
    await store.sales.replace(null, sale, null, call);
    await store.affiliates.replace(null, anAffiliate({ handle: id, email: null, about: productId }), call);
    for (const slug of ['a', 'b'])
      await store.promotions.replace(null, aPromotion({ handle: id, slug, productId }), call);
  }
  for (const { id, productId } of all) {
    const statement = aStatement({ productId, handle: id });
    const sale = aSale({ entitlementId: `of-${id}`, productId, handle: id });
    await store.sales.replace(null, sale, null, call);
    const closed = { statement, lines: [{ sale: sale.id, from: 0, to: 1 }] };
    await store.statements.add(
      closed,
      statementEvent(statement, call, () => id),
      call,
    );
  }
  for (const { id, productId } of all) {
    await store.deliveryStreams.add([aStream({ endpointId: id, productId })], call);
  }
  await store.listings.put(
    all.map(({ id, productId }) => aListing({ slug: id, id, productId })),
    call,
  );
  return store;
}

/** Reads a part of a list after an item of it. `ownerOf` is the product of an item. */
interface List<Element> {
  readonly page: (ports: StorePorts, after: Element | null, limit: number, call: Call) => Promise<readonly Element[]>;
  readonly ownerOf: (element: Element) => string | null;
}

const everyPromotion = { handle: null, slug: null, productId: null, state: null };

const everySale = { productId: null, handle: null, currency: null };

const list = <Element>(made: List<Element>): List<unknown> => made as unknown as List<unknown>;

const byProduct = ({ productId }: { readonly productId: string | null }): string | null => productId;

const lists: Readonly<Record<string, List<unknown>>> = {
  'entitlements by id': list<Entitlement>({
    page: ({ allEntitlements }, after, limit, call) =>
      allEntitlements.page({ productId: null, reference: null, after: after?.id ?? null, limit }, call),
    ownerOf: byProduct,
  }),
  'entitlements by age': list<Entitlement>({
    page: ({ allEntitlements }, after, limit, call) =>
      allEntitlements.page({ order: 'newest', productId: null, after, limit }, call),
    ownerOf: byProduct,
  }),
  'app keys': list<AppKey>({
    page: ({ allAppKeys }, after, limit, call) => allAppKeys.page({ productId: null, after, limit }, call),
    ownerOf: byProduct,
  }),
  'operator keys': list<OperatorKey>({
    page: ({ allOperatorKeys }, after, limit, call) => allOperatorKeys.page({ after, limit }, call),
    ownerOf: ({ products }) => products?.[0] ?? null,
  }),
  products: list<Product>({
    page: ({ products }, after, limit, call) => products.page(after?.id ?? null, limit, call),
    ownerOf: ({ id }) => id,
  }),
  prices: list<PriceMapping>({
    page: ({ priceMap }, after, limit, call) => priceMap.page(after?.price ?? null, limit, call),
    ownerOf: byProduct,
  }),
  listings: list<Listing>({
    page: ({ allListings }, after, limit, call) =>
      allListings.page({ products: null, state: null, after: after?.slug ?? null, limit }, call),
    ownerOf: byProduct,
  }),
  endpoints: list<WebhookEndpoint>({
    page: ({ webhookEndpoints }, after, limit, call) =>
      webhookEndpoints.page({ products: null, after: after?.id ?? null, limit }, call),
    ownerOf: byProduct,
  }),
  streams: list<DeliveryStream>({
    page: ({ deliveryStreams }, after, limit, call) => deliveryStreams.page({ endpointId: null, after, limit }, call),
    ownerOf: byProduct,
  }),
  sales: list<Sale>({
    page: ({ sales }, after, limit, call) => sales.page({ ...everySale, after, limit }, call),
    ownerOf: byProduct,
  }),
  affiliates: list<Affiliate>({
    page: ({ affiliates }, after, limit, call) => affiliates.page(after?.handle ?? null, limit, call),
    ownerOf: ({ about }) => about,
  }),
  promotions: list<Promotion>({
    page: ({ promotions }, after, limit, call) => promotions.page({ ...everyPromotion, after, limit }, call),
    ownerOf: byProduct,
  }),
  statements: list<Statement>({
    page: ({ statements }, after, limit, call) => statements.page({ ...allStatements, after, limit }, call),
    ownerOf: byProduct,
  }),
  'lines of sales': list<Sale>({
    page: ({ sales }, after, limit, call) => sales.withLines(everySale, call.now, after, limit, call),
    ownerOf: byProduct,
  }),
};

/** The whole list, read in parts. */
async function walked({ page }: List<unknown>, ports: StorePorts, limit: number, call: Call): Promise<unknown[]> {
  const found: unknown[] = [];
  for (;;) {
    const part = await page(ports, found.at(-1) ?? null, limit, call);
    expect(part.length).to.be.at.most(limit);
    found.push(...part);
    if (part.length < limit) return found;
  }
}

describe('the lists of a limited caller', () => {
  for (const [name, each] of Object.entries(lists)) {
    it(`${name}: in any parts, they are those of all products without what others have`, async () => {
      await fc.assert(
        fc.asyncProperty(items, reaches, fc.integer({ min: 1, max: 9 }), async (all, reach, limit) => {
          const store = await storeWith(all);
          const products = new Set(reach);
          const whole = await each.page(store, null, 100, aCall());
          const own = whole.filter((one) => products.has(each.ownerOf(one) ?? ''));
          expect(await walked(each, limitedPorts(store), limit, aCall({ products }))).to.deep.equal(own);
        }),
        { numRuns: 60 },
      );
    });

    it(`${name}: of hundreds, no part is left out`, async () => {
      const many = range(450).map((index) => ({
        id: `id${index}`,
        productId: productIds[index % 3 === 0 ? 0 : 3] ?? '',
        createdAt: later(index % 5),
      }));
      const store = await storeWith(many);
      const call = aCall({ products: new Set(['p1', 'p2']) });
      const whole = await each.page(store, null, 1000, aCall());
      const own = whole.filter((one) => ['p1', 'p2'].includes(each.ownerOf(one) ?? ''));
      for (const limit of [40, 149, 1000]) {
        expect(await walked(each, limitedPorts(store), limit, call)).to.deep.equal(own);
      }
    });
  }

  it('are as long as the lists of their products together, up to a maximum', async () => {
    await fc.assert(
      fc.asyncProperty(items, reaches, fc.integer({ min: 1, max: 20 }), async (all, reach, max) => {
        const { listSizes } = limitedPorts(await storeWith(all));
        const call = aCall({ products: new Set(reach) });
        const own = all.filter(({ productId }) => reach.includes(productId));
        const sizeOf = (some: readonly Item[]): number => Math.min(max, some.length);
        expect(await listSizes.count({ kind: 'entitlements', productId: null }, max, call)).to.equal(sizeOf(own));
        expect(await listSizes.count({ kind: 'listings', products: null }, max, call)).to.equal(sizeOf(own));
        for (const productId of productIds) {
          expect(await listSizes.count({ kind: 'entitlements', productId }, max, call)).to.equal(
            sizeOf(own.filter((item) => item.productId === productId)),
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** A try of each method of each port that has something of a product. */
import { statementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../../core/call.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { tierEvent } from '../../../core/tier/tier-event.ts';
import { noChanges } from '../../../core/webhook/stream/set-aside.ts';
import { anAffiliate, aPromotion, aSale, aStatement } from '../affiliates/builders.ts';
import {
  aChangeRecord,
  aListing,
  anAppKey,
  anOperatorKey,
  aSubscription,
  aTrial,
  day,
  later,
  noon,
} from '../builders.ts';
import { anEndpoint, aStream } from '../webhooks/builders.ts';
import { mine, ofAll, resultOf, type Names } from './two-merchants.ts';

/** The ports with something of a product. */
export type Limited = Pick<
  StorePorts,
  | 'affiliates'
  | 'allAppKeys'
  | 'allEntitlements'
  | 'allListings'
  | 'allOperatorKeys'
  | 'deliveryStreams'
  | 'devices'
  | 'entitlementHistory'
  | 'events'
  | 'licenseMoves'
  | 'listings'
  | 'listSizes'
  | 'priceMap'
  | 'products'
  | 'promotions'
  | 'sales'
  | 'statements'
  | 'stripeCases'
  | 'tiers'
  | 'trials'
  | 'webhookEndpoints'
>;

/** The names that a caller asks about, and the ports from which its earlier reads come. */
export interface Seen {
  readonly names: Names;
  readonly from: StorePorts;
  readonly call: Call;
}

type Tries<Port> = { readonly [Name in keyof Port]: (port: Port, seen: Seen) => unknown };

function aCase(id: string): StripeCase {
  return { id, kind: 'not_sent', since: noon, detail: null, change: null, charge: null };
}

const limit = 1;

const anyPromotion = { handle: null, slug: null, productId: null, state: null };

const ofAnybody = { handle: null, currency: null };

const anyStatement = { handle: null, month: null, state: null };

/** The rank at which a limited caller begins, so that a listing is the same from every caller. */
const leastRank = { featured: false, storefrontCount: 0 };

export async function entitlementOf({ names, from, call }: Seen, id = names.entitlement) {
  return (await from.allEntitlements.find(id, call)) ?? aSubscription({ id, productId: names.productId, version: 9 });
}

export async function listingOf({ names, from, call }: Seen) {
  const found = await from.allListings.find(names.slug, call);
  return found ?? aListing({ slug: names.slug, id: 'lst-nobody', productId: 'nobody' });
}

async function streamOf({ names, from, call }: Seen) {
  const [stream] = await from.deliveryStreams.page({ endpointId: names.webhook, after: null, limit: 1 }, call);
  return stream ?? aStream({ endpointId: names.webhook, productId: 'nobody' });
}

/** Each method of each port, those that take something away last. */
export const tries: { readonly [Port in keyof Limited]: Tries<Limited[Port]> } = {
  allAppKeys: {
    find: (port, { names, call }) => port.find(names.appKey, call),
    page: async (port, { names, call }) => [
      await port.page({ productId: names.productId, after: null, limit }, call),
      await port.page({ productId: null, after: null, limit: 9 }, call),
      await port.page({ productId: null, after: { createdAt: noon, id: names.appKey }, limit: 9 }, call),
    ],
    add: (port, { names, call }) =>
      port.add(anAppKey({ id: `new-${names.appKey}`, digest: names.appKey, productId: names.productId }), call),
    end: (port, { names, call }) => port.end(names.appKey, { revokedAt: later(1) }, call),
  },
  allOperatorKeys: {
    find: (port, { names, call }) => port.find(names.operatorKey, call),
    page: async (port, { names, call }) => [
      await port.page({ after: null, limit: 9 }, call),
      await port.page({ after: { createdAt: noon, id: names.operatorKey }, limit: 9 }, call),
    ],
    add: (port, { names, call }) => {
      const products = names === ofAll ? null : [names.productId];
      return port.add(anOperatorKey({ id: `new-${names.operatorKey}`, digest: names.operatorKey, products }), call);
    },
    end: (port, { names, call }) => port.end(names.operatorKey, { expiresAt: later(1) }, call),
  },
  products: {
    find: (port, { names, call }) => port.find(names.productId, call),
    page: async (port, { call }) => [
      await port.page(null, 9, call),
      await port.page('a', 9, call),
      await port.page('n', 9, call),
    ],
    add: (port, { names, call }) => port.add({ id: names.productId, name: 'Added', createdAt: noon }, call),
    replace: (port, { names: { productId: id }, call }) =>
      port.replace({ id, name: `The ${id}`, createdAt: noon, ...plainFacts }, { ...plainFacts, name: 'Renamed' }, call),
    put: (port, { names, call }) => port.put({ id: names.productId, name: 'Put', createdAt: noon }, call),
  },
  priceMap: {
    find: (port, { names, call }) => port.find(names.price, call),
    page: (port, { call }) => port.page(null, 9, call),
    put: (port, { names: { price, productId }, call }) =>
      port.put({ price, productId, tierId: 'x', tierName: 'X', deviceLimit: null, updates: null }, call),
    remove: (port, { names, call }) => port.remove(names.price, call),
  },
  stripeCases: {
    find: (port, { names, call }) => port.find(names.entitlement, call),
    page: (port, { call }) => port.page(null, 9, call),
    count: (port, { call }) => port.count(call),
    put: (port, { names, call }) => port.put(aCase(names.entitlement), call),
    remove: (port, { names, call }) => port.remove(names.entitlement, ['not_sent'], call),
  },
  tiers: {
    find: (port, { names, call }) => port.find(names.productId, names.tier, call),
    page: (port, { names, call }) => port.page(names.productId, null, 9, call),
    all: (port, { call }) => port.all(call),
    replace: (port, { names: { productId, tier: id }, call }) => {
      const seen = { productId, id, terms: null, revision: 1 };
      const next = { ...seen, terms: { deviceLimit: 8, trial: null, features: {} }, revision: 2 };
      return port.replace(
        next,
        tierEvent(seen, next, call, () => `evt-${productId}`),
        call,
      );
    },
  },
  affiliates: {
    find: (port, { names, call }) => port.find(names.handle, call),
    findByAddress: (port, { names, call }) => port.findByAddress(`${names.handle}@EXAMPLE.com`, call),
    page: async (port, { names, call }) => [
      await port.page(null, 9, call),
      await port.page('ada-n', 9, call),
      await port.page(names.handle, limit, call),
    ],
    replace: async (port, { names: { handle }, from, call }) => {
      const seen = await from.affiliates.find(handle, call);
      return port.replace(seen, anAffiliate({ handle, name: 'Other', revision: (seen?.revision ?? 0) + 1 }), call);
    },
  },
  promotions: {
    find: (port, { names, call }) => port.find(names.handle, names.slug, call),
    ofAffiliate: (port, { names, call }) => port.ofAffiliate(names.handle, call),
    ofCode: (port, { names, call }) => port.ofCode(names.productId, names.code, call),
    count: (port, { names, call }) => port.count(names.slug, names.productId, call),
    page: async (port, { names: { handle, slug, productId }, call }) => [
      await port.page({ ...anyPromotion, after: null, limit: 9 }, call),
      await port.page({ ...anyPromotion, handle, slug, after: null, limit }, call),
      await port.page({ ...anyPromotion, productId, after: null, limit }, call),
      await port.page({ ...anyPromotion, after: { handle: 'ada-n', slug }, limit: 9 }, call),
    ],
    replace: async (port, { names: { handle, slug, productId }, from, call }) => {
      const seen = await from.promotions.find(handle, slug, call);
      const next = seen ?? aPromotion({ handle, slug, productId, revision: 0 });
      return port.replace(seen, { ...next, state: 'asked', revision: next.revision + 1 }, call);
    },
  },
  sales: {
    find: (port, { names, call }) => port.find(names.entitlement, call),
    named: (port, { names, call }) => port.named([aSale({ entitlementId: names.entitlement }).id], call),
    page: async (port, { names, call }) => [
      await port.page({ ...ofAnybody, productId: null, after: null, limit: 9 }, call),
      await port.page({ ...ofAnybody, productId: names.productId, after: null, limit }, call),
      await port.page({ ...ofAnybody, productId: null, after: { attributedAt: noon, id: 'sale_' }, limit: 9 }, call),
    ],
    replace: async (port, { names, from, call }) => {
      const { entitlement: entitlementId, productId } = names;
      const seen = await from.sales.find(entitlementId, call);
      const next = seen ?? aSale({ entitlementId, productId, revision: 0 });
      return port.replace(seen, { ...next, stated: 9, revision: next.revision + 1 }, null, call);
    },
    toLookAt: (port, { call }) => port.toLookAt(later(99 * day), 9, call),
    withLines: async (port, { names, call }) => [
      await port.withLines({ ...ofAnybody, productId: null }, later(99 * day), null, 9, call),
      await port.withLines({ ...ofAnybody, productId: names.productId }, noon, null, limit, call),
      await port.withLines({ ...ofAnybody, productId: null }, noon, { ...aSale(), productId: 'n' }, 9, call),
    ],
  },
  statements: {
    last: (port, { names, call }) => port.last(aStatement({ productId: names.productId }), call),
    find: (port, { names, call }) => port.find(names.statement, call),
    page: async (port, { names, call }) => [
      await port.page({ ...anyStatement, productId: null, after: null, limit: 9 }, call),
      await port.page({ ...anyStatement, productId: names.productId, after: null, limit }, call),
      await port.page({ ...anyStatement, productId: null, after: aStatement({ productId: 'n' }), limit: 9 }, call),
    ],
    lines: (port, { names, call }) => port.lines(names.statement, null, 9, call),
    add: (port, { names: { productId, entitlement }, call }) => {
      const statement = aStatement({ productId, number: 2 });
      const lines = [{ sale: aSale({ entitlementId: entitlement }).id, from: 9, to: 0 }];
      return port.add(
        { statement, lines },
        statementEvent(statement, call, () => `st-2-${productId}`),
        call,
      );
    },
    setPaid: async (port, { names, from, call }) => {
      const seen = (await from.statements.find(names.statement, call)) ?? aStatement({ productId: names.productId });
      const next = { ...seen, paid: { at: noon, method: 'sepa', reference: '1' }, revision: seen.revision + 1 };
      return port.setPaid(
        seen,
        next,
        statementEvent(next, call, () => `paid-${seen.id}`),
        call,
      );
    },
  },
  trials: {
    find: (port, { names, call }) => port.find(names.trial, call),
    page: (port, { names: { productId }, call }) =>
      port.page({ productId, entitlementId: null, after: null, limit: 9 }, call),
    add: (port, { names: { productId, trial: id }, call }) => port.add(aTrial({ id, productId }), call),
    replace: (port, { names: { productId, trial: id }, call }) =>
      port.replace(aTrial({ id, productId, endsAt: later(1), revision: 2 }), call),
    prune: (port, { call }) => port.prune(noon, call),
  },
  events: {
    page: (port, { names, call }) => port.page(names.productId, 0, 9, call),
    catchUp: (port, { call }) => port.catchUp(call),
    lastPosition: (port, { names, call }) => port.lastPosition(names.productId, call),
    lastPositions: (port, { names, call }) => port.lastPositions([names.productId, 'mine'], call),
    prune: (port, { names, call }) => port.prune(names.productId, later(1000), call),
  },
  allEntitlements: {
    find: (port, { names, call }) => port.find(names.entitlement, call),
    findByLicense: async (port, seen) =>
      port.findByLicense((await entitlementOf(seen)).license?.digest ?? 'none', seen.call),
    page: async (port, { names, call }) => [
      await port.page({ productId: names.productId, reference: null, after: null, limit }, call),
      await port.page({ productId: names.productId, reference: 'ref', after: null, limit }, call),
      await port.page({ productId: null, reference: null, after: null, limit: 9 }, call),
      await port.page({ productId: null, reference: null, after: 'ent-a', limit }, call),
      await port.page({ order: 'newest', productId: names.productId, after: null, limit }, call),
      await port.page({ order: 'newest', productId: null, after: null, limit: 9 }, call),
      await port.page({ order: 'newest', productId: null, after: { createdAt: noon, id: 'f' }, limit: 9 }, call),
    ],
    findExisting: (port, { names, call }) =>
      port.findExisting({ ids: ['none'], digests: ['none'], references: [`${names.productId}/ref`] }, call),
    add: (port, { names, call }) => {
      const entitlement = aSubscription({ id: `new-${names.entitlement}`, productId: names.productId, license: null });
      return port.add([{ entitlement, changeRecord: aChangeRecord(entitlement) }], call);
    },
    replace: async (port, seen) => {
      const entitlement = await entitlementOf(seen);
      const next = { ...entitlement, revision: entitlement.revision + 1, tierName: 'Replaced' };
      return port.replace(entitlement, next, aChangeRecord(next), seen.call);
    },
  },
  listSizes: {
    count: async (port, { names, call }) => [
      await port.count({ kind: 'entitlements', productId: null }, 99, call),
      await port.count({ kind: 'entitlements', productId: null }, 2, call),
      await port.count({ kind: 'entitlements', productId: names.productId }, 99, call),
      await port.count({ kind: 'listings', products: null }, 99, call),
      await port.count({ kind: 'listings', products: null }, 1, call),
      await port.count({ kind: 'waitlist' }, 99, call),
    ],
  },
  devices: {
    find: (port, { names, call }) => port.find(names.entitlement, names.device, call),
    page: (port, { names, call }) => port.page(names.entitlement, { after: null, limit: 9 }, call),
    counts: (port, { names, call }) => port.counts([names.entitlement, mine.entitlement], call),
    replace: async (port, seen) => {
      const entitlement = await entitlementOf(seen);
      const next = { ...entitlement, revision: entitlement.revision + 1 };
      return port.replace(entitlement, next, { gone: [], put: [], events: [] }, seen.call);
    },
    note: (port, { names, call }) =>
      port.note(names.entitlement, { id: names.device, name: 'New', seenAt: later(9) }, call),
  },
  entitlementHistory: { list: (port, { names, call }) => port.list(names.entitlement, call) },
  licenseMoves: {
    move: async (port, seen) => {
      const [from, to] = [await entitlementOf(seen, seen.names.ended), await entitlementOf(seen)];
      const next = { ...from, revision: from.revision + 1, license: null };
      const arrived = { ...to, revision: to.revision + 1 };
      return port.move(
        { seen: from, next, changeRecord: aChangeRecord(next) },
        { seen: to, next: arrived, changeRecord: aChangeRecord(arrived) },
        seen.call,
      );
    },
  },
  listings: {
    load: (port, { call }) => port.load(call),
    changesSince: (port, { call }) => port.changesSince('0', call),
    findExisting: (port, { call }) => port.findExisting({ slugs: ['none'], ids: ['none'] }, call),
    put: (port, { names, call }) => {
      const { productId } = names === ofAll ? { productId: null } : names;
      return port.put(
        [
          aListing({
            slug: `new-${names.slug}`,
            id: `new-${names.slug}`,
            productId,
            ...leastRank,
            publishedAt: call.now,
          }),
        ],
        call,
      );
    },
    replace: async (port, seen) => {
      const listing = await listingOf(seen);
      return port.replace(listing, { ...listing, name: 'Replaced' }, seen.call);
    },
    setState: async (port, { names, call }) => [
      await port.setState(names.slug, 'paused', call),
      await port.setState(names.slug, 'paused', call),
    ],
    setStorefronts: async (port, { names, call }) => [
      await port.setStorefronts(names.slug, 3, call),
      await port.setStorefronts(names.slug, 3, call),
    ],
  },
  allListings: {
    find: (port, { names, call }) => port.find(names.slug, call),
    page: async (port, { names, call }) => [
      await port.page({ products: null, state: null, after: null, limit: 9 }, call),
      await port.page({ products: null, state: 'live', after: names.slug, limit: 9 }, call),
    ],
    categories: (port, { call }) => port.categories(null, 9, call),
    delete: (port, { names, call }) => port.delete(names.slug, null, call),
  },
  deliveryStreams: {
    find: async (port, seen) => port.find(await streamOf(seen), seen.call, []),
    page: async (port, { names, call }) => [
      await port.page({ endpointId: names.webhook, after: null, limit: 9 }, call),
      await port.page({ endpointId: null, after: null, limit: 9 }, call),
    ],
    add: (port, { names, call }) =>
      port.add([aStream({ endpointId: names.webhook, addition: 'failed', productId: names.productId })], call),
    replace: async (port, seen) => {
      const stream = await streamOf(seen);
      return port.replace({ ...stream, fence: stream.fence + 1, cursor: 0 }, seen.call, noChanges);
    },
    next: async (port, seen) => [...(await port.next(await streamOf(seen), 9, seen.call))],
    remove: async (port, seen) => port.remove([await streamOf(seen)], seen.call),
  },
  webhookEndpoints: {
    find: (port, { names, call }) => port.find(names.webhook, call),
    page: async (port, { names, call }) => [
      await port.page({ products: null, after: null, limit: 9 }, call),
      await port.page({ products: null, after: names.webhook, limit: 9 }, call),
    ],
    add: (port, { names, call }) => {
      const productId = names === ofAll ? null : names.productId;
      return port.add(anEndpoint({ id: `new-${names.webhook}`, productId, isPublicOnly: true }), call);
    },
    replace: async (port, { names, from, call }) => {
      const found = await from.webhookEndpoints.find(names.webhook, call);
      const endpoint = found ?? anEndpoint({ id: names.webhook, productId: 'nobody' });
      return port.replace(
        { ...endpoint, state: 'disabled', reason: 'requested', revision: endpoint.revision + 1 },
        call,
      );
    },
    remove: (port, { names, call }) => port.remove(names.webhook, null, call),
  },
};

export type Method = readonly [port: keyof Limited, method: string];

export const methods: readonly Method[] = Object.entries(tries).flatMap(([port, own]) =>
  Object.keys(own).map((method) => [port as keyof Limited, method] as const),
);

/** The result of a try. */
export function resultIn(ports: StorePorts, [port, method]: Method, seen: Seen): Promise<unknown> {
  const own: unknown = ports[port];
  const run = (tries[port] as Readonly<Record<string, (port: unknown, seen: Seen) => unknown>>)[method];
  return resultOf(() => run?.(own, seen));
}

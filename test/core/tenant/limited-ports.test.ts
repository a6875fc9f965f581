import { expect } from 'chai';
import type { StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { Listing } from '../../../core/catalog/listing.ts';
import { plainFacts } from '../../../core/product/products.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import { tierEvent } from '../../../core/tier/tier-event.ts';
import {
  aChangeRecord,
  aListing,
  anAppKey,
  anOperatorKey,
  aSubscription,
  later,
  noon,
} from '../../support/builders.ts';
import { stores, type OpenedStore } from '../../support/stores/stores.ts';
import {
  addMerchant,
  addOwners,
  contentOf,
  limitedCall,
  mine,
  nobody,
  ofAll,
  other,
  resultOf,
  type Names,
} from '../../support/tenant/two-merchants.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** The ports with something of a product. */
type Limited = Pick<
  StorePorts,
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
  | 'stripeCases'
  | 'tiers'
  | 'webhookEndpoints'
>;

/** What a caller may have read before, and what a store has read for it. */
interface Seen {
  readonly names: Names;
  readonly from: StorePorts;
}

type Tries<Port> = { readonly [Method in keyof Port]: (port: Port, seen: Seen) => unknown };

function aCase(id: string): StripeCase {
  return { id, kind: 'not_sent', since: noon, detail: null, change: null, charge: null };
}

/** Begun with each test, because it has a deadline. */
let call = limitedCall({ now: later(5) });
let unlimited = limitedCall({ products: null });
const limit = 1;

async function entitlementOf({ names, from }: Seen, id = names.entitlement) {
  return (
    (await from.allEntitlements.find(id, unlimited)) ?? aSubscription({ id, productId: names.productId, version: 9 })
  );
}

async function listingOf({ names, from }: Seen) {
  const found = await from.allListings.find(names.slug, unlimited);
  return found ?? aListing({ slug: names.slug, id: 'lst-nobody', productId: 'nobody' });
}

async function streamOf({ names, from }: Seen) {
  const [stream] = await from.deliveryStreams.page({ endpointId: names.webhook, after: null, limit: 1 }, unlimited);
  return stream ?? aStream({ endpointId: names.webhook, productId: 'nobody' });
}

/** Each method of each port, those that take something away last. */
const tries: { readonly [Port in keyof Limited]: Tries<Limited[Port]> } = {
  allAppKeys: {
    find: (port, { names }) => port.find(names.appKey, call),
    page: async (port, { names }) => [
      await port.page({ productId: names.productId, after: null, limit }, call),
      await port.page({ productId: null, after: null, limit: 9 }, call),
      await port.page({ productId: null, after: { createdAt: noon, id: names.appKey }, limit: 9 }, call),
    ],
    add: (port, { names }) =>
      port.add(anAppKey({ id: `new-${names.appKey}`, digest: names.appKey, productId: names.productId }), call),
    end: (port, { names }) => port.end(names.appKey, { revokedAt: later(1) }, call),
  },
  allOperatorKeys: {
    find: (port, { names }) => port.find(names.operatorKey, call),
    page: async (port, { names }) => [
      await port.page({ after: null, limit: 9 }, call),
      await port.page({ after: { createdAt: noon, id: names.operatorKey }, limit: 9 }, call),
    ],
    add: (port, { names }) => {
      const products = names === ofAll ? null : [names.productId];
      return port.add(anOperatorKey({ id: `new-${names.operatorKey}`, digest: names.operatorKey, products }), call);
    },
    end: (port, { names }) => port.end(names.operatorKey, { expiresAt: later(1) }, call),
  },
  products: {
    find: (port, { names }) => port.find(names.productId, call),
    page: async (port) => [
      await port.page(null, 9, call),
      await port.page('a', 9, call),
      await port.page('n', 9, call),
    ],
    add: (port, { names }) => port.add({ id: names.productId, name: 'Added', createdAt: noon }, call),
    replace: (port, { names: { productId: id } }) =>
      port.replace({ id, name: `The ${id}`, createdAt: noon, ...plainFacts }, { ...plainFacts, name: 'Renamed' }, call),
    put: (port, { names }) => port.put({ id: names.productId, name: 'Put', createdAt: noon }, call),
  },
  priceMap: {
    find: (port, { names }) => port.find(names.price, call),
    page: (port) => port.page(null, 9, call),
    put: (port, { names: { price, productId } }) =>
      port.put({ price, productId, tierId: 'x', tierName: 'X', deviceLimit: null }, call),
    remove: (port, { names }) => port.remove(names.price, call),
  },
  stripeCases: {
    find: (port, { names }) => port.find(names.entitlement, call),
    page: (port) => port.page(null, 9, call),
    count: (port) => port.count(call),
    put: (port, { names }) => port.put(aCase(names.entitlement), call),
    remove: (port, { names }) => port.remove(names.entitlement, ['not_sent'], call),
  },
  tiers: {
    find: (port, { names }) => port.find(names.productId, names.tier, call),
    page: (port, { names }) => port.page(names.productId, null, 9, call),
    all: (port) => port.all(call),
    replace: (port, { names: { productId, tier: id } }) => {
      const seen = { productId, id, terms: null, revision: 1 };
      const next = { ...seen, terms: { deviceLimit: 8, features: {} }, revision: 2 };
      return port.replace(
        next,
        tierEvent(seen, next, call, () => `evt-${productId}`),
        call,
      );
    },
  },
  events: {
    page: (port, { names }) => port.page(names.productId, 0, 9, call),
    catchUp: (port) => port.catchUp(call),
    lastPosition: (port, { names }) => port.lastPosition(names.productId, call),
    lastPositions: (port, { names }) => port.lastPositions([names.productId, 'mine'], call),
    prune: (port, { names }) => port.prune(names.productId, later(1000), call),
  },
  allEntitlements: {
    find: (port, { names }) => port.find(names.entitlement, call),
    findByLicense: async (port, seen) =>
      port.findByLicense((await entitlementOf(seen)).license?.digest ?? 'none', call),
    page: async (port, { names }) => [
      await port.page({ productId: names.productId, reference: null, after: null, limit }, call),
      await port.page({ productId: names.productId, reference: 'ref', after: null, limit }, call),
      await port.page({ productId: null, reference: null, after: null, limit: 9 }, call),
      await port.page({ productId: null, reference: null, after: 'ent-a', limit }, call),
      await port.page({ order: 'newest', productId: names.productId, after: null, limit }, call),
      await port.page({ order: 'newest', productId: null, after: null, limit: 9 }, call),
      await port.page({ order: 'newest', productId: null, after: { createdAt: noon, id: 'f' }, limit: 9 }, call),
    ],
    findExisting: (port, { names }) =>
      port.findExisting({ ids: ['none'], digests: ['none'], references: [`${names.productId}/ref`] }, call),
    add: (port, { names }) => {
      const entitlement = aSubscription({ id: `new-${names.entitlement}`, productId: names.productId, license: null });
      return port.add([{ entitlement, changeRecord: aChangeRecord(entitlement) }], call);
    },
    replace: async (port, seen) => {
      const entitlement = await entitlementOf(seen);
      const next = { ...entitlement, revision: entitlement.revision + 1, tierName: 'Replaced' };
      return port.replace(entitlement, next, aChangeRecord(next), call);
    },
  },
  listSizes: {
    count: async (port, { names }) => [
      await port.count({ kind: 'entitlements', productId: null }, 99, call),
      await port.count({ kind: 'entitlements', productId: null }, 2, call),
      await port.count({ kind: 'entitlements', productId: names.productId }, 99, call),
      await port.count({ kind: 'listings', products: null }, 99, call),
      await port.count({ kind: 'listings', products: [names.productId] }, 99, call),
      await port.count({ kind: 'waitlist' }, 99, call),
    ],
  },
  devices: {
    find: (port, { names }) => port.find(names.entitlement, names.device, call),
    page: (port, { names }) => port.page(names.entitlement, { after: null, limit: 9 }, call),
    counts: (port, { names }) => port.counts([names.entitlement, mine.entitlement], call),
    replace: async (port, seen) => {
      const entitlement = await entitlementOf(seen);
      const next = { ...entitlement, revision: entitlement.revision + 1 };
      return port.replace(entitlement, next, { gone: [], put: [], events: [] }, call);
    },
    note: (port, { names }) => port.note(names.entitlement, { id: names.device, name: 'New', seenAt: later(9) }, call),
  },
  entitlementHistory: { list: (port, { names }) => port.list(names.entitlement, call) },
  licenseMoves: {
    move: async (port, seen) => {
      const [from, to] = [await entitlementOf(seen, seen.names.ended), await entitlementOf(seen)];
      const next = { ...from, revision: from.revision + 1, license: null };
      const arrived = { ...to, revision: to.revision + 1 };
      return port.move(
        { seen: from, next, changeRecord: aChangeRecord(next) },
        { seen: to, next: arrived, changeRecord: aChangeRecord(arrived) },
        call,
      );
    },
  },
  listings: {
    load: (port) => port.load(call),
    changesSince: (port) => port.changesSince('0', call),
    findExisting: (port) => port.findExisting({ slugs: ['none'], ids: ['none'] }, call),
    put: (port, { names }) => {
      const { productId } = names === ofAll ? { productId: null } : names;
      return port.put(
        [aListing({ slug: `new-${names.slug}`, id: `new-${names.slug}`, productId, featured: true })],
        call,
      );
    },
    replace: async (port, seen) => {
      const listing = await listingOf(seen);
      return port.replace(listing, { ...listing, name: 'Replaced', featured: false, storefrontCount: 77 }, call);
    },
    setState: async (port, { names }) => [
      await port.setState(names.slug, 'paused', call),
      await port.setState(names.slug, 'paused', call),
    ],
  },
  allListings: {
    find: (port, { names }) => port.find(names.slug, call),
    page: async (port, { names }) => [
      await port.page({ products: null, state: null, after: null, limit: 9 }, call),
      await port.page({ products: [names.productId], state: 'live', after: 'a', limit: 9 }, call),
    ],
    categories: async (port, { names }) => [
      await port.categories(null, 9, call),
      await port.categories([names.productId], 9, call),
    ],
    delete: (port, { names }) => port.delete(names.slug, null, call),
  },
  deliveryStreams: {
    find: async (port, seen) => port.find(await streamOf(seen), call),
    page: async (port, { names }) => [
      await port.page({ endpointId: names.webhook, after: null, limit: 9 }, call),
      await port.page({ endpointId: null, after: null, limit: 9 }, call),
    ],
    add: (port, { names }) =>
      port.add([aStream({ endpointId: names.webhook, addition: 'failed', productId: names.productId })], call),
    replace: async (port, seen) => {
      const stream = await streamOf(seen);
      return port.replace({ ...stream, fence: stream.fence + 1, cursor: 0 }, call);
    },
    remove: async (port, seen) => port.remove([await streamOf(seen)], call),
  },
  webhookEndpoints: {
    find: (port, { names }) => port.find(names.webhook, call),
    page: async (port, { names }) => [
      await port.page({ products: null, after: null, limit: 9 }, call),
      await port.page({ products: [names.productId], after: null, limit: 9 }, call),
    ],
    add: (port, { names }) => {
      const productId = names === ofAll ? null : names.productId;
      return port.add(anEndpoint({ id: `new-${names.webhook}`, productId, isPublicOnly: false }), call);
    },
    replace: async (port, { names, from }) => {
      const found = await from.webhookEndpoints.find(names.webhook, unlimited);
      const endpoint = found ?? anEndpoint({ id: names.webhook, productId: 'nobody' });
      return port.replace(
        { ...endpoint, state: 'disabled', reason: 'requested', revision: endpoint.revision + 1 },
        call,
      );
    },
    remove: (port, { names }) => port.remove(names.webhook, null, call),
  },
};

const methods = Object.entries(tries).flatMap(([port, own]) =>
  Object.keys(own).map((method) => [port as keyof Limited, method] as const),
);

const isMine = (productId: string | null): boolean => productId === 'mine';
const isNotMine = (productId: string | null): boolean => productId !== 'mine';

const runIn = (store: StorePorts, port: keyof Limited, method: string, seen: Seen): Promise<unknown> => {
  const own: unknown = limitedPorts(store)[port];
  const run = (tries[port] as Readonly<Record<string, (port: unknown, seen: Seen) => unknown>>)[method];
  return resultOf(() => run?.(own, seen));
};

for (const { name, open } of stores) {
  describe(`the ports of a limited caller, on the ${name} store`, () => {
    let full: OpenedStore;
    let alone: OpenedStore;

    before(async () => {
      [full, alone] = [await open(), await open()];
      for (const store of [full, alone]) await addMerchant(store, mine);
      await addMerchant(full, other);
      await addOwners(full);
      for (const store of [full, alone]) await store.settle();
    });

    beforeEach(() => {
      call = limitedCall({ now: later(5) });
      unlimited = limitedCall({ products: null });
    });

    after(async () => {
      await full.close();
      await alone.close();
    });

    for (const [port, method] of methods) {
      it(`${port}.${method} meets nothing that another has`, async () => {
        const before = await contentOf(full, isNotMine);
        for (const names of [other, ofAll, nobody]) {
          // What is seen is the same thing in both, which only one of them has.
          const seen = { names, from: full };
          expect(await runIn(full, port, method, seen), names.slug).to.deep.equal(
            await runIn(alone, port, method, seen),
          );
        }
        expect(await contentOf(full, isNotMine)).to.deep.equal(before);
      });
    }

    it('listings.put and replace keep what ranks a listing, and give a new one the least of it', async () => {
      const { listings } = limitedPorts(full);
      const rank = { featured: true, storefrontCount: 77, publishedAt: later(-9) };
      const least = { featured: false, storefrontCount: 0, publishedAt: call.now };
      const known = await listingOf({ names: mine, from: full });
      const { featured, storefrontCount, publishedAt } = known;
      await listings.put([{ ...known, ...rank, blurb: 'Put' }], call);
      const put = await listingOf({ names: mine, from: full });
      expect(put).to.deep.equal({ ...known, blurb: 'Put' });
      await listings.replace(put, { ...put, ...rank, blurb: 'Replaced' }, call);
      const replaced = await listingOf({ names: mine, from: full });
      expect(replaced).to.deep.include({ blurb: 'Replaced', featured, storefrontCount, publishedAt });
      expect((await listings.replace(replaced, known, call)).kind).to.equal('replaced');
      for (const [slug, add] of [
        ['ranked-1', (made: Listing) => listings.put([made], call)],
        ['ranked-2', (made: Listing) => listings.replace(null, made, call)],
      ] as const) {
        await add(aListing({ slug, id: slug, productId: 'mine', ...rank }));
        expect(await full.allListings.find(slug, unlimited)).to.deep.include(least);
        await full.allListings.delete(slug, null, unlimited);
      }
    });

    it('licenseMoves.move takes no license from another, nor to one', async () => {
      const { licenseMoves } = limitedPorts(full);
      const own = await entitlementOf({ names: mine, from: full });
      const others = await entitlementOf({ names: other, from: full });
      const changed = (seen: typeof own) => {
        const next = { ...seen, revision: seen.revision + 1 };
        return { seen, next, changeRecord: aChangeRecord(next) };
      };
      const refused = { refused: 'limited_key', message: 'limited_key' };
      const before = await contentOf(full, () => true);
      const added = { ...own, id: 'sub_1', license: null };
      for (const [from, to] of [
        [changed(own), changed(others)],
        [changed(others), changed(own)],
        [changed(own), { entitlement: added, changeRecord: aChangeRecord(added) }],
        [changed(own), { entitlement: { ...others, id: 'n1' }, changeRecord: aChangeRecord(others) }],
      ] as const) {
        expect(await resultOf(() => licenseMoves.move(from, to, call))).to.deep.equal(refused);
      }
      expect(await contentOf(full, () => true)).to.deep.equal(before);
    });

    for (const [port, method] of methods) {
      it(`${port}.${method} does to its own what it does where there is nothing else`, async () => {
        const before = await contentOf(full, isNotMine);
        const inFull = await runIn(full, port, method, { names: mine, from: full });
        expect(inFull).to.deep.equal(await runIn(alone, port, method, { names: mine, from: alone }));
        expect(await contentOf(full, isNotMine)).to.deep.equal(before);
        expect(await contentOf(full, isMine)).to.deep.equal(await contentOf(alone, isMine));
      });
    }
  });
}

import { expect } from 'chai';
import type { Administration } from '../../../core/administration/administration.ts';
import type { Call } from '../../../core/call.ts';
import { limitedPorts } from '../../../core/tenant/limited-ports.ts';
import { aCall, aListing, anAppKey, aProduct, aSubscription, granted, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { memory, type OpenedStore } from '../../support/stores/stores.ts';
import { listened, type Question } from '../../support/tenant/listened.ts';
import { methods, resultIn } from '../../support/tenant/port-tries.ts';
import { addMerchant, addOwners, mine, other, seeded } from '../../support/tenant/two-merchants.ts';
import { anEndpoint, aStream } from '../../support/webhooks/builders.ts';

/** The number of questions to the store is the same on every machine; the time that they take is not. */
describe('an unlimited caller', () => {
  let limited: OpenedStore;
  let bare: OpenedStore;

  before(async () => {
    [limited, bare] = [await memory.open(), await memory.open()];
    for (const store of [limited, bare]) {
      await addMerchant(store, mine);
      await addMerchant(store, other);
      await addOwners(store);
    }
  });

  after(async () => {
    await limited.close();
    await bare.close();
  });

  for (const method of methods) {
    it(`${method.join('.')} asks the store what it would ask without limits`, async () => {
      const [through, past] = [listened(limited), listened(bare)];
      const call = aCall({ now: later(5) });
      const found = await resultIn(limitedPorts(through.ports), method, { names: mine, from: limited, call });
      expect(found).to.deep.equal(await resultIn(past.ports, method, { names: mine, from: bare, call }));
      expect(through.questions).to.deep.equal(past.questions);
      expect(past.questions).to.not.deep.equal([]);
    });
  }
});

const twenty = range(20).map((index) => `prod-${String(index).padStart(2, '0')}`);

const productOf = (index: number): string => twenty[index % 20] ?? '';

type Work = (a: Administration, call: Call) => unknown;

const page = { after: null, limit: 50 };
const everything = { productId: null, reference: null, status: null, endsBefore: null };
const everyOne = { state: null, search: null, category: null };

/** The number of calls to the store by an unlimited caller, and by one that is limited to twenty products. */
const costs: Readonly<Record<string, readonly [work: Work, unlimited: number, limited: number]>> = {
  'show an entitlement': [(a, call) => a.showEntitlement('ent-1', call), 2, 2],
  'find an entitlement': [(a, call) => a.findEntitlement('ent-1', call), 1, 1],
  'show the history of one': [(a, call) => a.showHistory('ent-1', call), 2, 3],
  'list the devices of one': [(a, call) => a.listDevices('ent-1', call), 3, 4],
  'list entitlements': [(a, call) => a.listEntitlements(everything, page, call), 2, 29],
  'list the newest entitlements': [
    (a, call) => a.listEntitlements({ ...everything, order: 'newest' }, page, call),
    2,
    31,
  ],
  'list the entitlements of a product': [
    (a, call) => a.listEntitlements({ ...everything, productId: 'prod-03' }, page, call),
    2,
    2,
  ],
  'list all app keys': [(a, call) => Array.fromAsync(a.everyAppKey(() => call)), 1, 20],
  'list listings': [(a, call) => a.listListings(everyOne, page, call), 1, 1],
  'list operator keys': [(a, call) => a.listOperatorKeys(page, call), 1, 1],
  'list products': [(a, call) => a.listProducts(page, call), 1, 20],
  'list endpoints': [(a, call) => a.listWebhooks(page, call), 1, 1],
  'count entitlements': [(a, call) => a.countList({ kind: 'entitlements', productId: null }, 1000, call), 1, 20],
  'count listings': [(a, call) => a.countList({ kind: 'listings', products: null }, 1000, call), 1, 1],
};

/** The greatest number of items that the questions ask for. */
const itemsIn = (questions: readonly Question[]): number =>
  questions
    .flatMap(([, [part]]) => (typeof part === 'object' && part !== null && 'limit' in part ? [Number(part.limit)] : []))
    .reduce((sum, limit) => sum + limit, 0);

describe('a caller that is limited to twenty products', () => {
  let store: OpenedStore;
  const products = new Set(twenty);
  /** Three times a page, and a share of it for each product. */
  const mostItems = 3 * 51 + 20 * 3;

  before(async () => {
    store = await memory.open();
    const call = aCall();
    for (const id of [...twenty, 'prod-other']) await store.products.add(aProduct({ id }), call);
    const ids = range(1000);
    await store.allEntitlements.add(
      granted(
        ids.map((index) =>
          aSubscription({
            id: `ent-${index}`,
            productId: productOf(index),
            reference: null,
            license: null,
            createdAt: later(index),
          }),
        ),
      ),
      call,
    );
    for (const index of range(40)) {
      const [id, productId] = [`key-${index}`, productOf(index)];
      await store.allAppKeys.add(anAppKey({ id, productId, digest: id, createdAt: later(index) }), call);
    }
    await store.listings.put(
      range(40).map((index) => aListing({ slug: `slug-${index}`, id: `lst-${index}`, productId: productOf(index) })),
      call,
    );
  });

  after(() => store.close());

  for (const [name, [work, unlimited, limited]] of Object.entries(costs)) {
    it(`asks the store ${limited} times to ${name}, and an unlimited one ${unlimited} times`, async () => {
      const { ports, methodsOf } = listened(store);
      const a = seeded(ports, name);
      expect(await methodsOf(() => work(a, aCall()))).to.have.length(unlimited);
      expect(await methodsOf(() => work(a, aCall({ products })))).to.have.length(limited);
    });
  }

  it('asks once for an endpoint, whatever the number of its streams', async () => {
    const endpointId = 'whk-20';
    await store.webhookEndpoints.add(anEndpoint({ id: endpointId, productId: 'prod-00' }), aCall());
    const streams = range(9).map((index) => aStream({ endpointId, addition: `${index}`, productId: 'prod-00' }));
    await store.deliveryStreams.add(streams, aCall());
    const { ports, methodsOf } = listened(store);
    const { deliveryStreams } = limitedPorts(ports);
    const asked = await methodsOf(async () => {
      const found = await deliveryStreams.page({ endpointId, after: null, limit: 50 }, aCall({ products }));
      expect(found).to.deep.equal(streams);
    });
    expect(asked).to.deep.equal(['deliveryStreams.page', 'webhookEndpoints.find']);
  });

  it('asks for shares of a page, and for more of a product that has more of it', async () => {
    const { ports, questions, methodsOf } = listened(store);
    const a = seeded(ports, 'shares');
    const call = aCall({ products });
    await methodsOf(() => a.listEntitlements({ ...everything, order: 'newest' }, page, call));
    expect(itemsIn(questions)).to.be.at.most(mostItems);
    const skewed = range(200).map((index) =>
      aSubscription({
        id: `skewed-${index}`,
        productId: 'prod-07',
        reference: null,
        license: null,
        createdAt: later(5000 + index),
      }),
    );
    await store.allEntitlements.add(granted(skewed), aCall());
    const asked = await methodsOf(() => a.listEntitlements({ ...everything, order: 'newest' }, page, call));
    // All of the page is of one product: 3 items of it are read, then 6, 12, 24 and 48.
    expect(asked).to.have.length(1 + 20 + 4);
    expect(itemsIn(questions)).to.be.at.most(mostItems);
  });
});

import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { checkProduct } from '../../../core/check/check-product.ts';
import { EventFaults, EventIds } from '../../../core/check/event-faults.ts';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, anEvent, aSubscription, granted, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { interposed } from '../../support/stores/interposed.ts';

describe('the check of a product', () => {
  let data: MemoryStore;
  let ports: StorePorts;
  beforeEach(() => {
    data = new MemoryStore();
    ({ ports } = openMemoryStore(retentionFor(defaultTtl), data));
  });

  const add = (...all: readonly Subscription[]) => ports.allEntitlements.add(granted(all), aCall());
  const ahead = { sequence: 2, version: 2 };
  const putAhead = (...ids: readonly string[]): void => {
    for (const id of ids) data.entitlements.set(id, aSubscription({ id, ...ahead }));
  };

  const check = async (from = ports): Promise<readonly [count: number, ...messages: readonly string[]]> => {
    const faults = new EventFaults('events');
    const count = await checkProduct({ ...from, faults, ids: new EventIds() }, 'prod_1', aCall);
    return [count, ...faults.findings('good').map(({ message }) => message)];
  };

  /** The ports of a store in which the last event of each of these entitlements waits for its position. */
  const withWaiting = (
    sequences: Readonly<Record<string, number>>,
    batches: (readonly string[])[] = [],
  ): StorePorts => {
    const waitingSequences = async (_productId: string, ids: readonly string[]) => {
      batches.push(ids);
      return new Map(Object.entries(sequences));
    };
    const maintenance = Object.assign(Object.create(ports.maintenance), { waitingSequences });
    return { ...ports, maintenance: maintenance as StorePorts['maintenance'] };
  };

  it('counts its events, and finds nothing wrong with entitlements that are older than all events', async () => {
    await add(aSubscription({ id: 'a', sequence: 1 }), aSubscription({ id: 'b', sequence: 1 }));
    await add(aSubscription({ id: 'old', version: 3 }), aSubscription({ id: 'c', productId: 'prod_2', sequence: 1 }));
    const batches: (readonly string[])[] = [];
    expect(await check(withWaiting({}, batches))).to.deep.equal([2, 'good']);
    expect(batches).to.deep.equal([]);
  });

  it('compares an entitlement with its last event', async () => {
    await add(...['a', 'b', 'c'].map((id) => aSubscription({ id, sequence: 1 })));
    data.entitlements.set('a', aSubscription({ id: 'a', sequence: 0, version: 7 }));
    data.entitlements.set('b', aSubscription({ id: 'b', sequence: 1, version: 7 }));
    expect(await check()).to.deep.equal([
      3,
      'The last event of entitlement a of product prod_1 has the sequence 1, but the entitlement has 0.',
      'The last event of entitlement b of product prod_1 shows version 1, but the entitlement has 7.',
    ]);
  });

  it('names the entitlements that events are of and that do not exist', async () => {
    const event = anEvent(aSubscription({ id: 'gone', sequence: 1 }));
    data.events.set('prod_1', { removed: 0, stored: [{ event, storedAt: noon }] });
    expect(await check()).to.deep.equal([1, 'Product prod_1 has events of entitlement gone, which does not exist.']);
  });

  it('names the entitlements whose last event is neither in the log nor waits for its position', async () => {
    await add(...['a', 'b', 'c'].map((id) => aSubscription({ id, sequence: 1 })));
    putAhead('a', 'b', 'c');
    expect(await check(withWaiting({ a: 2, b: 1 }))).to.deep.equal([
      3,
      'The last event of entitlement b of product prod_1 is missing: it has the sequence 2.',
      'The last event of entitlement c of product prod_1 is missing: it has the sequence 2.',
    ]);
    expect(await check(withWaiting({ a: 2, b: 3, c: 2 }))).to.deep.equal([3, 'good']);
  });

  it('looks up the waiting events of two hundred entitlements at once', async () => {
    const ids = range(401).map((index) => `ent_${1000 + index}`);
    await add(...ids.map((id) => aSubscription({ id, sequence: 1 })));
    putAhead(...ids);
    const batches: (readonly string[])[] = [];
    const waiting = Object.fromEntries(ids.map((id) => [id, 2]));
    expect(await check(withWaiting(waiting, batches))).to.deep.equal([401, 'good']);
    expect(batches).to.deep.equal([ids.slice(0, 200), ids.slice(200, 400), ids.slice(400)]);
  });

  it('reads what is stored between the log and the entitlements', async () => {
    await add(aSubscription({ id: 'a', sequence: 1 }));
    const allEntitlements = interposed(ports.allEntitlements, () => {
      if (data.entitlements.get('a')?.sequence === 2) return;
      putAhead('a');
      data.events.get('prod_1')?.stored.push({ event: anEvent(aSubscription({ id: 'a', ...ahead })), storedAt: noon });
    });
    expect(await check({ ...ports, allEntitlements })).to.deep.equal([2, 'good']);
  });

  it('misses no event of an entitlement whose events are no longer kept', async () => {
    await add(aSubscription({ id: 'a', sequence: 1 }), aSubscription({ id: 'b', sequence: 1 }));
    data.events.get('prod_1')?.stored.shift();
    expect((await check()).slice(1)).to.deep.equal([
      'The last event of entitlement a of product prod_1 is missing: it has the sequence 1.',
    ]);
    data.events.set('prod_1', { removed: 1, stored: data.events.get('prod_1')?.stored ?? [] });
    expect(await check()).to.deep.equal([1, 'good']);
  });
});

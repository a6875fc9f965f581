import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { publicPartOf } from '../../../adapters/crypto/signing.ts';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import { recountAllStorefronts } from '../../../core/affiliate/recount-storefronts.ts';
import { checkStore } from '../../../core/check/check-store.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import { isOfEntitlement } from '../../../core/feed/logged-event.ts';
import type { KeyRing } from '../../../core/receipt/key-ring.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { anAffiliate, aPromotion } from '../../support/affiliates/builders.ts';
import { aCall, aListing, aSubscription, granted, later, noon } from '../../support/builders.ts';
import { failing } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { aKeyRing } from '../../support/receipts/key-rings.ts';

const failingPage = (): never => {
  throw new Error('secret');
};

/** The contract of stores that can be copied has more: test/contracts/feed/checked-events.contract.ts. */
describe('checkStore', () => {
  let data: MemoryStore;
  let ports: StorePorts;
  beforeEach(async () => {
    data = new MemoryStore();
    ({ ports } = openMemoryStore(retentionFor(defaultTtl), data));
    for (const id of ['prod_1', 'prod_2']) {
      await ports.products.add({ id, name: id, createdAt: noon }, aCall());
      const own = ['a', 'b'].map((name) => aSubscription({ id: `${id}-${name}`, productId: id, sequence: 1 }));
      await ports.allEntitlements.add(granted(own), aCall());
    }
  });

  it('names what is wrong with a store in memory', async () => {
    expect(await messages()).to.deep.equal([
      [true, 'All 4 events are complete and in order.'],
      [true, 'All 0 devices are counted in their entitlements.'],
      [true, 'Each promotion that goes on is of an affiliate who has not ended, and each sale of a promotion.'],
      [true, 'Each listing counts the storefronts that it has.'],
      [true, 'All 0 statements add up, and each sale says what they say of it.'],
      [true, 'The deliveries to every webhook endpoint are within the events that are kept.'],
      [true, 'There are no signing keys yet: a server makes them at its start.'],
    ]);
    data.events.get('prod_2')?.stored.pop();
    expect((await messages())[0]).to.deep.equal([
      false,
      'The last event of entitlement prod_2-b of product prod_2 is missing: it has the sequence 1.',
    ]);
  });

  it('says which events cannot be read, and checks the others', async () => {
    const { events } = ports;
    const unreadable = withPage((id, ...where) =>
      id === 'prod_1' ? Promise.reject(new Error('secret')) : events.page(id, ...where),
    );
    data.events.get('prod_2')?.stored.pop();
    expect((await messages(unreadable)).slice(0, 2)).to.deep.equal([
      [false, 'The events of product prod_1 could not be read.'],
      [false, 'The last event of entitlement prod_2-b of product prod_2 is missing: it has the sequence 1.'],
    ]);
  });

  it('says that the events, the devices, the deliveries or the signing keys cannot be read', async () => {
    const fault = { method: 'page', nth: 1, when: 'before' } as const;
    const products = failing(ports.products, fault);
    const deliveryStreams = failing(ports.deliveryStreams, fault);
    const devices = failing(ports.devices, { ...fault, method: 'counts' });
    const promotions = Object.assign(Object.create(ports.promotions), {
      page: failingPage,
    }) as StorePorts['promotions'];
    const signingKeys = failing(ports.signingKeys, { ...fault, method: 'read' });
    // The first reading is that of the events, which ends with the products.
    const statements = failing(ports.statements, fault);
    const sales = failing(ports.sales, fault);
    const findings = await checkStore(
      { ...ports, devices, products, promotions, deliveryStreams, signingKeys, sales, statements },
      digest,
      publicPartOf,
    )(() => aCall());
    expect(findings.slice(3)).to.deep.equal([
      { check: 'events', ok: false, message: 'The events could not be read.' },
      { check: 'devices', ok: false, message: 'The devices could not be read.' },
      { check: 'affiliates', ok: false, message: 'The promotions could not be read.' },
      { check: 'affiliates', ok: false, message: 'The sales could not be read.' },
      { check: 'storefronts', ok: false, message: 'The storefronts could not be read.' },
      { check: 'statements', ok: false, message: 'The statements could not be read.' },
      { check: 'webhooks', ok: false, message: 'The deliveries could not be read.' },
      { check: 'signing-keys', ok: false, message: 'The signing keys could not be read.' },
    ]);
  });

  it('names entitlements that count other devices than they have, and reads again what has changed meanwhile', async () => {
    const device = { name: null, activatedAt: noon, seenAt: noon, offlineUntil: null };
    const setUsed = (id: string, devicesUsed: number, revision: number): void => {
      const entitlement = data.entitlements.get(id);
      if (entitlement !== undefined) data.entitlements.set(id, { ...entitlement, devicesUsed, revision });
    };
    data.devices.set('prod_1-a', new Map([['dev_1', { id: 'dev_1', ...device }]]));
    data.devices.set('prod_2-a', new Map([['dev_2', { id: 'dev_2', ...device }]]));
    setUsed('prod_2-a', 2, 1);
    const counts: StorePorts['devices']['counts'] = (ids, call) => {
      setUsed('prod_1-a', 1, 2);
      return ports.devices.counts(ids, call);
    };
    const meanwhile = Object.assign(Object.create(ports.devices), { counts }) as StorePorts['devices'];
    expect((await messages({ ...ports, devices: meanwhile }))[1]).to.deep.equal([
      false,
      'Entitlement prod_2-a of product prod_2 counts 2 devices, but has 1.',
    ]);
    setUsed('prod_2-a', 1, 2);
    expect((await messages())[1]).to.deep.equal([true, 'All 2 devices are counted in their entitlements.']);
  });

  it('is content with events that have waited for a minute, and not with older ones', async () => {
    expect((await messages(since(60_000))).map(([ok]) => ok)).to.deep.equal(Array(7).fill(true));
    expect((await messages(since(60_001)))[0]).to.deep.equal([
      false,
      'Events have been waiting for their positions since 2026-07-18T11:58:59.999Z: start a server, which moves them to the feed.',
    ]);
  });

  it('is content with signing keys in every state, and names those that are not whole', async () => {
    const ring = aKeyRing();
    const { active, next, past } = ring;
    const [newest] = past;
    if (newest === undefined) throw new Error('the ring has keys that are past');
    expect(await keyFindings(ring)).to.deep.equal([[true, 'All 6 signing keys are whole.']]);
    expect(await keyFindings({ ...ring, active: { ...active, x: next.x } })).to.deep.equal([
      [false, `Signing key ${active.kid} is another key.`],
    ]);
    expect(await keyFindings({ ...ring, next: { ...active, state: 'next' } })).to.deep.equal([
      [false, `Signing key ${active.kid} is there twice.`],
    ]);
    for (const d of ['', next.d.slice(1), `A${next.d}`, `${next.d}A`, 'A'.repeat(43)]) {
      expect(await keyFindings({ ...ring, next: { ...next, d } })).to.deep.equal([
        [false, `Signing key ${next.kid} has no private half.`],
      ]);
    }
    const swapped = { ...ring, active: { ...active, d: next.d }, next: { ...next, d: active.d } };
    expect(await keyFindings(swapped)).to.deep.equal([
      [false, `Signing key ${active.kid} has the private half of another key.`],
      [false, `Signing key ${next.kid} has the private half of another key.`],
    ]);
    const kept = { ...newest, d: active.d };
    expect(await keyFindings({ ...ring, past: [kept, ...past.slice(1)] })).to.deep.equal([
      [false, `Signing key ${newest.kid} still has its private half.`],
    ]);
  });

  it('names promotions that go on without their affiliate, and storefronts that are counted otherwise', async () => {
    const call = aCall();
    const found = async (): Promise<unknown> => (await messages()).slice(2, 4);
    const listing = aListing({ slug: 'sketchpad', productId: 'prod_1' });
    await ports.listings.put([listing], call);
    const [ada, gone] = [anAffiliate(), anAffiliate({ handle: 'gone', state: 'ended' })];
    for (const one of [ada, gone]) await ports.affiliates.replace(null, one, call);
    for (const handle of ['ada', 'gone', 'nobody']) {
      await ports.promotions.replace(null, aPromotion({ handle, state: handle === 'ada' ? 'live' : 'asked' }), call);
    }
    await ports.promotions.replace(null, aPromotion({ handle: 'gone', slug: 'old', state: 'ended' }), call);
    expect((await messages()).slice(2, 5)).to.deep.equal([
      [false, 'Affiliate gone has ended, but not the promotion of sketchpad: repeat affiliate end.'],
      [false, 'Promotion nobody sketchpad is of an affiliate who does not exist.'],
      [false, 'Listing sketchpad counts 0 storefronts, but has 1: a server counts them again within ten minutes.'],
    ]);
    await recountAllStorefronts(ports)(
      () => call,
      () => false,
    );
    for (const handle of ['gone', 'nobody']) {
      const seen = await ports.promotions.find(handle, 'sketchpad', call);
      await ports.promotions.replace(seen, aPromotion({ handle, state: 'ended', revision: 2 }), call);
    }
    expect(await found()).to.deep.equal([
      [true, 'Each promotion that goes on is of an affiliate who has not ended, and each sale of a promotion.'],
      [true, 'Each listing counts the storefronts that it has.'],
    ]);
  });

  it('goes on behind events that are removed meanwhile', async () => {
    const log = data.events.get('prod_1');
    if (log === undefined) throw new Error('the product has events');
    const [a, b] = log.stored.flatMap(({ event }) => (isOfEntitlement(event) ? [event] : []));
    if (a === undefined || b === undefined) throw new Error('the product has two events');
    // The events of both, in turn: the last ones have the sequence 600.
    const all = range(1200).map((index) => {
      const { id, entitlement } = index % 2 === 0 ? a : b;
      return { ...a, id: `${id}-${index}`, entitlement, sequence: Math.floor(index / 2) + 1 };
    });
    log.stored.splice(0, 2, ...all.map((event) => ({ event, storedAt: noon })));
    for (const { id } of [a.entitlement, b.entitlement]) {
      const entitlement = data.entitlements.get(id);
      if (entitlement !== undefined) data.entitlements.set(id, { ...entitlement, sequence: 600 });
    }
    expect((await messages())[0]).to.deep.equal([true, 'All 1202 events are complete and in order.']);
    const page: StorePorts['events']['page'] = async (productId, after, limit, call) => {
      const found = await ports.events.page(productId, after, limit, call);
      if (productId === 'prod_1' && log.removed === 0) {
        log.stored.splice(0, 701);
        log.removed = 701;
      }
      return found;
    };
    expect((await messages(withPage(page)))[0]).to.deep.equal([true, 'All 1001 events are complete and in order.']);
  });

  async function keyFindings(ring: KeyRing): Promise<readonly unknown[]> {
    data.keyRing = ring;
    return (await messages()).slice(6);
  }

  function withPage(page: StorePorts['events']['page']): StorePorts {
    const { events } = ports;
    const prune: typeof events.prune = (...what) => events.prune(...what);
    const catchUp: typeof events.catchUp = (call) => events.catchUp(call);
    const lastPosition: typeof events.lastPosition = (...what) => events.lastPosition(...what);
    const lastPositions: typeof events.lastPositions = (...what) => events.lastPositions(...what);
    return { ...ports, events: { page, prune, catchUp, lastPosition, lastPositions } };
  }

  /** The ports of a store whose oldest waiting event was stored so long ago. */
  function since(milliseconds: number): StorePorts {
    const oldestWaitingEvent = async () => later(-milliseconds);
    return {
      ...ports,
      maintenance: Object.assign(Object.create(ports.maintenance), { oldestWaitingEvent }) as StorePorts['maintenance'],
    };
  }

  async function messages(from = ports): Promise<readonly (readonly [ok: boolean, message: string])[]> {
    const findings = await checkStore(from, digest, publicPartOf)(() => aCall());
    expect(findings.slice(0, 3).map(({ check }) => check)).to.deep.equal(['schema', 'integrity', 'write']);
    return findings.slice(3).map(({ ok, message }) => [ok, message]);
  }
});

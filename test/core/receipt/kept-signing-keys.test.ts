import { expect } from 'chai';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { MemorySigningKeys } from '../../../adapters/memory/receipt/memory-signing-keys.ts';
import { KeptSigningKeys } from '../../../core/receipt/kept-signing-keys.ts';
import { revokedIn, rotated, type KeyRing } from '../../../core/receipt/key-ring.ts';
import { aCall, day, later } from '../../support/builders.ts';
import { aFreshRing, signingKeysOf } from '../../support/receipts/key-rings.ts';
import { thrownBy } from '../../support/thrown.ts';

/** The keys of a store whose answers can be held back or fail, and that counts how often they are read. */
class WatchedKeys extends MemorySigningKeys {
  reads = 0;
  isBroken = false;
  /** Awaited between the look at the store and the answer. */
  delay: Promise<void> = Promise.resolve();

  override async read(): Promise<KeyRing | null> {
    this.reads += 1;
    const { delay } = this;
    if (this.isBroken) throw new Error('the store is out of reach');
    const ring = await super.read();
    await delay;
    return ring;
  }
}

describe('the signing keys as a process knows them', () => {
  let stored: WatchedKeys;
  let now: number;
  let kept: KeptSigningKeys;
  const first = aFreshRing();
  const second = rotated(first, signingKeysOf('second'), later(day));

  beforeEach(async () => {
    stored = new WatchedKeys(new MemoryStore());
    await stored.replace(first);
    now = 0;
    kept = new KeptSigningKeys(stored, () => now);
  });

  it('are read once for five seconds, however many receipts are signed', async () => {
    for (now = 0; now < 5000; now += 100) expect(await known()).to.equal(1);
    expect(stored.reads).to.equal(1);
  });

  it('are read once by all that need them at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, known));
    expect(stored.reads).to.equal(1);
  });

  it('are read in the background from then on, so that no receipt waits for it', async () => {
    await known();
    await stored.replace(second);
    const { promise, resolve } = Promise.withResolvers<void>();
    stored.delay = promise;
    now = 5000;
    expect(await Promise.all([known(), known()])).to.deep.equal([1, 1]);
    expect(stored.reads).to.equal(2);
    resolve();
    await promise;
    await settled();
    expect([await known(), stored.reads]).to.deep.equal([2, 2]);
  });

  it('are never older than ten seconds, also if nothing was signed meanwhile', async () => {
    await known();
    await stored.replace(second);
    now = 10_000;
    expect([await known(), stored.reads]).to.deep.equal([2, 2]);
  });

  it('are a revoked key no longer than ten seconds, however often they are asked for', async () => {
    await known();
    const revoked = revokedIn(first, first.active.kid, signingKeysOf('after'), later(day));
    await stored.replace(revoked);
    for (now = 0; now < 10_000; now += 250) await known();
    expect(await known()).to.equal(2);
  });

  it('outlive a store that is out of reach for ten seconds, and are not read again at every receipt', async () => {
    await known();
    stored.isBroken = true;
    for (now = 5000; now < 10_000; now += 100) expect(await known()).to.equal(1);
    expect(stored.reads).to.equal(2);
    now = 10_000;
    expect(await thrownBy(known())).to.be.instanceOf(Error);
    stored.isBroken = false;
    expect(await known()).to.equal(1);
  });

  it('are known at once after a change of its own', async () => {
    await known();
    expect(await kept.replace(second, aCall())).to.deep.equal({ kind: 'replaced' });
    expect(await known()).to.equal(2);
    expect(await kept.replace({ ...first, revision: 7 }, aCall())).to.deep.equal({ kind: 'stale' });
    expect([await known(), stored.reads]).to.deep.equal([2, 1]);
  });

  it('are not forgotten for what was read before a change and arrives after it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stored.delay = promise;
    const before = known();
    await settled();
    await kept.replace(second, aCall());
    resolve();
    expect(await before).to.equal(1);
    expect(await known()).to.equal(2);
  });

  it('are what was read last, also if what was read before it arrives later', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stored.delay = promise;
    const before = kept.read(aCall());
    await settled();
    stored.delay = Promise.resolve();
    await stored.replace(second);
    now = 1;
    expect((await kept.read(aCall()))?.revision).to.equal(2);
    resolve();
    expect((await before)?.revision).to.equal(1);
    expect(await known()).to.equal(2);
    const third = rotated(second, signingKeysOf('third'), later(day));
    await stored.replace(third);
    await kept.read(aCall());
    expect(await known()).to.equal(3);
  });

  it('are looked for again, at most every five seconds, where there are none', async () => {
    stored = new WatchedKeys(new MemoryStore());
    kept = new KeptSigningKeys(stored, () => now);
    for (now = 0; now < 5000; now += 100) expect(await known()).to.equal(null);
    expect(stored.reads).to.equal(1);
    await stored.replace(first);
    expect([await known(), stored.reads]).to.deep.equal([1, 2]);
  });

  async function known(): Promise<number | null> {
    return (await kept.known(aCall()))?.revision ?? null;
  }
});

/** Lets everything happen that waits for nothing from outside. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

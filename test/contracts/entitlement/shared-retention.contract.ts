import { expect } from 'chai';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import type { Retention } from '../../../core/entitlement/idempotency/retention.ts';
import { pruneStore } from '../../../core/maintenance/maintain-store.ts';
import { aCall, aChangeRecord, aRecord, aSubscription, changed, granted, hour, later } from '../../support/builders.ts';
import { freshStore, type OpenedStore, type OpenStore } from '../../support/stores/stores.ts';

const short: Retention = { milliseconds: 25 * hour, recordsPerEntitlement: 3 };
const long: Retention = { milliseconds: 100 * hour, recordsPerEntitlement: 3 };
const key = 'key-00000001';

/** The promises of servers about idempotency records, which other processes of the same store keep for them. */
export function sharedRetentionContract(open: OpenStore): void {
  describe('the retention that processes share', () => {
    const store = freshStore(open, short);
    const opened: OpenedStore[] = [];
    afterEach(async () => {
      for (const other of opened.splice(0)) await other.close();
    });

    it('is the maximum that a server promised, in a process with a shorter setting', async () => {
      const server = await openWith(long, true);
      const seen = await stored('ent_1');
      await write(server, seen, key, 0);
      const end = long.milliseconds;
      for (const process of [store(), await openWith(short, true)]) {
        expect(await isKept(process, key, end - 1)).to.equal(true);
        expect(await write(process, changed(seen), key, end - 1)).to.deep.equal({ kind: 'key taken' });
        expect(await prune(process, end - 1)).to.equal(0);
        expect(await isKept(process, key, end)).to.equal(false);
      }
      expect(await prune(store(), end)).to.equal(1);
    });

    it('keeps promised records when a process with a shorter setting writes their entitlement', async () => {
      const server = await openWith(long, true);
      const seen = await stored('ent_1');
      await write(server, seen, key, 0);
      const next = changed(seen);
      expect(await write(store(), next, 'key-00000002', 90 * hour)).to.deep.equal({ kind: 'replaced' });
      expect(await isKept(server, key, long.milliseconds - 1)).to.equal(true);
    });

    it('counts promised records towards the limit of an entitlement', async () => {
      const server = await openWith(long, true);
      let seen = await stored('ent_1');
      for (const number of [1, 2, 3]) {
        await write(server, seen, `key-0000000${number}`, number);
        seen = changed(seen);
      }
      const full = { kind: 'full', roomAt: later(1 + long.milliseconds) };
      expect(await write(store(), seen, 'key-00000004', 50 * hour)).to.deep.equal(full);
    });

    it('is learned of by a process that was there before the server', async () => {
      const seen = await stored('ent_1');
      await write(store(), await stored('ent_2'), 'key-00000002', 0);
      await write(await openWith(long, true), seen, key, 1);
      expect(await isKept(store(), key, 50 * hour)).to.equal(true);
      expect(await prune(store(), 50 * hour)).to.equal(0);
    });

    it('is promised for as long as the server writes records', async () => {
      const server = await openWith(long, true);
      for (const hours of [0, 0.9, 1.1, 30, 60]) {
        await write(server, await stored(`ent_${hours}`), `key-after-${hours}`, hours * hour);
      }
      expect(await isKept(store(), 'key-after-60', 60 * hour + long.milliseconds - 1)).to.equal(true);
    });

    it('ends when everything has expired that was promised under it', async () => {
      const server = await openWith(long, true);
      const first = await stored('ent_1');
      await write(server, first, key, 0);
      await write(store(), await stored('ent_2'), 'key-00000002', 90 * hour);
      expect(await isKept(store(), 'key-00000002', 90 * hour + short.milliseconds)).to.equal(false);
    });

    it('is not prolonged by a process that serves nobody', async () => {
      const command = await openWith(long, false);
      const seen = await stored('ent_1');
      await write(store(), seen, key, 0);
      expect(await isKept(command, key, short.milliseconds)).to.equal(true);
      expect(await isKept(store(), key, short.milliseconds)).to.equal(false);
    });

    it('lets a process whose clock is far ahead of the mark remove or ignore no record', async () => {
      const seen = await stored('ent_1');
      await write(store(), seen, key, 0);
      await store().clockMarks.raise(later(0), aCall());
      const wrong = await openWith(short, true);
      const ahead = 40 * 24 * hour;
      const next = changed(seen);
      expect(await write(wrong, next, key, ahead)).to.deep.equal({ kind: 'key taken' });
      expect(await write(wrong, next, 'key-00000002', ahead)).to.deep.equal({ kind: 'replaced' });
      expect(await prune(await openWith(short, false), ahead)).to.equal(0);
      expect(await isKept(store(), key, short.milliseconds - 1)).to.equal(true);
    });

    it('is what it was once the mark shows that the clock is right', async () => {
      await write(store(), await stored('ent_1'), key, 0);
      await store().clockMarks.raise(later(0), aCall());
      const server = await openWith(short, true);
      const ahead = 40 * 24 * hour;
      expect(await isKept(server, key, ahead)).to.equal(true);
      await store().clockMarks.raise(later(ahead), aCall());
      expect(await isKept(server, key, ahead + hour)).to.equal(false);
    });

    async function openWith(retention: Retention, serves: boolean): Promise<OpenedStore> {
      const other = await store().openWith(retention, { serves });
      opened.push(other);
      return other;
    }

    async function stored(id: string): Promise<Subscription> {
      const entitlement = aSubscription({ id });
      await store().allEntitlements.add(granted([entitlement]), aCall());
      return entitlement;
    }
  });
}

/** Writes `milliseconds` after noon. */
function write({ entitlements }: OpenedStore, seen: Subscription, idempotencyKey: string, milliseconds: number) {
  const call = aCall({ now: later(milliseconds) });
  const record = aRecord(seen, { key: idempotencyKey, at: call.now });
  return entitlements.replace(seen, changed(seen), record, aChangeRecord(changed(seen)), call);
}

/** Whether a key has a live record `milliseconds` after noon. */
async function isKept({ idempotencyRecords }: OpenedStore, idempotencyKey: string, milliseconds: number) {
  const call = aCall({ now: later(milliseconds) });
  return (await idempotencyRecords.find('prod_1', idempotencyKey, call)) !== null;
}

/** Removes what has expired `milliseconds` after noon, and returns the number. */
function prune({ maintenance }: OpenedStore, milliseconds: number): Promise<number> {
  return pruneStore(maintenance)(() => aCall({ now: later(milliseconds) }));
}

import { expect } from 'chai';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import type { Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';
import { aCall, aChangeRecord, aRecord, aSubscription, changed, granted, hour, later } from '../../support/builders.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';

const retention: Retention = { milliseconds: 25 * hour, recordsPerEntitlement: 3 };
const key = 'key-00000001';

/**
 * The time for which records count, and their number: a promise that `Entitlements` and `IdempotencyRecords` keep
 * together.
 */
export function retentionContract(open: OpenStore): void {
  describe('the retention of records', () => {
    const store = freshStore(open, retention);

    it('expires a record at its exact age', async () => {
      const seen = await stored('ent_1');
      await replace(seen, key, 0);
      expect(await holder(key, retention.milliseconds - 1)).to.equal('ent_1');
      expect(await holder(key, retention.milliseconds)).to.equal(null);
    });

    it('refuses a key until its record expires, and accepts it from then on', async () => {
      const seen = await stored('ent_1');
      await replace(seen, key, 0);
      expect(await replace(changed(seen), key, retention.milliseconds - 1)).to.deep.equal({ kind: 'key taken' });
      expect(await replace(changed(seen), key, retention.milliseconds)).to.deep.equal({ kind: 'replaced' });
      expect(await holder(key, 2 * retention.milliseconds - 1)).to.equal('ent_1');
    });

    it('accepts a key on another entitlement once its record has expired', async () => {
      const [a, b, c] = [await stored('a'), await stored('b'), await stored('c')];
      await replace(a, key, 0);
      expect(await replace(b, key, retention.milliseconds - 1)).to.deep.equal({ kind: 'key taken' });
      expect(await replace(b, key, retention.milliseconds)).to.deep.equal({ kind: 'replaced' });
      expect(await replace(c, key, retention.milliseconds)).to.deep.equal({ kind: 'key taken' });
      expect(await holder(key, retention.milliseconds)).to.equal('b');
    });

    it('keeps the new record of a key when the entitlement that had the expired one is written', async () => {
      const [a, b] = [await stored('a'), await stored('b')];
      await replace(a, key, 0);
      await replace(b, key, retention.milliseconds);
      await replace(changed(a), 'key-00000002', retention.milliseconds + 1);
      expect(await holder(key, retention.milliseconds + 2)).to.equal('b');
    });

    it('removes the expired records of an entitlement with its next write, and leaves the live ones', async () => {
      const seen = await stored('ent_1');
      await replace(seen, 'key-00000001', 0);
      await replace(changed(seen), 'key-00000002', 1);
      await replace(changed(changed(seen)), 'key-00000003', retention.milliseconds);
      expect(await holder('key-00000001', 0)).to.equal(null);
      expect(await holder('key-00000002', 1)).to.equal('ent_1');
    });

    it('refuses more live records of an entitlement than allowed, and returns when there is room', async () => {
      const full = await filled('ent_1');
      const outcome = await replace(full, 'key-00000004', 30);
      expect(outcome).to.deep.equal({ kind: 'full', roomAt: later(10 + retention.milliseconds) });
      expect(await holder('key-00000004', 30)).to.equal(null);
      expect(await store().entitlements.find('ent_1', 'prod_1', aCall())).to.deep.equal(full);
    });

    it('has room at the instant that it named, and not a millisecond before', async () => {
      const full = await filled('ent_1');
      const soon = 10 + retention.milliseconds;
      expect(await replace(full, 'key-00000004', soon - 1)).to.deep.equal({ kind: 'full', roomAt: later(soon) });
      expect(await replace(full, 'key-00000004', soon)).to.deep.equal({ kind: 'replaced' });
      expect(await replace(changed(full), 'key-00000005', soon)).to.deep.equal({
        kind: 'full',
        roomAt: later(soon + 5),
      });
    });

    it('counts the records of each entitlement separately', async () => {
      await filled('ent_1');
      expect(await replace(await stored('ent_2'), 'key-00000004', 30)).to.deep.equal({ kind: 'replaced' });
    });

    it('is stale before it is full, so that the next attempt decides', async () => {
      const full = await filled('ent_1');
      const stale = { ...full, revision: full.revision - 1 };
      expect(await replace(stale, 'key-00000004', 30)).to.deep.equal({ kind: 'stale' });
    });

    it('stays full when an administrator changes the entitlement', async () => {
      const full = await filled('ent_1');
      const moved = { version: full.version + 1, revision: full.revision + 1, sequence: full.sequence + 1 };
      const renamed = { ...full, ...moved, standing: 'past_due' as const };
      await store().allEntitlements.replace(full, renamed, aChangeRecord(renamed), aCall());
      const outcome = await replace(renamed, 'key-00000004', 30);
      expect(outcome).to.deep.equal({ kind: 'full', roomAt: later(10 + retention.milliseconds) });
      expect(await holder('key-00000002', 30)).to.equal('ent_1');
    });

    async function stored(id: string): Promise<Subscription> {
      const entitlement = aSubscription({ id });
      await store().allEntitlements.add(granted([entitlement]), aCall());
      return entitlement;
    }

    /** An entitlement with three records, made 10, 15 and 20 ms after noon, the oldest neither first nor last. */
    async function filled(id: string): Promise<Subscription> {
      const first = await stored(id);
      const second = changed(first);
      const third = changed(second);
      await replace(first, 'key-00000001', 15);
      await replace(second, 'key-00000002', 10);
      await replace(third, 'key-00000003', 20);
      return changed(third);
    }

    /** Writes `milliseconds` after noon. */
    function replace(
      seen: Subscription,
      idempotencyKey: string,
      milliseconds: number,
    ): Promise<ReplaceOutcome<NoRecord>> {
      const call = aCall({ now: later(milliseconds) });
      const record = aRecord(seen, { key: idempotencyKey, at: call.now });
      return store().entitlements.replace(seen, changed(seen), record, aChangeRecord(changed(seen)), call);
    }

    /** The id of the entitlement that has the live record of a key `milliseconds` after noon. */
    async function holder(idempotencyKey: string, milliseconds: number): Promise<string | null> {
      const record = await store().idempotencyRecords.find(
        'prod_1',
        idempotencyKey,
        aCall({ now: later(milliseconds) }),
      );
      return record?.entitlementId ?? null;
    }
  });
}

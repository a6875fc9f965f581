import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { changeCancellation, type Precondition } from '../../../../core/entitlement/merchant/change-cancellation.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import { aCall, aChangeRecord, aSubscription, granted, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const next = 'key-of-the-next-one';

describe('changeCancellation, of an entitlement with the maximum of records', () => {
  const retention = retentionFor(defaultTtl);

  describe('a thousand', () => {
    const store = freshStore(memory.open, retention);

    it('refuses the 1,001st change until there is room, and still replays', async () => {
      await fill(store());
      const full = { code: 'too_many_changes', details: { retryAt: later(retention.milliseconds) } };
      expect(await refusalOf(cancel(store(), next, 2000))).to.deep.equal(full);
      expect((await cancel(store(), 'key-999', 2000)).replayed).to.equal(true);
      expect(await refusalOf(cancel(store(), next, retention.milliseconds - 1))).to.deep.equal(full);
      expect((await cancel(store(), next, retention.milliseconds)).replayed).to.equal(false);
    });
  });

  describe('three', () => {
    const few = { ...retention, recordsPerEntitlement: 3 };
    const store = freshStore(memory.open, few);

    it('refuses a used key, an unknown entitlement, a precondition and an ended one before a full one', async () => {
      const seen = await fill(store(), 3);
      expect((await refusalOf(cancel(store(), 'key-0', 2000, 'ent_2'))).code).to.equal('idempotency_key_reused');
      expect((await refusalOf(cancel(store(), next, 2000, 'ent_2'))).code).to.equal('entitlement_not_found');
      const unmet = cancel(store(), next, 2000, 'ent_1', () => false);
      expect((await refusalOf(unmet)).code).to.equal('precondition_failed');
      const moved = { version: seen.version + 1, revision: seen.revision + 1, sequence: seen.sequence + 1 };
      const revoked = { ...seen, ...moved, hold: { kind: 'revoked', at: later(1) } } as const;
      await store().allEntitlements.replace(seen, revoked, aChangeRecord(revoked), aCall());
      expect((await refusalOf(cancel(store(), next, 2000))).code).to.equal('entitlement_ended');
      expect((await cancel(store(), 'key-0', 2000)).replayed).to.equal(true);
    });
  });

  /** Cancels with `count` keys, a millisecond apart. */
  async function fill(store: StorePorts, count = retention.recordsPerEntitlement): Promise<Entitlement> {
    await store.allEntitlements.add(granted([aSubscription()]), aCall());
    for (const index of range(count)) await cancel(store, `key-${index}`, index);
    const filled = await store.allEntitlements.find('ent_1', aCall());
    if (filled === null) throw new Error('the entitlement is gone');
    return filled;
  }
});

function cancel(
  store: StorePorts,
  idempotencyKey: string,
  milliseconds: number,
  entitlementId = 'ent_1',
  precondition: Precondition | null = null,
) {
  const request = { operation: 'cancel', entitlementId, productId: 'prod_1', idempotencyKey, precondition } as const;
  return changeCancellation(
    store.entitlements,
    store.idempotencyRecords,
    nodePlatform.newEventId,
  )(request, aCall({ now: later(milliseconds) }));
}

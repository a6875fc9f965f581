import { expect } from 'chai';
import { openMemoryStore } from '../../../../adapters/memory/open-memory-store.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import type { Call } from '../../../../core/call.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import {
  changeCancellation,
  type CancellationAnswer,
  type Precondition,
} from '../../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import type { StorePorts } from '../../../../core/store/store.port.ts';
import { aCall, aSubscription, granted, later } from '../../../support/builders.ts';
import { interposed } from '../../../support/stores/interposed.ts';
import { refusalOf } from '../../../support/thrown.ts';

describe('a precondition of a cancellation', () => {
  const seen = aSubscription();
  let ports: StorePorts;

  beforeEach(async () => {
    ({ ports } = openMemoryStore(retentionFor(defaultTtl)));
    await ports.allEntitlements.add(granted([seen]), aCall());
  });

  it('sees the entitlement before the change, and when that changed', async () => {
    const given: unknown[] = [];
    await cancel((...current) => given.push(...current) > 0);
    expect(given).to.deep.equal([snapshotAt(seen, later(0)), seen.updatedAt]);
  });

  it('refuses the change if it is not met, and leaves the key unused', async () => {
    expect(await refusalOf(cancel(() => false))).to.deep.equal({ code: 'precondition_failed', details: {} });
    expect(await ports.allEntitlements.find('ent_1', aCall())).to.deep.equal(seen);
    expect((await cancel(() => true)).replayed).to.equal(false);
  });

  it('is evaluated again on what another writer has left', async () => {
    let isFirst = true;
    const entitlements = interposed(ports.entitlements, async (method) => {
      if (method !== 'replace' || !isFirst) return;
      isFirst = false;
      await cancel(null, {}, { idempotencyKey: 'of-the-other' });
    });
    const seenVersions: number[] = [];
    const isFirstVersion: Precondition = ({ version }) => seenVersions.push(version) > 0 && version === 1;
    const refusal = await refusalOf(cancel(isFirstVersion, {}, { entitlements }));
    expect([refusal.code, seenVersions]).to.deep.equal(['precondition_failed', [1, 2]]);
  });

  it('does not matter to a replay', async () => {
    const first = await cancel(null);
    expect(await cancel(() => false, { now: later(1) })).to.deep.equal({ ...first, replayed: true });
  });

  function cancel(
    precondition: Precondition | null,
    call: Partial<Call> = {},
    { idempotencyKey = 'k1', entitlements = ports.entitlements } = {},
  ): Promise<CancellationAnswer> {
    const request = { operation: 'cancel', entitlementId: 'ent_1', productId: 'prod_1', idempotencyKey } as const;
    const change = changeCancellation(entitlements, ports.idempotencyRecords, nodePlatform.newEventId);
    return change({ ...request, precondition }, aCall(call));
  }
});

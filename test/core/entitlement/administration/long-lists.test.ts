import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import type { EntitlementFilter } from '../../../../core/entitlement/administration/list-entitlements.ts';
import { aCall, aSubscription, granted } from '../../../support/builders.ts';
import { maxTurnDuring } from '../../../support/event-loop.ts';
import { heapInUse } from '../../../support/heap.ts';
import { range } from '../../../support/range.ts';
import { linearPass, warmLinearPass } from '../../../support/run/linear-pass.ts';
import { rounds } from '../../../support/run/long-runs.ts';
import { freshStore, sqlite } from '../../../support/stores/stores.ts';

const count = rounds(10_000, 100_000);
const batch = 2000;

/** Linear passes over 130 kB for which a walk may hold the event loop at a time. */
const maxHold = 2;

/** The first walks are slower, because their code is not compiled yet, and one may meet a garbage collection. */
const attempts = 5;

/** Bytes by which the heap may grow from the first page to the last; the entitlements would take ten times as much at least. */
const maxGrowth = 2_000_000;

const everything: EntitlementFilter = { productId: null, reference: null, status: null, endsBefore: null };

describe(`a walk over ${count} entitlements on SQLite, in pages of 100`, () => {
  const store = freshStore(sqlite.open);

  it('holds the event loop for at most two linear passes at a time and keeps memory flat, whatever its filter', async () => {
    for (let start = 0; start < count; start += batch) {
      const some = range(batch).map((index) => numbered(start + index));
      await store().allEntitlements.add(granted(some), aCall());
    }
    await expectEasyWalk(null, count);
    await expectEasyWalk('active', (count * 9) / 10);
    await expectEasyWalk('suspended', count / 10);
    await expectEasyWalk('revoked', 0);
  });

  async function expectEasyWalk(status: EntitlementFilter['status'], expected: number): Promise<void> {
    const filter = { ...everything, status };
    warmLinearPass();
    let hold = Infinity;
    for (let attempt = 0; attempt < attempts && hold > maxHold; attempt += 1) {
      hold = Math.min(hold, (await maxTurnDuring(() => walk(filter))) / linearPass());
    }
    expect(hold, `linear passes of a turn, status ${status}`).to.be.at.most(maxHold);
    let first: number | null = null;
    const seen = await walk(filter, () => (first ??= heapInUse()));
    const growth = heapInUse() - (first ?? 0);
    expect(seen, `seen with status ${status}`).to.equal(expected);
    expect(growth, `bytes of growth, status ${status}`).to.be.below(maxGrowth);
  }

  /** Walks to the end and returns how many entitlements it has seen. */
  async function walk(filter: EntitlementFilter, onPage: () => void = () => {}): Promise<number> {
    const { listEntitlements } = administrationOf(store(), nodePlatform);
    let seen = 0;
    let after: string | null = null;
    do {
      const page = await listEntitlements(filter, { after, limit: 100 }, aCall());
      seen += page.items.length;
      after = page.next;
      onPage();
    } while (after !== null);
    return seen;
  }
});

/** One of ten is suspended. */
function numbered(index: number): ReturnType<typeof aSubscription> {
  const id = `ent_${String(index).padStart(6, '0')}`;
  return aSubscription({ id, ...(index % 10 === 0 && { hold: { kind: 'suspended' } }) });
}

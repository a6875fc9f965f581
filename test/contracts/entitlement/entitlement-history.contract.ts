import { expect } from 'chai';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import { maxHistory, type HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import {
  aCall,
  aChangeRecord,
  aLicense,
  anEntry,
  aRecord,
  aSubscription,
  changed,
  granted,
  later,
} from '../../support/builders.ts';
import { failing, InjectedFault, moments } from '../../support/failing.ts';
import { range } from '../../support/range.ts';
import { beside, freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { thrownBy } from '../../support/thrown.ts';

export function entitlementHistoryContract(open: OpenStore): void {
  describe('EntitlementHistory', () => {
    const store = freshStore(open);

    it('has every member of each entry, the newest first', async () => {
      const seen = aSubscription();
      const added = aChangeRecord(seen, {
        at: later(1),
        by: 'operator:opk_1',
        operation: 'imported',
        correlationId: 'a-1',
      });
      await store().allEntitlements.add([{ entitlement: seen, changeRecord: added }], aCall());
      const next = changed(seen);
      const suspended = aChangeRecord(next, {
        at: later(2),
        by: "command:O'Brien \\ $x",
        operation: 'suspended',
        reason: 'dispute_lost',
      });
      await store().allEntitlements.replace(seen, next, suspended, aCall());
      const last = changed(next);
      const undone = aChangeRecord(last, { by: 'app-key:key_1', operation: 'cancellation_undone' });
      await store().entitlements.replace(next, last, aRecord(next), undone, aCall());
      const entries = [undone, suspended, added].map(({ entry }) => entry);
      await beside(store(), async (other) => {
        expect(await other.entitlementHistory.list('ent_1', aCall())).to.deep.equal(entries);
      });
    });

    it('is empty for an unknown entitlement, and apart for each', async () => {
      const others = [aSubscription(), aSubscription({ id: 'ent_2' })];
      await store().allEntitlements.add(granted(others), aCall());
      expect(await history('ent_3')).to.deep.equal([]);
      expect(await history('ent_2')).to.deep.equal([anEntry(aSubscription())]);
    });

    it('has no entry for what changes nothing, is stale, or is refused', async () => {
      const seen = aSubscription({ license: aLicense() });
      const rival = aSubscription({ id: 'rival', license: aLicense({ digest: 'another' }) });
      await store().allEntitlements.add(granted([seen, rival]), aCall());
      const moved = { ...seen, revision: 2 };
      await store().entitlements.replace(seen, moved, aRecord(seen), null, aCall());
      await store().entitlements.replace(seen, changed(seen), aRecord(seen), aChangeRecord(changed(seen)), aCall());
      const again = aRecord(seen);
      await store().entitlements.replace(moved, changed(moved), again, aChangeRecord(changed(moved)), aCall());
      await store().allEntitlements.replace(seen, changed(seen), aChangeRecord(changed(seen)), aCall());
      const thief = { ...changed(moved), license: rival.license };
      await store().allEntitlements.replace(moved, thief, aChangeRecord(thief), aCall());
      await store().allEntitlements.add(granted([seen]), aCall());
      expect(await history()).to.deep.equal([anEntry(seen)]);
    });

    it('keeps the last hundred entries', async () => {
      let seen = aSubscription();
      await store().allEntitlements.add(granted([seen]), aCall());
      const entries: HistoryEntry[] = [anEntry(seen)];
      for (const index of range(maxHistory + 25)) {
        const next = changed(seen);
        const changeRecord = aChangeRecord(next, { at: later(index) });
        entries.unshift(changeRecord.entry);
        if (index % 2 === 0) await store().allEntitlements.replace(seen, next, changeRecord, aCall());
        else {
          const record = aRecord(seen, { key: `key-number-${index}` });
          await store().entitlements.replace(seen, next, record, changeRecord, aCall());
        }
        seen = next;
      }
      expect(await history()).to.deep.equal(entries.slice(0, maxHistory));
    });

    it('has one entry for each version, whichever of twenty writers wins', async () => {
      await store().allEntitlements.add(granted([aSubscription()]), aCall());
      await Promise.all(range(20).map((index) => changeOnce(index)));
      const entries = await history();
      expect(entries.map(({ version }) => version)).to.deep.equal(range(21).map((index) => 21 - index));
      const correlationIds = entries.slice(0, 20).map(({ correlationId }) => correlationId);
      expect(new Set(correlationIds).size).to.equal(20);
    });

    for (const when of moments) {
      it(`has the entry of a change that fails ${when} it takes effect exactly if the change is stored`, async () => {
        const seen = aSubscription();
        await store().allEntitlements.add(granted([seen]), aCall());
        const allEntitlements = failing(store().allEntitlements, { method: 'replace', nth: 1, when });
        const change = (): Promise<unknown> =>
          allEntitlements.replace(seen, changed(seen), aChangeRecord(changed(seen)), aCall());
        expect(await thrownBy(change())).to.be.instanceOf(InjectedFault);
        const stored = await store().allEntitlements.find('ent_1', aCall());
        expect((await history()).map(({ version }) => version)[0]).to.equal(stored?.version);
        await change();
        expect(await history()).to.deep.equal([anEntry(changed(seen)), anEntry(seen)]);
      });
    }

    function history(id = 'ent_1'): Promise<readonly HistoryEntry[]> {
      return store().entitlementHistory.list(id, aCall());
    }

    /** Makes a change, again and again until no other writer came first. */
    async function changeOnce(index: number): Promise<void> {
      for (let outcome = 'stale'; outcome !== 'replaced';) {
        const seen = (await store().allEntitlements.find('ent_1', aCall())) as Subscription;
        const next = changed(seen);
        const changeRecord = aChangeRecord(next, { correlationId: `writer-${index}` });
        outcome = (await store().allEntitlements.replace(seen, next, changeRecord, aCall())).kind;
      }
    }
  });
}

import { expect } from 'chai';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import type { Replacement } from '../../../core/entitlement/license/license-moves.port.ts';
import type { License } from '../../../core/license/license.ts';
import { movedLicense } from '../../../core/license/moved-license.ts';
import { aCall, aChangeRecord, aLicense, aSubscription, changed, granted, noon } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { eventsIn } from '../../support/stores/event-log.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';

export function licenseMovesContract(open: OpenStore): void {
  describe('LicenseMoves', () => {
    const store = freshStore(open);
    const license = aLicense({ digest: 'first' });
    const from = aSubscription({ id: 'ent_1', license });
    const to = aSubscription({ id: 'ent_2', license: aLicense({ digest: 'second' }) });
    const departure = replacement(from, movedLicense(license, 'ent_1', 'ent_2', noon));
    const arrival = replacement(to, license);

    const find = async (...ids: readonly string[]) =>
      Promise.all(ids.map((id) => store().allEntitlements.find(id, aCall())));
    const holderOf = async (digest: string) => (await store().licenses.find(digest, aCall()))?.id ?? null;

    it('replaces both, with their records and their events', async () => {
      await store().allEntitlements.add(granted([from, to]), aCall());
      const outcome = await store().licenseMoves.move(departure, arrival, aCall());
      expect(outcome).to.deep.equal({ kind: 'replaced' });
      expect(await find('ent_1', 'ent_2')).to.deep.equal([departure.next, arrival.next]);
      expect([await holderOf('first'), await holderOf('second')]).to.deep.equal(['ent_2', null]);
      for (const { seen, changeRecord } of [departure, arrival]) {
        const [latest] = await store().entitlementHistory.list(seen.id, aCall());
        expect(latest).to.deep.equal(changeRecord.entry);
      }
      const ids = (await eventsIn(store())).map(({ event }) => event.entitlement.id);
      expect(ids).to.have.members(['ent_1', 'ent_2']);
    });

    it('adds the one that gets the license, with the key', async () => {
      await store().allEntitlements.add(granted([from]), aCall());
      const [addition] = granted([{ ...to, license }]);
      if (addition === undefined) throw new Error('there is no addition');
      expect(await store().licenseMoves.move(departure, addition, aCall())).to.deep.equal({ kind: 'replaced' });
      expect(await find('ent_1', 'ent_2')).to.deep.equal([departure.next, addition.entitlement]);
    });

    it('stores nothing if the one that has the license has changed', async () => {
      await store().allEntitlements.add(granted([changed(from), to]), aCall());
      expect(await store().licenseMoves.move(departure, arrival, aCall())).to.deep.equal({ kind: 'stale' });
      expect(await find('ent_1', 'ent_2')).to.deep.equal([changed(from), to]);
    });

    it('lets one of many moves at once succeed', async () => {
      await store().allEntitlements.add(granted([from, to]), aCall());
      const all = range(20).map(() => store().licenseMoves.move(departure, arrival, aCall()));
      const kinds = (await Promise.all(all)).map(({ kind }) => kind);
      expect(kinds.toSorted()).to.deep.equal(['replaced', ...range(19).map(() => 'stale')]);
      expect(await holderOf('first')).to.equal('ent_2');
    });

    it('leaves the key with one of the two, or says on the first what is missing, if the other has changed', async () => {
      await store().allEntitlements.add(granted([from, changed(to)]), aCall());
      expect(await store().licenseMoves.move(departure, arrival, aCall())).to.deep.equal({ kind: 'stale' });
      const [left, untouched] = await find('ent_1', 'ent_2');
      expect(untouched).to.deep.equal(changed(to));
      expect(left).to.be.deep.oneOf([from, departure.next]);
    });
  });
}

function replacement(seen: Subscription, license: License): Replacement {
  const next = { ...changed(seen), license };
  return { seen, next, changeRecord: aChangeRecord(next) };
}

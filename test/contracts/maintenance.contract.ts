import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { pruneStore } from '../../core/maintenance/maintain-store.ts';
import {
  aCall,
  aChangeRecord,
  aRecord,
  aSubscription,
  changed,
  day,
  granted,
  hour,
  later,
  noon,
} from '../support/builders.ts';
import { range } from '../support/range.ts';
import { freshStore, type OpenStore } from '../support/stores/stores.ts';
import { tally } from '../support/tally.ts';

const kept = retentionFor(defaultTtl).milliseconds;

export function maintenanceContract(open: OpenStore): void {
  describe('Maintenance', () => {
    const store = freshStore(open);

    it('finds nothing wrong with a healthy store, and leaves it as it was', async () => {
      await fill('ent_1', 3);
      for (const _ of ['once', 'twice']) {
        const findings = await store().maintenance.check(aCall());
        expect(findings.map(({ check, ok }) => [check, ok])).to.deep.equal([
          ['schema', true],
          ['integrity', true],
          ['write', true],
        ]);
        for (const { message } of findings) expect(message).to.match(/^[A-Z].*\.$/);
      }
      expect(await live('ent_1', 3)).to.equal(3);
      expect(await pruneStore(store().maintenance)(() => aCall({ now: later(kept * 2) }))).to.equal(3);
    });

    it('removes exactly the expired records, over several slices', async () => {
      await fill('ent_old', 520, later(-kept));
      await fill('ent_new', 20, later(-kept + 1));
      expect(await pruneStore(store().maintenance)(() => aCall())).to.equal(520);
      expect(await live('ent_new', 20)).to.equal(20);
      expect(await pruneStore(store().maintenance)(() => aCall())).to.equal(0);
    });

    it('knows as of when it was last backed up, if it makes its backups itself', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
      const seen = [await store().maintenance.lastBackup(aCall())];
      let makesBackups = true;
      // The last one fails: the file exists.
      for (const [name, now] of [
        ['a', noon],
        ['b', later(hour)],
        ['c', later(1)],
        ['a', later(day)],
      ] as const) {
        // prettier-ignore
        const { kind } = await store().maintenance.backup(join(folder, name), aCall({ now }), () => false);
        makesBackups = kind !== 'no file';
        seen.push(await store().maintenance.lastBackup(aCall()));
      }
      await rm(folder, { recursive: true });
      const latest = { kind: 'made', at: later(hour) };
      const known = [{ kind: 'none' }, { kind: 'made', at: noon }, latest, latest, latest];
      expect(seen).to.deep.equal(makesBackups ? known : known.map(() => ({ kind: 'unknown' })));
    });

    it('knows since when the oldest event has been waiting for its position, if any does', async () => {
      const { maintenance, allEntitlements } = store();
      const seen = [await maintenance.oldestWaitingEvent(aCall())];
      for (const [id, now] of [
        ['a', later(5)],
        ['b', later(3)],
        ['c', later(9)],
      ] as const) {
        await allEntitlements.add(granted([aSubscription({ id, sequence: 1 })]), aCall({ now }));
        seen.push(await maintenance.oldestWaitingEvent(aCall()));
      }
      await store().settle();
      seen.push(await maintenance.oldestWaitingEvent(aCall()));
      const known = [null, later(5), later(3), later(3), null];
      expect(seen).to.deep.equal(seen[1] === null ? known.map(() => null) : known);
    });

    it('prunes an empty store', async () => {
      expect(await store().maintenance.prune(null, aCall())).to.deep.equal({ removed: 0, next: null });
    });

    it('prunes while records are added, and leaves those', async () => {
      await fill('ent_old', 40, later(-kept));
      const [removed] = await Promise.all([pruneStore(store().maintenance)(() => aCall()), fill('ent_new', 20)]);
      expect([removed, await live('ent_new', 20)]).to.deep.equal([40, 20]);
    });

    /**
     * Adds entitlements `${id}-0`, `${id}-1` and so on, each with a record made at one instant under its id as the key.
     */
    async function fill(id: string, count: number, at = noon): Promise<void> {
      const all = range(count).map((number) => aSubscription({ id: `${id}-${number}` }));
      await store().allEntitlements.add(granted(all), aCall());
      const outcomes = all.map((seen) => {
        const next = changed(seen, at);
        return store().entitlements.replace(
          seen,
          next,
          aRecord(next, { key: seen.id, at }),
          aChangeRecord(next),
          aCall({ now: at }),
        );
      });
      expect(tally(await Promise.all(outcomes))).to.deep.equal({ replaced: count });
    }

    async function live(id: string, count: number): Promise<number> {
      const found = range(count).map((number) => store().idempotencyRecords.find('prod_1', `${id}-${number}`, aCall()));
      return (await Promise.all(found)).filter((record) => record !== null).length;
    }
  });
}

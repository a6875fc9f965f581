import { expect } from 'chai';
import type { Archive, Entry } from '../../../core/copy/archive.port.ts';
import { copyStore, type Copy } from '../../../core/copy/copy-store.ts';
import { aCall, aLicense, aSubscription, later } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { aFreshRing, aKeyRing } from '../../support/receipts/key-rings.ts';
import {
  freshArchive,
  insertAll,
  oneOfEach,
  productEntry,
  readAll,
  ringEntry,
  withMethods,
} from '../../support/stores/archives.ts';
import { refusalOf } from '../../support/thrown.ts';

describe('copyStore', () => {
  const from = freshArchive();
  const to = freshArchive();

  it('copies every section', async () => {
    await insertAll(from(), oneOfEach);
    expect(await copied()).to.deep.equal({ entries: 17, differences: 0, first: [], written: 17 });
    expect(await readAll(to())).to.deep.equal(oneOfEach);
  });

  it('copies how long the records must be kept', async () => {
    const promises = [
      { milliseconds: 1000, until: later(1) },
      { milliseconds: 2000, until: later(2) },
    ];
    for (const promise of promises) await from().retentionPromises.add(promise, aCall());
    await copied();
    expect(await to().retentionPromises.list(aCall())).to.deep.equal(promises);
  });

  for (const entry of oneOfEach) {
    it(`refuses a store that has ${entry.section}, and leaves it alone`, async () => {
      await insertAll(from(), [productEntry('prod_2')]);
      await insertAll(to(), [entry]);
      expect(await refusalOf(copied())).to.deep.equal({ code: 'copy_target_used', details: {} });
      expect(await readAll(to())).to.deep.equal([entry]);
    });
  }

  it('replaces signing keys to which nothing has happened, and no others', async () => {
    await insertAll(from(), [productEntry('prod_1'), ringEntry(aKeyRing())]);
    await insertAll(to(), [ringEntry(aFreshRing())]);
    expect(await copied()).to.deep.equal({ entries: 2, differences: 0, first: [], written: 3 });
    expect(await readAll(to())).to.deep.equal([productEntry('prod_1'), ringEntry(aKeyRing())]);
    expect(await refusalOf(copied())).to.deep.equal({ code: 'copy_target_used', details: {} });
  });

  it('leaves a store that has more than such keys alone', async () => {
    const entries = [productEntry('prod_1'), ringEntry(aFreshRing())];
    await insertAll(to(), entries);
    expect(await refusalOf(copied())).to.deep.equal({ code: 'copy_target_used', details: {} });
    expect(await readAll(to())).to.deep.equal(entries);
  });

  it('removes such keys if the store to copy has none', async () => {
    await insertAll(to(), [ringEntry(aFreshRing())]);
    expect(await copied()).to.deep.equal({ entries: 0, differences: 0, first: [], written: 1 });
    expect(await readAll(to())).to.deep.equal([]);
  });

  it('goes on with a copy: replaces and removes what is different, and adds what is missing', async () => {
    await insertAll(from(), ['same', 'different', 'missing'].map(named));
    await insertAll(to(), [named('same'), productEntry('different', 'Two'), named('surplus')]);
    const done = { entries: 3, differences: 0, first: [] };
    expect(await copied({ resume: true })).to.deep.equal({ ...done, written: 4 });
    expect(await readAll(to())).to.deep.equal(['different', 'missing', 'same'].map(named));
    expect(await copied({ resume: true })).to.deep.equal({ ...done, written: 0 });
  });

  it('copies a license that has moved to an entitlement with a lower id', async () => {
    await insertAll(from(), [licensed('ent_1')]);
    await insertAll(to(), [licensed('ent_2')]);
    expect(await copied({ resume: true })).to.include({ differences: 0, written: 2 });
    expect(await readAll(to())).to.deep.equal([licensed('ent_1')]);
  });

  it('refuses to go on if a write conflicts with one of another process', async () => {
    await insertAll(from(), oneOfEach);
    const insert: Archive['insert'] = async (entries, call) => {
      await to().insert(entries, call);
      return to().insert(entries, call);
    };
    const refusal = { code: 'copy_source_changed', details: {} };
    expect(await refusalOf(copied({}, withMethods(to(), { insert })))).to.deep.equal(refusal);
  });

  describe('its progress', () => {
    it('counts each entry of the source three times, and ends with all of them', async () => {
      await insertAll(
        from(),
        range(150).map((number) => named(`prod_${1000 + number}`)),
      );
      const steps: (readonly [number, number])[] = [];
      await copied({}, to(), (...step) => steps.push(step));
      expect(steps).to.deep.equal([
        [200, 450],
        [400, 450],
        [450, 450],
      ]);
    });

    it('is never more than all, although the source grows', async () => {
      await insertAll(
        from(),
        range(150).map((number) => named(`prod_${1000 + number}`)),
      );
      const before = withMethods(from(), { count: async (section) => (section === 'products' ? 100 : 0) });
      const steps: (readonly [number, number])[] = [];
      const progress = (...step: [number, number]): void => void steps.push(step);
      await copyStore(before, to())({ resume: false }, () => aCall(), progress);
      expect(steps).to.deep.equal([
        [200, 300],
        [300, 300],
        [300, 300],
      ]);
    });

    it('does not count what the target has in excess', async () => {
      await insertAll(
        to(),
        range(300).map((number) => named(`prod_${1000 + number}`)),
      );
      const steps: (readonly [number, number])[] = [];
      await copied({ resume: true }, to(), (...step) => steps.push(step));
      expect(steps).to.deep.equal([[0, 0]]);
    });
  });

  function copied(
    options: { readonly resume?: boolean } = {},
    target = to(),
    progress: (done: number, total: number) => void = () => {},
  ): Promise<Copy> {
    return copyStore(from(), target)({ resume: false, ...options }, () => aCall(), progress);
  }
});

function named(id: string): Entry {
  return productEntry(id);
}

function licensed(id: string): Entry {
  const entitlement = aSubscription({ billingIntervalCount: 3, unannouncedEnd: later(9), id, license: aLicense() });
  return { section: 'entitlements', id, value: { entitlement, records: [], history: [] } };
}

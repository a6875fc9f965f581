import { expect } from 'chai';
import type { Archive } from '../../../core/copy/archive.port.ts';
import { copyStore, type Copy } from '../../../core/copy/copy-store.ts';
import { aCall } from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { withRecords } from '../../support/stores/archived.ts';
import { freshArchive, insertAll, productEntry, withMethods } from '../../support/stores/archives.ts';

describe('copyStore in batches', () => {
  const from = freshArchive();
  const to = freshArchive();

  it('writes and removes at most two hundred entries at once', async () => {
    const products = range(401).map((number) => productEntry(`prod_${1000 + number}`));
    await insertAll(from(), products);
    const sizes: number[] = [];
    const insert: Archive['insert'] = (entries, call) => {
      sizes.push(entries.length);
      return to().insert(entries, call);
    };
    expect(await copied({}, withMethods(to(), { insert }))).to.include({ differences: 0, written: 401 });
    expect(sizes).to.deep.equal([200, 200, 1]);

    await from().remove(
      'products',
      products.map(({ id }) => id),
      aCall(),
    );
    const removed: number[] = [];
    const remove: Archive['remove'] = (section, ids, call) => {
      removed.push(ids.length);
      return to().remove(section, ids, call);
    };
    const emptied = await copied({ resume: true }, withMethods(to(), { remove }));
    expect(emptied).to.deep.equal({ entries: 0, differences: 0, first: [], written: 401 });
    expect(removed).to.deep.equal([200, 200, 1]);
  });

  it('writes no more entitlements at once than have a thousand records', async () => {
    const counts = [500, 499, 1, 1000, 0, 999, 1];
    await insertAll(
      from(),
      counts.map((count, index) => withRecords(index, count)),
    );
    const batches: (readonly string[])[] = [];
    const insert: Archive['insert'] = (entries, call) => {
      batches.push(entries.map(({ id }) => id.slice(-1)));
      return to().insert(entries, call);
    };
    expect(await copied({}, withMethods(to(), { insert }))).to.include({ differences: 0, written: 7 });
    expect(batches).to.deep.equal([['0', '1', '2'], ['3'], ['4', '5', '6']]);
  });

  it('counts the entries of the history as records', async () => {
    const entries = [600, 399, 1, 1].map((count, index) => withRecords(index, count, index === 0 ? 0 : 1));
    await insertAll(from(), entries);
    const batches: (readonly string[])[] = [];
    const insert: Archive['insert'] = (all, call) => {
      batches.push(all.map(({ id }) => id.slice(-1)));
      return to().insert(all, call);
    };
    expect(await copied({}, withMethods(to(), { insert }))).to.include({ differences: 0, written: 4 });
    expect(batches).to.deep.equal([
      ['0', '1'],
      ['2', '3'],
    ]);
  });

  function copied(options: { readonly resume?: boolean }, target: Archive): Promise<Copy> {
    return copyStore(from(), target)(
      { resume: false, ...options },
      () => aCall(),
      () => {},
    );
  }
});

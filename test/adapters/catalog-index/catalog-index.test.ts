import { expect } from 'chai';
import { CatalogIndex } from '../../../adapters/catalog-index/catalog-index.ts';
import { catalogIndexContract } from '../../contracts/catalog/catalog-index.contract.ts';
import { aCall, aListing, deadlineIn } from '../../support/builders.ts';
import { plainRenderer, queryOf } from '../../support/stores/catalogs.ts';
import { refusalOf } from '../../support/thrown.ts';
import { freshStore, memory, stores } from '../../support/stores/stores.ts';

for (const store of stores) catalogIndexContract(store);

describe('the catalog index', () => {
  const store = freshStore(memory.open);
  let time = 0;
  let index: CatalogIndex;
  beforeEach(async () => {
    time = 0;
    index = new CatalogIndex(
      store().listings,
      plainRenderer,
      (text) => text,
      () => time,
    );
    await store().listings.put([aListing()], aCall());
    await index.refresh(aCall());
  });

  it('answers for thirty seconds without a refresh, but is fresh for one second only', async () => {
    for (const [age, isFresh] of [
      [1000, true],
      [1001, false],
      [30_000, false],
    ] as const) {
      time = age;
      expect(index.isFresh()).to.equal(isFresh);
      expect(await index.find('quiet-editor')).to.not.equal(null);
    }
    time = 30_001;
    expect((await refusalOf(index.find('quiet-editor'))).code).to.equal('store_unavailable');
    expect((await refusalOf(index.page(queryOf({}), aCall()))).code).to.equal('store_unavailable');
    await index.refresh(aCall());
    expect(index.isFresh()).to.equal(true);
    expect(await index.find('quiet-editor')).to.not.equal(null);
  });

  it('counts its age from the beginning of a refresh', async () => {
    const refreshed = index.refresh({
      ...aCall(),
      deadline: {
        remaining: () => {
          time += 5000;
          return 5000;
        },
      },
    });
    await refreshed;
    expect(index.age()).to.equal(time);
  });

  it('refuses a page whose deadline has passed, and makes it for the next request', async () => {
    const query = queryOf({ q: 'quiet' });
    const late = index.page(query, aCall({ deadline: deadlineIn(0) }));
    expect((await refusalOf(late)).code).to.equal('store_unavailable');
    expect((await index.page(query, aCall())).text).to.include('quiet-editor');
  });
});

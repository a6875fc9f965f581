import { expect } from 'chai';
import { PageCache } from '../../../adapters/catalog-index/page-cache.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('cached pages', () => {
  let made: string[];
  beforeEach(() => {
    made = [];
  });

  it('are made once, however many requests want one at the same time and later', async () => {
    const pages = new PageCache();
    await Promise.all([ask(pages, 'a'), ask(pages, 'a')]);
    await ask(pages, 'a');
    expect(made).to.deep.equal(['a']);
  });

  it('are dropped, the oldest first, above the capacity', async () => {
    const pages = new PageCache(35);
    for (const key of ['a', 'b', 'c', 'd', 'd', 'c', 'a']) await ask(pages, key);
    expect(made).to.deep.equal(['a', 'b', 'c', 'd', 'a']);
  });

  it('are not cached if they cannot be made', async () => {
    const pages = new PageCache();
    await thrownBy(pages.get('a', async () => Promise.reject(new Error('no'))));
    expect((await ask(pages, 'a')).text).to.equal('a of 10 c');
  });

  function ask(pages: PageCache, key: string): ReturnType<PageCache['get']> {
    return pages.get(key, async () => {
      made.push(key);
      return { text: `${key} of 10 c`, tag: key };
    });
  }
});

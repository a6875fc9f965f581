import { expect } from 'chai';
import { PageCache } from '../../../adapters/catalog-index/page-cache.ts';
import { thrownBy } from '../../support/thrown.ts';

describe('remembered answers', () => {
  let made: string[];
  beforeEach(() => {
    made = [];
  });

  it('are worked out once, however many want one at the same time and later', async () => {
    const answers = new PageCache();
    await Promise.all([ask(answers, 'a'), ask(answers, 'a')]);
    await ask(answers, 'a');
    expect(made).to.deep.equal(['a']);
  });

  it('are forgotten, the oldest first, when they grow too large together', async () => {
    const answers = new PageCache(35);
    for (const key of ['a', 'b', 'c', 'd', 'd', 'c', 'a']) await ask(answers, key);
    expect(made).to.deep.equal(['a', 'b', 'c', 'd', 'a']);
  });

  it('are not remembered when working them out fails', async () => {
    const answers = new PageCache();
    await thrownBy(answers.remember('a', async () => Promise.reject(new Error('no'))));
    expect((await ask(answers, 'a')).text).to.equal('a of 10 c');
  });

  function ask(answers: PageCache, key: string): ReturnType<PageCache['remember']> {
    return answers.remember(key, async () => {
      made.push(key);
      return { text: `${key} of 10 c`, tag: key };
    });
  }
});

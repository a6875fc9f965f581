import { expect } from 'chai';
import { Content } from '../../../adapters/web/page/content.ts';
import { RevisionCache } from '../../../adapters/web/page/revision-cache.ts';

describe('the cache of pages', () => {
  let revision = 0;
  let made: string[] = [];
  const make = (text: string) => async () => {
    made.push(text);
    return new Content('text/plain', text);
  };
  beforeEach(() => {
    revision = 1;
    made = [];
  });

  it('keeps what was made until the catalog changes', async () => {
    const cache = new RevisionCache(() => revision);
    const [first, same] = await Promise.all([cache.get('/', make('a')), cache.get('/', make('b'))]);
    expect(same).to.equal(first);
    expect(await cache.get('/', make('c'))).to.equal(first);
    revision = 2;
    expect((await cache.get('/', make('d'))).bytes.toString()).to.equal('d');
    expect(made).to.deep.equal(['a', 'd']);
  });

  it('drops what is oldest above its capacity', async () => {
    const cache = new RevisionCache(() => revision, 25);
    for (const name of ['a', 'b', 'c']) await cache.get(name, make(name.repeat(9)));
    made = [];
    for (const name of ['b', 'c', 'a']) await cache.get(name, make(name));
    expect(made).to.deep.equal(['a']);
  });

  it('does not count what was begun before the catalog changed', async () => {
    const cache = new RevisionCache(() => revision, 25);
    const slow = Promise.withResolvers<Content>();
    const begun = cache.get('slow', () => slow.promise);
    revision = 2;
    await cache.get('a', make('a'.repeat(20)));
    slow.resolve(new Content('text/plain', 'x'.repeat(20)));
    await begun;
    made = [];
    await cache.get('a', make('again'));
    expect(made).to.deep.equal([]);
  });

  it('keeps nothing that failed', async () => {
    const cache = new RevisionCache(() => revision);
    const failed: unknown = await cache
      .get('/', () => Promise.reject(new Error('no')))
      .catch((error: unknown) => error);
    expect(failed).to.be.an('error');
    expect((await cache.get('/', make('a'))).bytes.toString()).to.equal('a');
  });
});

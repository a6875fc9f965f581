import { expect } from 'chai';
import { noon } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const written = {
  name: 'Tidy',
  blurb: 'Keeps a desk tidy.',
  category: 'Productivity',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30% commission',
  storefrontCount: 12,
};
const complete = {
  ...written,
  slug: 'tidy',
  featured: false,
  state: 'live',
  publishedAt: noon.toISOString(),
  upfrontCents: 0,
  url: null,
  imageUrl: null,
};
const by = { by: 'operator:opk_1', correlationId: requestId };
const path = '/admin/listings/tidy';

describe('the listings of the administration', () => {
  const admin = freshAdmin(memory);
  const put = (more: object = {}): Promise<Reply> => admin().put(path, { ...written, ...more });

  const slugsOf = async (query: string): Promise<readonly string[]> =>
    (dataOf(await admin().get(`/admin/listings${query}`)) as readonly { slug: string }[]).map(({ slug }) => slug);

  it('are added and replaced, and a repeat changes nothing', async () => {
    const added = await put({ id: 'lst_1' });
    expect([added.status, dataOf(added)]).to.deep.equal([201, { ...complete, id: 'lst_1' }]);
    admin().service.now = new Date(noon.getTime() + 1000);
    const repeated = await put();
    expect([repeated.status, dataOf(repeated)]).to.deep.equal([200, { ...complete, id: 'lst_1' }]);
    const replaced = await put({ featured: true, publishedAt: '2026-07-01T00:00:00+02:00', state: 'draft' });
    const changed = { featured: true, publishedAt: '2026-06-30T22:00:00.000Z', state: 'draft' };
    expect([replaced.status, dataOf(replaced)]).to.deep.equal([200, { ...complete, id: 'lst_1', ...changed }]);
    const logged = { command: 'listing put', slug: 'tidy', ...by };
    expect(admin().changes).to.deep.equal([logged, logged]);
  });

  it('are published and paused, and a repeat changes nothing', async () => {
    await put();
    for (const change of ['pause', 'publish'] as const) {
      const state = change === 'pause' ? 'paused' : 'live';
      const replies = [await admin().post(`${path}/${change}`), await admin().post(`${path}/${change}`)];
      for (const reply of replies) expect(dataOf(reply)).to.include({ slug: 'tidy', state });
    }
    expect(admin().changes.slice(1)).to.deep.equal([
      { command: 'listing pause', slug: 'tidy', ...by },
      { command: 'listing publish', slug: 'tidy', ...by },
    ]);
  });

  it('are deleted, and a repeat deletes nothing', async () => {
    await put();
    expect(dataOf(await admin().send('DELETE', path))).to.deep.equal({ deleted: 1 });
    expect(dataOf(await admin().send('DELETE', path))).to.deep.equal({ deleted: 0 });
    expect(admin().changes.slice(1)).to.deep.equal([{ command: 'listing delete', slug: 'tidy', ...by }]);
    expect(dataOf(await admin().get('/admin/listings'))).to.deep.equal([]);
  });

  it('are in the public catalog while they are live', async () => {
    const status = async (): Promise<number> => (await admin().service.send('/api/marketplace/listings/tidy')).status;
    await put();
    expect(await eventually(status, (now) => now === 200)).to.equal(200);
    await admin().post(`${path}/pause`);
    expect(await eventually(status, (now) => now === 404)).to.equal(404);
    await admin().post(`${path}/publish`);
    expect(await eventually(status, (now) => now === 200)).to.equal(200);
    await admin().send('DELETE', path);
    expect(await eventually(status, (now) => now === 404)).to.equal(404);
  });

  it('are listed by slug, in every state or in one', async () => {
    for (const [slug, state] of [
      ['b', 'live'],
      ['c', 'paused'],
      ['a', 'draft'],
    ] as const) {
      await admin().put(`/admin/listings/${slug}`, { ...written, state });
    }
    expect(await slugsOf('')).to.deep.equal(['a', 'b', 'c']);
    expect(await slugsOf('?state=paused')).to.deep.equal(['c']);
  });
});

describe('the waitlist of the administration', () => {
  const admin = freshAdmin(memory);

  it('loses the entry of an address once, and never repeats the address', async () => {
    const headers = ['Content-Type: application/json'];
    await admin().service.send('/api/waitlist', { method: 'POST', headers, body: '{"email":"ada@example.com"}' });
    const erase = (): Promise<Reply> => admin().post('/admin/waitlist/erase', { email: 'ADA@example.com' });
    const erased = [await erase(), await erase()].map(dataOf);
    expect(erased).to.deep.equal([{ erased: 1 }, { erased: 0 }]);
    expect(admin().changes).to.deep.equal([{ command: 'waitlist erase', entries: 1, ...by }]);
  });
});

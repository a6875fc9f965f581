import { expect } from 'chai';
import { noon } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { stores } from '../../../support/stores/stores.ts';

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
};
const by = { by: 'operator:opk_1', correlationId: requestId };
const path = '/admin/listings/tidy';

for (const store of stores) {
  describe(`the listings of the administration on ${store.name}`, () => {
    const admin = freshAdmin(store);
    const put = (more: object = {}): Promise<Reply> => admin().put(path, { ...written, ...more });

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

    it('are added once by twenty requests at the same time', async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => put({ id: 'lst_1' })));
      expect(replies.map(({ status }) => status)).to.include(201);
      expect(new Set(replies.map((reply) => JSON.stringify(dataOf(reply))))).to.have.property('size', 1);
      expect(dataOf(await admin().get('/admin/listings'))).to.deep.equal([{ ...complete, id: 'lst_1' }]);
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
      const repeated = await Promise.all(Array.from({ length: 20 }, () => admin().send('DELETE', path)));
      expect(repeated.map((reply) => [reply.status, dataOf(reply)])).to.deep.equal(
        repeated.map(() => [200, { deleted: 0 }]),
      );
      expect(admin().changes.slice(1)).to.deep.equal([{ command: 'listing delete', slug: 'tidy', ...by }]);
      expect(outcomeOf(await admin().send('DELETE', '/admin/listings/%C2%84'))).to.deep.equal([
        400,
        'invalid_parameter',
        'slug must be 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", "~" and "-".',
      ]);
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
      const slugsOf = async (query: string): Promise<readonly string[]> =>
        (dataOf(await admin().get(`/admin/listings${query}`)) as readonly { slug: string }[]).map(({ slug }) => slug);
      expect(await slugsOf('')).to.deep.equal(['a', 'b', 'c']);
      expect(await slugsOf('?state=paused')).to.deep.equal(['c']);
      const wrong = await admin().get('/admin/listings?state=gone');
      expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_parameter', 'state must be one of draft, live, paused.']);
    });

    it('are refused for an unknown slug, a taken id, and wrong members', async () => {
      await put({ id: 'lst_1' });
      for (const change of ['publish', 'pause']) {
        const unknown = await admin().post(`/admin/listings/none/${change}`);
        expect(outcomeOf(unknown)).to.deep.equal([404, 'listing_not_found', 'Listing not found.']);
      }
      const taken = await admin().put('/admin/listings/other', { ...written, id: 'lst_1' });
      expect(outcomeOf(taken)).to.deep.equal([409, 'listing_exists', 'Another listing has this id.']);
      const wrong = await put({ slug: 'tidy', commissionPercent: 101, name: null });
      expect(outcomeOf(wrong)).to.deep.equal([
        400,
        'invalid_body',
        '"slug" is not a member of this request. name is missing. commissionPercent must be a number from 0 to 100.',
      ]);
      const badSlug = await admin().put('/admin/listings/a%20b', written);
      expect(outcomeOf(badSlug).slice(0, 2)).to.deep.equal([400, 'invalid_parameter']);
    });
  });

  describe(`the waitlist of the administration on ${store.name}`, () => {
    const admin = freshAdmin(store);

    it('loses the entry of an address once, and never repeats the address', async () => {
      const headers = ['Content-Type: application/json'];
      await admin().service.send('/api/waitlist', { method: 'POST', headers, body: '{"email":"ada@example.com"}' });
      const erase = (): Promise<Reply> => admin().post('/admin/waitlist/erase', { email: 'ADA@example.com' });
      const erased = [await erase(), await erase()].map(dataOf);
      expect(erased).to.deep.equal([{ erased: 1 }, { erased: 0 }]);
      expect(admin().changes).to.deep.equal([{ command: 'waitlist erase', entries: 1, ...by }]);
      const wrong = await admin().post('/admin/waitlist/erase', { email: 'ada' });
      const message = 'email must have an @ and no white space.';
      expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body', message]);
    });
  });
}

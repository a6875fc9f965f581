import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { noAffiliateMembers } from '../../../../core/catalog/affiliate-members.ts';
import { noPageMembers } from '../../../../core/catalog/page-members.ts';
import { aCall, everyAffiliateMember, everyPageMember, noon } from '../../../support/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { dataOf, freshAdmin, outcomeOf, type AdminClient } from '../../../support/http/admin-client.ts';
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
  productId: null,
  featured: false,
  state: 'live',
  publishedAt: noon.toISOString(),
  upfrontCents: 0,
  ...noPageMembers,
  ...noAffiliateMembers,
  storefronts: 0,
};
const by = { by: 'operator:opk_1', correlationId: requestId };
const path = '/admin/listings/tidy';

describe('the listings of the administration', () => {
  const admin = freshAdmin(memory);
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

  it('have what the request gives for their pages, and nothing that it leaves out', async () => {
    expect(dataOf(await put(everyPageMember))).to.include(everyPageMember);
    expect(dataOf(await admin().get('/admin/listings')))
      .to.have.nested.property('[0]')
      .that.includes(everyPageMember);
    expect(dataOf(await admin().post(`${path}/pause`))).to.include(everyPageMember);
    const some = { commissionFor: 'lifetime', cookieDays: 0, pictureAlt: '', description: '' };
    expect(dataOf(await put({ ...some, imageUrl: null }))).to.include({ ...noPageMembers, ...some });
    expect(dataOf(await put())).to.include(noPageMembers);
    const logged = { slug: 'tidy', ...by };
    expect(admin().changes).to.deep.equal([
      { command: 'listing put', ...logged },
      { command: 'listing pause', ...logged },
      { command: 'listing put', ...logged },
      { command: 'listing put', ...logged },
    ]);
  });

  it('have nothing for their pages that changes a public answer', async () => {
    await put({ id: 'lst_1' });
    await follow(admin(), 'first');
    const before = await publicAnswers(admin());
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await put({ ...everyPageMember, ...everyAffiliateMember, productId: 'prod_1' });
    await follow(admin(), 'second');
    expect(await publicAnswers(admin())).to.deep.equal(before);
    expect(JSON.stringify(before)).to.include('lst_1').and.not.include('ledgerline').and.not.include('rl');
  });

  it('have affiliates with all that these need, and are refused by name otherwise', async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    const promoted = { ...everyAffiliateMember, commissionFor: 12, productId: 'prod_1' };
    expect(dataOf(await put(promoted))).to.include(promoted);
    const { productId: _productId, ...unnamed } = promoted;
    expect(dataOf(await put(unnamed))).to.include(promoted);
    const { storefrontCount: _count, ...uncounted } = written;
    expect(dataOf(await admin().put(path, uncounted))).to.include({ ...noAffiliateMembers, storefrontCount: 0 });
    const { saleUrl: _saleUrl, ...unsold } = promoted;
    const message = 'saleUrl is missing, which a listing with affiliates needs.';
    expect(outcomeOf(await put(unsold))).to.deep.equal([400, 'invalid_body', message]);
  });

  it('have their storefronts here in every answer, and the public has both together', async () => {
    await put({ id: 'lst_1' });
    await follow(admin(), 'first');
    const count = () => admin().service.container.get(tokens.listings).setStorefronts('tidy', 3, aCall());
    const before = await publicAnswers(admin());
    expect(await count()).to.equal('stored');
    await follow(admin(), 'second');
    const after = await publicAnswers(admin());
    expect(JSON.stringify(before)).to.include('"storefrontCount":12'.replaceAll('"', '\\"'));
    expect(JSON.stringify(after)).to.include('"storefrontCount":15'.replaceAll('"', '\\"'));
    const counts = { storefrontCount: 12, storefronts: 3 };
    expect(dataOf(await put())).to.include(counts);
    expect(dataOf(await put({ name: 'Renamed' }))).to.include(counts);
    expect(dataOf(await admin().post(`${path}/pause`))).to.include(counts);
    expect(dataOf(await admin().get('/admin/listings?q=tidy')))
      .to.have.nested.property('[0]')
      .that.includes(counts);
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

  it('are listed by state and by category', async () => {
    await put({ state: 'draft' });
    for (const [query, count] of [
      ['state=draft', 1],
      ['state=live', 0],
      ['category=PRODUCTIVITY', 1],
      ['category=none', 0],
    ] as const) {
      expect(dataOf(await admin().get(`/admin/listings?${query}`)), query).to.have.length(count);
    }
  });
});

/** The public answers with the listing, without their correlation ids. */
function publicAnswers({ service }: AdminClient): Promise<readonly unknown[]> {
  return Promise.all(
    ['/tidy', '?q=tidy'].map(async (target) => {
      const { headers, body } = await service.send(`/api/marketplace/listings${target}`);
      return [headers['etag'], JSON.stringify({ ...(body as object), correlationId: '' })];
    }),
  );
}

/** Adds a listing, and waits until it is public: every change before it is then as well. */
async function follow(admin: AdminClient, slug: string): Promise<void> {
  await admin.put(`/admin/listings/${slug}`, { ...written, name: 'Follower', blurb: '' });
  const status = async () => (await admin.service.send(`/api/marketplace/listings/${slug}`)).status;
  expect(await eventually(status, (now) => now === 200)).to.equal(200);
}

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

  it('are refused with a month in digits, as JSON has numbers', async () => {
    const rule = 'must be first_payment, lifetime, or a whole number of months from 1 to 120.';
    for (const commissionFor of ['12', 0, 121, 1.5, 'forever', true]) {
      expect(outcomeOf(await put({ commissionFor }))).to.deep.equal([400, 'invalid_body', `commissionFor ${rule}`]);
    }
    expect(dataOf(await admin().get('/admin/listings'))).to.deep.equal([]);
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
    const needed = 'is missing, which a listing with affiliates needs.';
    const upfront = 'compensationType must be commission or both in a listing with affiliates.';
    for (const [more, message] of [
      [{ affiliates: 'ask' }, `saleUrl ${needed} commissionFor ${needed}`],
      [{ ...promoted, commissionFor: null }, `commissionFor ${needed}`],
      [{ ...promoted, compensationType: 'upfront' }, upfront],
      [{ storefronts: 3 }, '"storefronts" is not a member of this request.'],
    ] as const) {
      expect(outcomeOf(await put(more))).to.deep.equal([400, 'invalid_body', message]);
    }
    const unknown = await admin().put('/admin/listings/new', { ...written, affiliates: 'open' });
    const all = `productId ${needed} saleUrl ${needed} commissionFor ${needed}`;
    expect(outcomeOf(unknown)).to.deep.equal([400, 'invalid_body', all]);
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

  for (const control of ['\u202a', '\u202e', '\u2066', '\u2069']) {
    it(`have no text with the bidi control U+${control.charCodeAt(0).toString(16)}`, async () => {
      for (const member of [
        'name',
        'blurb',
        'category',
        'compensationLabel',
        'url',
        'description',
        'contactUrl',
        'maker',
        'pictureAlt',
      ]) {
        const [status, code, message] = outcomeOf(await put({ [member]: `https://tidy.example/${control}` }));
        expect([status, code]).to.deep.equal([400, 'invalid_body']);
        expect(message).to.match(new RegExp(`^${member} must be [^.]*[.]$`));
      }
      expect(dataOf(await admin().get('/admin/listings'))).to.deep.equal([]);
    });
  }

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

  it('are found by words and by category, in every state', async () => {
    await admin().put('/admin/listings/a', { ...written, name: 'Duebook', category: 'Accounting', state: 'draft' });
    await admin().put('/admin/listings/b', { ...written, blurb: 'Keeps your books.', category: 'Writing' });
    await admin().put('/admin/listings/c', { ...written, category: 'writing' });
    expect(await slugsOf('?state=draft')).to.deep.equal(['a']);
    expect(await slugsOf('?q=book&state=draft')).to.deep.equal(['a']);
    expect(await slugsOf('?category=WRITING')).to.deep.equal(['b', 'c']);
    expect(await slugsOf('?q=book&category=writing')).to.deep.equal(['b']);
    for (const query of ['?q=', '?category=', `?q=${'x'.repeat(201)}`]) {
      expect((await admin().get(`/admin/listings${query}`)).status, query).to.equal(400);
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

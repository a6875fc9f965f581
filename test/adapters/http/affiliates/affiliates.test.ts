import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { aCall, aSignUp, day, later } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf, type AdminClient } from '../../../support/http/admin-client.ts';
import type { Reply } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const written = {
  name: 'Sketchpad',
  blurb: '',
  category: 'Design',
  commissionPercent: 29.995,
  compensationType: 'commission',
  compensationLabel: '30%',
  productId: 'prod_1',
  commissionFor: 12,
};
const ada = { email: 'Ada@example.com', handle: 'ada', name: 'Ada' };
const place = '/admin/promotions/ada/sketchpad';
const noKeyForWaitlist = 'svc_op_live_without-the-waitlist';

/** The data of an answer, which conforms to the document. */
function read<Data>(reply: Reply): Data {
  return dataOf(reply) as Data;
}

const storefrontsOf = async (admin: AdminClient): Promise<unknown> =>
  read<readonly object[]>(await admin.get('/admin/listings')).map((listing) => Reflect.get(listing, 'storefronts'));

const statusOf = ({ status }: Reply): number => status;

describe('affiliates and promotions of the administration', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'One' });
    await admin().put('/admin/listings/sketchpad', written);
  });

  it('invite somebody, who gets a link, and another one each time', async () => {
    const added = await admin().post('/admin/affiliates', ada);
    const { affiliate, link, mailed } = read<{ affiliate: object; link: { url: string }; mailed: boolean }>(added);
    const members = { about: null, url: null, payTo: null, state: 'active', revision: 1 };
    expect(affiliate).to.deep.equal({ ...ada, ...members, createdAt: later(0).toISOString() });
    expect([statusOf(added), mailed]).to.deep.equal([201, false]);
    expect(link.url).to.match(/^http.*\/affiliates\/links\/[\w-]{43}$/);
    expect(link).to.include({ expiresAt: later(30 * day).toISOString() });
    const again = await admin().post('/admin/affiliates', { ...ada, email: 'ADA@example.com' });
    expect([statusOf(again), read<{ affiliate: object }>(again).affiliate]).to.deep.equal([200, affiliate]);
    expect(read<{ link: { url: string } }>(again).link.url).to.not.equal(link.url);
    const more = await admin().post('/admin/affiliates/ada/links', { expires: '1h' });
    expect(dataOf(more)).to.include({ expiresAt: later(3_600_000).toISOString() });
    expect(dataOf(await admin().send('DELETE', '/admin/affiliates/ada/links'))).to.deep.equal({ ended: 3 });
    expect(outcomeOf(await admin().post('/admin/affiliates/ada/links', { expires: '59m' })).slice(0, 2)).to.deep.equal([
      400,
      'invalid_body',
    ]);
  });

  it('read the waitlist for what is left out, with its scope alone', async () => {
    const { container } = admin().service;
    await portsIn(container).waitlist.join(
      aSignUp({ email: 'eve@example.com', name: 'Eve', handle: '@Eve_1' }),
      aCall(),
    );
    await admin().service.addOperatorKey(noKeyForWaitlist, { id: 'opk-2', scopes: ['admin:affiliates'] });
    const send = (body: object) => admin().send('POST', '/admin/affiliates', { key: noKeyForWaitlist, body });
    for (const body of [{ email: 'eve@example.com' }, { email: 'eve@example.com', handle: 'eve' }]) {
      const refused = await send(body);
      expect(outcomeOf(refused).slice(0, 2)).to.deep.equal([403, 'insufficient_scope']);
      expect(refused.headers['www-authenticate']).to.include('scope="admin:waitlist"');
    }
    expect(statusOf(await send(ada))).to.equal(201);
    const added = await admin().post('/admin/affiliates', { email: 'EVE@example.com' });
    expect(read<{ affiliate: object }>(added).affiliate).to.include({ handle: 'eve-1', name: 'Eve' });
    const none = outcomeOf(await admin().post('/admin/affiliates', { email: 'nobody@example.com' }));
    expect(none.slice(0, 2)).to.deep.equal([400, 'invalid_body']);
    expect(none[2]).to.match(/^handle must be/);
  });

  it('agree on terms, change, end and begin them again', async () => {
    await admin().post('/admin/affiliates', ada);
    const first = await admin().put(place, { codes: ['ADA20'] });
    const version = {
      from: later(0).toISOString(),
      by: 'operator:opk_1',
      commissionPercent: 29.99,
      commissionFor: 12,
    };
    const terms = [{ ...version, holdDays: 30 }];
    const members = { handle: 'ada', slug: 'sketchpad', productId: 'prod_1', state: 'live', codes: ['ada20'] };
    const expected = { ...members, askedAt: later(0).toISOString(), revision: 1, terms };
    expect([statusOf(first), dataOf(first)]).to.deep.equal([201, expected]);
    expect(await storefrontsOf(admin())).to.deep.equal([1]);
    expect(dataOf(await admin().put(place, { commissionPercent: 29.99, codes: ['Ada20'] }))).to.deep.equal(expected);
    const changed = read<{ terms: object[] }>(await admin().put(place, { commissionPercent: 0, holdDays: 0 }));
    expect(changed.terms).to.deep.equal([...terms, { ...version, commissionPercent: 0, holdDays: 0 }]);
    const ended = read<{ terms: object[] }>(await admin().post(`${place}/end`));
    expect(ended).to.include({ state: 'ended', revision: 3 });
    expect(ended.terms.at(-1)).to.include({ commissionPercent: null, commissionFor: null, holdDays: null });
    expect(await storefrontsOf(admin())).to.deep.equal([0]);
    expect(dataOf(await admin().post(`${place}/end`))).to.deep.equal(ended);
    expect(dataOf(await admin().post(`${place}/approve`))).to.include({ state: 'live', revision: 4 });
    for (const [query, found] of [
      ['', 1],
      ['?handle=ada&slug=sketchpad&state=live', 1],
      ['?state=asked', 0],
      ['?handle=bob', 0],
    ] as const) {
      expect(read<unknown[]>(await admin().get(`/admin/promotions${query}`))).to.have.length(found);
    }
  });

  it('change, end and erase an affiliate, and keep addresses out of the log', async () => {
    await admin().post('/admin/affiliates', ada);
    await admin().put(place, {});
    const facts = {
      name: 'Ada L.',
      email: 'ada@example.com',
      about: 'I draw.',
      url: 'https://a.example/',
      payTo: 'IBAN 7',
    };
    expect(dataOf(await admin().put('/admin/affiliates/ada', facts))).to.deep.include({ ...facts, revision: 2 });
    const bare = { name: 'Ada', email: 'ada@example.com' };
    expect(dataOf(await admin().put('/admin/affiliates/ada', bare))).to.include({
      ...bare,
      payTo: null,
      revision: 3,
    });
    expect(dataOf(await admin().post('/admin/affiliates/ada/end'))).to.include({ state: 'ended', email: bare.email });
    expect(await storefrontsOf(admin())).to.deep.equal([0]);
    const erased = dataOf(await admin().post('/admin/affiliates/ada/erase'));
    expect(erased).to.include({ name: 'ada', email: null, payTo: null, state: 'ended' });
    expect(dataOf(await admin().get('/admin/affiliates/ada'))).to.deep.equal(erased);
    const logged = JSON.stringify(admin().changes);
    expect(logged)
      .to.include('"affiliate erase"')
      .and.not.match(/example\.com|IBAN|I draw/);
  });
});

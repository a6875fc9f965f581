import { expect } from 'chai';
import { portsIn } from '../../../../app/service/container.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { addMerchant, mine } from '../../../support/tenant/two-merchants.ts';
import { ConsoleClient, freshConsole, outcomeOf } from '../../../support/web/console-client.ts';

const merchantUrl = 'https://merchants.example';
const invitePath = '/console/waitlist/invite';
const form = { email: 'ada@example.com', products: 'mine', scopes: 'admin:read', expires: '1h' };

describe("the console's invitations", () => {
  const client = freshConsole(memory, { merchantPort: 0, merchantUrl });

  beforeEach(async () => {
    const { service } = client();
    await addMerchant(portsIn(service.container), mine);
    await service.container.get(tokens.waitlist).join(aSignUp({ email: 'ada@example.com', role: 'brand' }), aCall());
    await client().signIn();
  });

  /** Invites, and returns the path of the link. */
  const invited = async (given: object = {}): Promise<string> => {
    const { status, text } = await client().submit(invitePath, { ...form, ...given });
    expect(status).to.equal(200);
    return /https:\/\/merchants\.example(\/console\/invitations\/[\w-]{43})/.exec(text)?.[1] ?? '';
  };
  const stranger = (port: 'admin' | 'merchants' = 'admin') => new ConsoleClient(client().service, port);

  it('lead from an entry to a form, and from there to a link', async () => {
    const waitlist = client().service.container.get(tokens.waitlist);
    await waitlist.join(aSignUp({ email: 'bob@example.com', role: 'creator' }), aCall());
    const list = (await client().get('/console/waitlist')).text;
    expect(list).to.include('aria-label="Invite ada@example.com"').and.not.include('Invite bob@example.com"');
    // Who creates is invited as an affiliate.
    expect(list).to.include('aria-label="Invite bob@example.com as an affiliate"');
    const asked = await client().submit(invitePath, { step: 'ask', email: 'ada@example.com' });
    expect([asked.status, asked.text.includes('value="ada@example.com"')]).to.deep.equal([200, true]);
    expect(await invited()).to.match(/^\/console\/invitations\//);
    expect((await client().get('/console/waitlist')).text).to.match(/Invited.*18 July/s);
  });

  it('say what is wrong with the form', async () => {
    for (const [given, says] of [
      [{ email: 'bob@example.com' }, 'E-mail address must be on the waitlist.'],
      [{ products: 'none' }, 'Products must be ids of products.'],
      [{ products: '' }, 'Products'],
      [{ expires: '59m' }, 'of at least 1h and at most 30d'],
      [{ scopes: 'admin:access' }, 'Scopes must be'],
      [{ mail: 'true' }, 'needs SMTP_URL'],
    ] as const) {
      const { status, text } = await client().submit(invitePath, { ...form, ...given });
      expect([status, text.includes(says)], says).to.deep.equal([400, true]);
    }
  });

  for (const port of ['admin', 'merchants'] as const) {
    it(`ask ten times and change nothing, then show one key that signs in, on the ${port} port`, async () => {
      const link = await invited();
      for (const _ of range(10)) {
        const { status, text, headers } = await stranger(port).get(link);
        expect(status).to.equal(200);
        expect(text).to.include('Get your key').and.include('The mine').and.not.include('svc_op_live_');
        expect(headers).to.include({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
      }
      const { status, text } = await stranger(port).post(link, {});
      const key = /svc_op_live_\w+/.exec(text)?.[0] ?? '';
      expect([status, text.includes('href="/console/sign-in"')]).to.deep.equal([200, true]);
      expect(outcomeOf(await stranger(port).signIn(key))).to.deep.equal([303, '/console']);
      for (const gone of [await stranger(port).get(link), await stranger(port).post(link, {})]) {
        expect(outcomeOf(gone)).to.deep.equal([404, 'link_not_found']);
        expect(gone.text).to.include('This link has ended.').and.include('Ask those who have invited you');
      }
      const log = JSON.stringify(client().service.logged);
      expect(log).to.include('"command":"waitlist invite"').and.include('"command":"waitlist take"');
      expect(log).to.not.include('ada@').and.not.include(link.slice(-43)).and.not.include('svc_op_live_');
    });
  }

  it('take no form of another site, and none over a connection that others can read', async () => {
    const link = await invited();
    expect(outcomeOf(await stranger().post(link, {}, { Origin: 'https://evil.example' }))).to.deep.equal([
      403,
      'foreign_origin',
    ]);
    const asIfByProxy = { 'X-Forwarded-For': '192.0.2.1' };
    for (const insecure of [await stranger().get(link, asIfByProxy), await stranger().post(link, {}, asIfByProxy)]) {
      expect(insecure.status).to.equal(403);
      expect(insecure.text).to.not.include('svc_op_live_');
    }
    expect((await stranger().post(link, {})).text).to.include('svc_op_live_');
  });

  it('give one key to sixteen forms at once', async () => {
    const link = await invited();
    const pages = await Promise.all(range(16).map(() => stranger().post(link, {})));
    expect(pages.filter(({ text }) => text.includes('svc_op_live_'))).to.have.length(1);
  });

  it('count unknown links, thirty a minute, and open a link that leads to one', async () => {
    const link = await invited();
    for (const index of range(30)) {
      const path = `/console/invitations/${String(index).padStart(43, 'A')}`;
      expect(outcomeOf(await stranger().get(path))).to.deep.equal([404, 'link_not_found']);
    }
    const refused = await stranger().get(`/console/invitations/${'B'.repeat(43)}`);
    expect(outcomeOf(refused)).to.deep.equal([429, 'rate_limited']);
    expect((await stranger().get(link)).status).to.equal(200);
  });

  it('are for operators of every product who may issue keys', async () => {
    const { service } = client();
    for (const [key, terms, code] of [
      ['svc_op_live_waitlist-only', { scopes: ['admin:waitlist'] }, 'insufficient_scope'],
      ['svc_op_live_limited-to-mine', { products: ['mine'] }, 'limited_key'],
    ] as const) {
      await service.addOperatorKey(key, { id: `opk-${code}`, ...terms });
      const other = new ConsoleClient(service);
      await other.signIn(key);
      expect(outcomeOf(await other.get(invitePath))).to.deep.equal([403, code]);
      expect(outcomeOf(await other.submit(invitePath, form))).to.deep.equal([403, code]);
      expect(outcomeOf(await other.submit(invitePath, { step: 'ask', email: 'a@b' }))).to.deep.equal([403, code]);
      const list = await other.get('/console/waitlist');
      if (code === 'insufficient_scope') expect(list.text).to.include('Erase').and.not.include('>Invite ');
    }
  });
});

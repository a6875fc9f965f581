import { expect } from 'chai';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

const by = { by: 'operator:opk_1', correlationId: requestId };

describe('an invitation by the administration', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    const headers = ['Content-Type: application/json'];
    await admin().service.send('/api/waitlist', { method: 'POST', headers, body: '{"email":"ada@example.com"}' });
    await admin().put('/admin/products/sketchpad', { name: 'Sketchpad' });
  });

  it('is a link, with a warning where it is a path, and says since when in the list', async () => {
    const asked = { email: 'ADA@example.com', products: ['sketchpad'], expires: '1h' };
    const reply = await admin().post('/admin/waitlist/invite', asked);
    const { url, warning, ...times } = dataOf(reply) as Readonly<Record<string, string>>;
    expect([reply.status, url]).to.deep.include(200);
    expect(url).to.match(/^\/console\/invitations\/[\w-]{43}$/);
    expect(warning).to.match(/^MERCHANT_URL is not set/);
    const { now } = admin().service;
    const end = new Date(now.getTime() + 3_600_000).toISOString();
    expect(times).to.deep.equal({ expiresAt: end, invitedAt: now.toISOString() });
    expect(admin().changes.at(-1)).to.deep.equal({ command: 'waitlist invite', products: 'sketchpad', ...by });
    const [entry] = dataOf(await admin().get('/admin/waitlist')) as readonly object[];
    expect(entry)
      .to.include({ email: 'ada@example.com', invitedAt: now.toISOString() })
      .and.not.have.any.keys('invitation');
  });

  it('is refused for what no invitation gives', async () => {
    const asked = { email: 'ada@example.com', products: ['sketchpad'] };
    for (const [given, status, code] of [
      [{ products: [] }, 400, 'invalid_body'],
      [{ products: null }, 400, 'invalid_body'],
      [{ scopes: ['admin:access'] }, 400, 'invalid_body'],
      [{ scopes: ['admin:waitlist'] }, 400, 'invalid_body'],
      [{ scopes: [] }, 400, 'invalid_body'],
      [{ expires: '59m' }, 400, 'invalid_body'],
      [{ expires: '31d' }, 400, 'invalid_body'],
      [{ mail: 'yes' }, 400, 'invalid_body'],
      [{ mail: true }, 500, 'mail_unavailable'],
    ] as const) {
      const { status: answered, headers } = await admin().post('/admin/waitlist/invite', { ...asked, ...given });
      expect([answered, headers['error-code']], JSON.stringify(given)).to.deep.equal([status, code]);
    }
  });
});

import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall, aSignUp, aSubscription } from '../../../support/builders.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const fields = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
};

describe('a page of the console', () => {
  const client = freshConsole(memory);

  it('has the header fields that protect it, whatever it answers', async () => {
    const pages = [
      await client().get('/console'),
      await client().get('/console/sign-in'),
      await client().signIn('svc_op_live_wrong'),
      await client().signIn(),
    ];
    for (const path of ['/console', '/console/no-such-page']) pages.push(await client().get(path));
    pages.push(await client().post('/console/sign-out', {}), await client().post('/console/sign-in', {}, {}));
    expect(pages.map(({ status }) => status)).to.deep.equal([303, 200, 401, 303, 200, 404, 403, 403]);
    for (const { status, headers } of pages) {
      expect(headers, String(status)).to.include(fields);
      expect(headers).to.not.have.property('access-control-allow-origin');
    }
  });

  it('has its style sheet under a name that changes with its content', async () => {
    const { text } = await client().get('/console/sign-in');
    const path = /href="(\/console\/assets\/latchkey-[\w-]{10}\.css)"/.exec(text)?.[1] ?? '';
    const { status, headers } = await client().get(path);
    expect([status, headers['content-type'], headers['cache-control']]).to.deep.equal([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect((await client().get('/console/assets/other.css')).status).to.equal(404);
  });

  it('that does not exist, or not with this method, says so to those who are signed in', async () => {
    expect(outcomeOf(await client().get('/console/no-such-page'))).to.deep.equal([
      303,
      '/console/sign-in?next=%2Fconsole%2Fno-such-page',
    ]);
    await client().signIn();
    expect(outcomeOf(await client().get('/console/no-such-page'))).to.deep.equal([404, 'not_found']);
    const { status, headers, text } = await client().submit('/console');
    expect([status, headers['error-code'], headers['allow']]).to.deep.equal([
      405,
      'method_not_allowed',
      'GET, HEAD, OPTIONS',
    ]);
    expect(text).to.include('<h1>').and.include('method_not_allowed');
  });

  for (const next of [
    'https://evil.example/console',
    '//evil.example/console',
    String.raw`/\evil.example/console`,
    '/console/../admin/products',
    '/console/%2e%2e/admin',
    '/consoles',
    'console',
    'javascript:alert(1)',
    '/console/sign-out',
  ]) {
    it(`does not lead on to ${next}`, async () => {
      const { text } = await client().get(`/console/sign-in?next=${encodeURIComponent(next)}`);
      expect(text).to.not.include('name="next"');
      expect(outcomeOf(await client().signIn(operatorKeys.full, { next }))).to.deep.equal([303, '/console']);
    });
  }

  it('takes no form without a session, without its token, or of another session', async () => {
    const none = await client().post('/console/find', { what: 'ent_1' });
    expect(outcomeOf(none)).to.deep.equal([401, 'invalid_session']);
    expect(none.text).to.include('Nothing was changed').and.include('name="key"').and.not.include('ent_1');
    await client().signIn();
    const token = await client().token();
    await client().signIn();
    for (const form of [{ what: 'ent_1' }, { what: 'ent_1', token: '' }, { what: 'ent_1', token }]) {
      expect(outcomeOf(await client().post('/console/find', form))).to.deep.equal([403, 'invalid_token']);
    }
  });

  it('takes forms of its own origin only: no other port, host or scheme, and none that hides it', async () => {
    await client().signIn();
    const { url } = client();
    const { hostname, port, host } = new URL(url);
    const origins: readonly (readonly [Readonly<Record<string, string>>, readonly unknown[]])[] = [
      [{ Origin: url }, [401, 'invalid_session']], // no browser on loopback is that silent
      [{ 'Sec-Fetch-Site': 'same-origin' }, [200, undefined]],
      ...[
        {},
        { Origin: 'null' },
        { Origin: `http://${hostname}:${Number(port) + 1}` },
        { Origin: `${url}/console` },
        { Origin: `https://${host}` },
        { Origin: `http://localhost:${port}` },
        { Origin: 'https://evil.example' },
        { 'Sec-Fetch-Site': 'same-site', Origin: url },
        { 'Sec-Fetch-Site': 'cross-site', Origin: url },
        { 'Sec-Fetch-Site': 'none' },
      ].map((headers) => [headers, [403, 'foreign_origin']] as const),
    ];
    for (const [headers, expected] of origins) {
      const page = await client().submit('/console/find', { what: 'nothing' }, headers);
      expect(outcomeOf(page), JSON.stringify(headers)).to.deep.equal(expected);
    }
  });

  it('keeps what was typed into the field Find out of answers, addresses and the log', async () => {
    await client().signIn();
    const { container, logged } = client().service;
    await container.get(tokens.waitlist).join(aSignUp({ email: 'secret-1@example.com' }), aCall());
    await client().service.grant(aSubscription({ reference: 'secret-2' }));
    await container
      .get(tokens.products)
      .add({ id: 'prod_1', name: 'Sketchpad', createdAt: client().service.now }, aCall());
    const pages = [];
    for (const what of ['secret-1@example.com', 'secret-2', 'secret-3', `secret-${'4'.repeat(300)}`]) {
      pages.push(await client().submit('/console/find', { what }));
    }
    expect(pages.map(({ status }) => status)).to.deep.equal([200, 303, 200, 200]);
    expect(pages[1]?.headers['location']).to.equal('/console/entitlements/ent_1');
    expect(JSON.stringify([pages.map(({ text, headers }) => [text, headers]), logged])).to.not.include('secret-');
  });

  it('escapes what others have written', async () => {
    const name = '"><script>alert(1)</script>';
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', name });
    await client().signIn(operatorKeys.reader);
    const { text } = await client().get('/console');
    expect(text).to.include('&quot;&gt;&lt;script&gt;').and.not.include('<script');
  });

  it('does not take a form of more than 16 KiB', async () => {
    await client().signIn();
    const page = await client().submit('/console/find', { what: 'x'.repeat(16 * 1024) });
    expect(outcomeOf(page)).to.deep.equal([413, 'payload_too_large']);
  });
});

describe('the console that is off', () => {
  const client = freshConsole(memory, { console: 'off' });

  it('leaves nothing on the admin port', async () => {
    for (const path of ['/', '/console', '/console/sign-in', '/console/assets/latchkey.css']) {
      expect(outcomeOf(await client().get(path)), path).to.deep.equal([404, 'not_found']);
    }
  });
});

import { expect } from 'chai';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';
import { freshConsole, outcomeOf } from '../../../support/web/console-client.ts';
import { getPage, sendForm } from '../../../support/web/page-client.ts';

const behindProxy = { Host: 'console.shop.example', 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'https' };
const path = '/console/sign-in';

describe('the console by plain http', () => {
  const client = freshConsole(memory);

  for (const host of ['127.0.0.1', '127.8.9.1:9090', '[::1]:9090', 'localhost:9090', 'LOCALHOST:9090']) {
    it(`works as ${host}, with a cookie of its port`, async () => {
      const form = { key: operatorKeys.full };
      const { status, headers } = await client().post(path, form, {
        Host: host,
        Origin: `http://${host}`,
        'Sec-Fetch-Site': 'same-origin',
      });
      expect(status).to.equal(303);
      const port = /:(\d+)$/.exec(host)?.[1] ?? '80';
      expect(headers['set-cookie']).to.match(
        new RegExp(`^latchkey_console_${port}=[\\w-]{43}; HttpOnly; SameSite=Lax; Path=/console$`),
      );
    });
  }

  for (const headers of [
    { Host: 'console.shop.example' },
    { Host: '10.0.0.7:9090' },
    { Host: '127.0.0.1.evil.example' },
    { Host: '127.0.0.1:9090', 'X-Forwarded-For': '192.0.2.7' },
    { Host: '127.0.0.1:9090', Forwarded: 'for=192.0.2.7' },
    { Host: '127.0.0.1:9090', Via: '1.1 proxy' },
    { Host: '127.0.0.1:9090', Origin: 'http://evil.example' },
    behindProxy,
  ]) {
    it(`has no form for ${JSON.stringify(headers)}, and begins no session`, async () => {
      const shown = await client().get(path, headers);
      expect(outcomeOf(shown)).to.deep.equal([403, 'insecure_connection']);
      expect(shown.text).to.not.include('<form').and.not.include('<input');
      expect(shown.text).to.include('TRUSTED_PROXIES').and.include('ssh -L');
      const own = { 'Sec-Fetch-Site': 'same-origin', ...headers };
      const sent = await client().post(path, { key: operatorKeys.full }, own);
      expect(outcomeOf(sent)).to.deep.equal([403, 'insecure_connection']);
      expect(sent.headers).to.not.have.property('set-cookie');
    });
  }

  for (const name of ['127.0.0.1:9090', 'localhost:9090', '[::1]:9090']) {
    it(`has no form for ${name} if the browser does not say where the request comes from: a proxy gave that name`, async () => {
      const headers = { Host: name };
      const shown = await getPage(client().url + path, { headers });
      expect(outcomeOf(shown)).to.deep.equal([403, 'insecure_connection']);
      expect(shown.text).to.not.include('<form').and.not.include('<input');
      expect(shown.text).to.include('Sec-Fetch-Site');
      const sent = await sendForm(
        client().url + path,
        { key: operatorKeys.full },
        { Host: name, Origin: `http://${name}` },
      );
      expect(outcomeOf(sent)).to.deep.equal([403, 'insecure_connection']);
      expect(sent.headers).to.not.have.property('set-cookie');
      await client().signIn();
      const { cookie } = client();
      const page = await getPage(`${client().url}/console`, { headers: { Cookie: cookie } });
      expect(outcomeOf(page)).to.deep.equal([303, '/console/sign-in?next=%2Fconsole']);
    });
  }

  it('opens no session over the network, although it has the cookie', async () => {
    await client().signIn();
    const page = await client().get('/console', { Host: '10.0.0.7:9090' });
    expect(outcomeOf(page)).to.deep.equal([303, '/console/sign-in?next=%2Fconsole']);
  });
});

describe('the console behind a trusted proxy', () => {
  const client = freshConsole(memory, { trustedProxies: ['loopback'] });

  it('has a cookie that browsers send by https only, to this host only', async () => {
    const own = { ...behindProxy, Origin: 'https://console.shop.example' };
    const { headers } = await client().post(path, { key: operatorKeys.full }, own);
    expect(headers['set-cookie']).to.match(
      /^__Host-latchkey_console=[\w-]{43}; Secure; HttpOnly; SameSite=Lax; Path=\/$/,
    );
    client().cookie = headers['set-cookie']?.split(';')[0] ?? '';
    expect((await client().get('/console', behindProxy)).status).to.equal(200);
  });

  it('does not work by the plain http of a client of the proxy', async () => {
    const plain = { ...behindProxy, 'X-Forwarded-Proto': 'http' };
    expect(outcomeOf(await client().get(path, plain))).to.deep.equal([403, 'insecure_connection']);
  });
});

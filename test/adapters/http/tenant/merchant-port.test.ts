import { expect } from 'chai';
import { maxGuesses } from '../../../../adapters/http/limits/guess-counts.ts';
import { portsIn } from '../../../../app/service/container.ts';
import { AdminClient } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { send } from '../../../support/http/http-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';
import { addMerchant, mine, other } from '../../../support/tenant/two-merchants.ts';
import { ConsoleClient, outcomeOf } from '../../../support/web/console-client.ts';

const limitedKey = 'svc_op_live_limited-to-mine';
const ports = { adminPort: 0, merchantPort: 0 } as const;

async function fill(service: Parameters<typeof portsIn>[0], add: ConsoleClient['service']): Promise<void> {
  await addMerchant(portsIn(service), mine);
  await addMerchant(portsIn(service), other);
  await add.addOperatorKey(operatorKeys.full, { id: 'opk-owner' });
  await add.addOperatorKey(limitedKey, { id: 'opk-limited', products: ['mine'] });
}

describe('the port of merchants', () => {
  const service = freshService(memory, ports);
  beforeEach(() => fill(service().container, service()));

  const statusOf = async (path: string, key: string | null, method = 'GET'): Promise<unknown> => {
    const headers = key === null ? [] : [bearer(key)];
    const { status, headers: fields } = await send(`${service().merchantUrl}${path}`, { method, headers });
    return [status, fields['error-code']];
  };

  it('serves the administration to limited keys alone', async () => {
    expect(await statusOf('/admin/products', limitedKey)).to.deep.equal([200, undefined]);
    for (const key of [operatorKeys.full, 'svc_op_live_unknown', null]) {
      expect(await statusOf('/admin/products', key)).to.deep.equal([401, 'invalid_operator_key']);
    }
  });

  it('answers an unlimited key as an unknown one, byte for byte', async () => {
    const answers = await Promise.all(
      [operatorKeys.full, 'svc_op_live_unknown'].map(async (key) => {
        const { status, headers, body } = await send(`${service().merchantUrl}/admin/products`, {
          headers: [bearer(key), 'X-Request-Id: the-same-id'],
        });
        const { date: _date, ...others } = headers;
        return [status, others, body];
      }),
    );
    expect(answers[0]).to.deep.equal(answers[1]);
  });

  it('has no metrics, no probes and no root', async () => {
    const client = new ConsoleClient(service(), 'merchants');
    for (const path of ['/metrics', '/healthz', '/readyz', '/', '/api/app-listings']) {
      expect(outcomeOf(await client.get(path)), path).to.deep.equal([404, 'not_found']);
      expect(outcomeOf(await client.get(path, { Accept: '*/*' })), path).to.deep.equal([404, 'not_found']);
    }
  });

  it('leaves the admin port as it is, where limited keys are known as well', async () => {
    const admin = new AdminClient(service());
    expect((await admin.get('/admin/products')).status).to.equal(200);
    expect((await admin.send('GET', '/admin/products', { key: limitedKey })).status).to.equal(200);
    expect((await new ConsoleClient(service()).get('/metrics')).status).to.equal(200);
  });

  it('lets no unlimited key sign in, and knows no session of one', async () => {
    const [ofOwner, ofMerchant] = [new ConsoleClient(service()), new ConsoleClient(service(), 'merchants')];
    expect(outcomeOf(await ofMerchant.signIn(operatorKeys.full))).to.deep.equal([401, 'invalid_operator_key']);
    expect(ofMerchant.cookie).to.equal('');
    await ofOwner.signIn(operatorKeys.full);
    expect(outcomeOf(await ofOwner.get('/console'))).to.deep.equal([200, undefined]);
    // On one address, cookies are named by their port.
    const [, token] = ofOwner.cookie.split('=');
    await ofMerchant.signIn(limitedKey);
    const [name] = ofMerchant.cookie.split('=');
    ofMerchant.cookie = `${name}=${token}`;
    expect(outcomeOf(await ofMerchant.get('/console'))).to.deep.equal([303, '/console/sign-in?next=%2Fconsole']);
    expect(outcomeOf(await ofMerchant.post('/console/products/add', { token: await ofOwner.token() }))).to.deep.equal([
      401,
      'invalid_session',
    ]);
    await ofMerchant.signIn(limitedKey);
    expect(outcomeOf(await ofMerchant.get('/console'))).to.deep.equal([200, undefined]);
  });

  it('counts its requests in the metrics', async () => {
    await statusOf('/admin/products', limitedKey);
    const { text } = await new ConsoleClient(service()).get('/metrics');
    expect(text).to.match(/operation="listProducts"[^}]*\} 1\n/);
  });
});

const get = async (url: string | null, path: string, key: string): Promise<number> =>
  (await send(`${url}${path}`, { headers: [bearer(key)] })).status;

describe('the rate limits of merchants', () => {
  const service = freshService(memory, { ...ports, rateLimits: { merchants: 3 } });
  beforeEach(() => fill(service().container, service()));

  it('count every request with a limited key, on both ports, by the first of its products', async () => {
    await service().addOperatorKey('svc_op_live_another', { id: 'opk-2', products: ['mine', 'other'] });
    await service().addOperatorKey('svc_op_live_of-other', { id: 'opk-3', products: ['other'] });
    const { adminUrl, merchantUrl } = service();
    const statuses = [
      await get(merchantUrl, '/admin/products', limitedKey),
      await get(adminUrl, '/admin/operators', 'svc_op_live_another'),
      await get(merchantUrl, '/admin/webhooks', 'svc_op_live_another'),
      await get(adminUrl, '/admin/products', limitedKey),
      await get(merchantUrl, '/admin/products', 'svc_op_live_of-other'),
    ];
    expect(statuses).to.deep.equal([200, 200, 200, 429, 200]);
    for (let count = 0; count < 5; count += 1)
      expect(await get(adminUrl, '/admin/products', operatorKeys.full)).to.equal(200);
  });

  it('count the pages of the console, and unlimited keys as guesses', async () => {
    const client = new ConsoleClient(service(), 'merchants');
    await client.signIn(limitedKey);
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await client.get('/console/products')).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
    const guess = async (): Promise<unknown> =>
      (await send(`${service().merchantUrl}/admin/products`, { headers: [bearer(operatorKeys.full)] })).status;
    const guesses = [];
    for (let count = 0; count <= maxGuesses; count += 1) guesses.push(await guess());
    expect(guesses).to.deep.equal([...Array.from({ length: maxGuesses }, () => 401), 429]);
  });
});

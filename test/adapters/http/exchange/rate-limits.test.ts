import { expect } from 'chai';
import { expectAnswer, expectDocumentedFor } from '../../../support/http/expect-answer.ts';
import { appKeys } from '../../../support/http/fixtures.ts';
import { RawClient, type RawResponse } from '../../../support/http/raw-client.ts';
import { activeLicense, bearer, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';

const read = http('GET /api/app-entitlements/ent_1', [bearer()]);
const forwarded = (address: string): string => verify(activeLicense, [json, `X-Forwarded-For: ${address}`]);

describe('a rate limit', () => {
  const start = populatedServices();
  let answers: RawResponse[] = [];
  let logged: readonly Record<string, unknown>[] = [];
  const warnings = (): readonly unknown[] =>
    logged.filter(({ level }) => level === 'warn').map(({ message }) => message);

  /** Sends the requests one after another to a service with these limits, and keeps its answers and its log. */
  async function send(overrides: Parameters<typeof start>[0], requests: readonly string[]): Promise<readonly number[]> {
    const service = await start(overrides);
    ({ logged } = service);
    const client = new RawClient(service.url);
    answers = [];
    for (const request of requests) {
      client.send(request);
      const answer = await client.read('GET');
      expectDocumentedFor(request, answer);
      answers.push(answer);
    }
    client.close();
    return answers.map(({ status }) => status);
  }

  it('is off by default', async () => {
    expect(await send({}, Array<string>(100).fill(verify()))).to.deep.equal(Array(100).fill(200));
  });

  it('refuses with 429 in the shape of the operation, and says when to come back', async () => {
    expect(await send({ rateLimits: { verifyLicense: 2 } }, [verify(), verify(), verify()])).to.deep.equal([
      200, 200, 429,
    ]);
    const refused = answers.at(-1);
    if (refused !== undefined) expectAnswer(refused, 'verification');
    expect(refused?.headers['error-code']).to.deep.equal(['rate_limited']);
    expect(Number(refused?.headers['retry-after']?.[0])).to.be.within(1, 60);
  });

  it('counts each operation for itself', async () => {
    const join = http('POST /api/waitlist', [json], '{"email":"ada@example.com"}');
    const limits = { rateLimits: { verifyLicense: 1, joinWaitlist: 1 } };
    expect(await send(limits, [verify(), join, http('GET /livez'), verify(), join])).to.deep.equal([
      200, 200, 200, 429, 429,
    ]);
  });

  it('counts before the content is looked at, and after the edition', async () => {
    const limits = { rateLimits: { verifyLicense: 1 } };
    expect(await send(limits, [verify('{'), verify('{'), verify('{', ['API-Version: 2000-01-01'])])).to.deep.equal([
      400, 429, 400,
    ]);
  });

  it('reads X-Forwarded-For from trusted proxies only', async () => {
    const rateLimits = { verifyLicense: 1 };
    const requests = [forwarded('192.0.2.1'), forwarded('192.0.2.2'), forwarded('192.0.2.1')];
    expect(await send({ rateLimits }, requests)).to.deep.equal([200, 429, 429]);
    expect(await send({ rateLimits, trustedProxies: ['loopback'] }, requests)).to.deep.equal([200, 200, 429]);
  });

  for (const [header, value] of [
    ['X-Forwarded-For', '192.0.2.1'],
    ['Forwarded', 'for=192.0.2.1'],
  ]) {
    it(`warns once if ${header} is sent and no proxy is trusted`, async () => {
      const requests = Array<string>(3).fill(verify(activeLicense, [json, `${header}: ${value}`]));
      await send({ rateLimits: {} }, requests);
      expect(warnings()).to.deep.equal([
        'a request was forwarded by a proxy, but TRUSTED_PROXIES is not set: all clients behind a proxy share one rate limit',
      ]);
      expect(JSON.stringify(logged)).not.to.contain('192.0.2.1');
      await send({ rateLimits: {}, trustedProxies: ['192.0.2.9'] }, requests);
      expect(warnings()).to.deep.equal([]);
      await send({}, requests);
      expect(warnings()).to.deep.equal([]);
    });
  }

  it('does not warn of clients without a proxy', async () => {
    await send({ rateLimits: {} }, [verify(), read]);
    expect(warnings()).to.deep.equal([]);
  });

  it('counts an IPv6 address by its first 64 bits, which belong to one customer', async () => {
    const limits = { rateLimits: { verifyLicense: 1 }, trustedProxies: ['loopback'] };
    const requests = [forwarded('2001:db8::1'), forwarded('2001:db8::2'), forwarded('2001:db8:0:1::1')];
    expect(await send(limits, requests)).to.deep.equal([200, 429, 200]);
  });

  for (const [what, addresses] of [
    ['an IPv4 address with ports', ['192.0.2.1:40001', '192.0.2.1:40002', '192.0.2.1']],
    ['an IPv6 address with ports', ['[2001:db8::1]:40001', '[2001:db8::2]:40002', '[2001:db8::3]', '2001:db8::4']],
    ['an IPv4 address in the form of IPv6', ['::ffff:192.0.2.1', '192.0.2.1']],
    ['an address behind a trusted proxy that is written with its port', ['192.0.2.1, 127.0.0.2:40001', '192.0.2.1']],
    [
      'what no address can be read from, for the proxy that reported it',
      ['unknown', '_hidden', '1.2.3', '300.0.0.1', '[', '7'],
    ],
    ['the proxy behind which it stands', ['192.0.2.1, unknown', '192.0.2.2, unknown']],
    [
      'the last proxy of more than 32',
      [`192.0.2.1${', 127.0.0.1'.repeat(40)}`, `192.0.2.2${', 127.0.0.1'.repeat(40)}`],
    ],
  ] as const) {
    it(`counts as one address ${what}`, async () => {
      const limits = { rateLimits: { verifyLicense: 1 }, trustedProxies: ['loopback'] };
      const [, ...others] = addresses;
      expect(await send(limits, addresses.map(forwarded))).to.deep.equal([200, ...others.map(() => 429)]);
    });
  }

  it('counts the proxy and its clients apart', async () => {
    const limits = { rateLimits: { verifyLicense: 1 }, trustedProxies: ['loopback'] };
    expect(await send(limits, ['unknown', '192.0.2.1', '192.0.2.2:1'].map(forwarded))).to.deep.equal([200, 200, 200]);
  });

  it('counts by product where a key is sent, whatever its address', async () => {
    const other = read.replace(appKeys.full, appKeys.otherProduct);
    const limits = { rateLimits: { getEntitlement: 1, cancelEntitlement: 1 } };
    expect(await send(limits, [read, other, read, other])).to.deep.equal([200, 404, 429, 429]);
    expect(await send(limits, [cancel(), cancel()])).to.deep.equal([400, 429]);
  });

  it('counts by product before the scope is looked at', async () => {
    const narrow = cancel().replace(appKeys.full, appKeys.readOnly);
    expect(await send({ rateLimits: { cancelEntitlement: 1 } }, [narrow, narrow, cancel()])).to.deep.equal([
      403, 429, 429,
    ]);
  });

  it('refuses guesses at app keys before they are looked up', async () => {
    const guess = read.replace(appKeys.full, 'svc_sk_live_a-guess-of-somebody');
    const unknown = read.replace(`${bearer()}\r\n`, '');
    const statuses = await send({ rateLimits: {} }, [unknown, ...Array<string>(20).fill(guess), guess, read, unknown]);
    expect(statuses).to.deep.equal([401, ...Array<number>(20).fill(401), 429, 429, 429]);
  });
});

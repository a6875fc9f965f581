import { expect } from 'chai';
import { Editions } from '../../../../adapters/http/editions.ts';
import { expectAnswer } from '../../../support/http/expect-answer.ts';
import { licenseKeys } from '../../../support/http/fixtures.ts';
import { olderEdition, oldestEdition } from '../../../support/http/older-edition.ts';
import { RawClient, type RawResponse } from '../../../support/http/raw-client.ts';
import { bearer, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { startPopulated } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';

const older = `API-Version: ${olderEdition.date}`;
const oldest = `API-Version: ${oldestEdition.date}`;
const metadata = '/.well-known/oauth-protected-resource';

describe('a superseded edition', () => {
  let service: TestService;
  let now = new Date('2026-07-18T12:00:00.000Z');
  before(async () => {
    service = await startPopulated({ editions: new Editions([olderEdition, oldestEdition]), clock: () => now });
  });
  after(() => service.stop());

  async function ask(bytes: string, method = 'GET'): Promise<RawResponse> {
    const client = new RawClient(service.url);
    client.send(bytes);
    const response = await client.read(method);
    client.close();
    return response;
  }

  it('reads requests and gives answers in its own shape', async () => {
    const response = await ask(verify(JSON.stringify({ key: licenseKeys.active }), [json, older]));
    expectAnswer(response, undefined, olderEdition.date);
    const { ok, entitlement } = JSON.parse(response.body);
    expect([response.status, ok, entitlement.id]).to.deep.equal([200, true, 'ent_1']);
  });

  it('refuses in its own shape', async () => {
    const response = await ask(verify('{}', [json, older]));
    expect(response.status).to.equal(400);
    expect(JSON.parse(response.body)).to.deep.equal({
      message: 'licenseKey must be a string of 24 to 120 characters.',
    });
  });

  for (const [exit, bytes, status, method] of [
    ['a success', verify(JSON.stringify({ key: licenseKeys.active }), [json, older]), 200, 'POST'],
    ['HEAD', http('HEAD /livez', [older]), 200, 'HEAD'],
    ['OPTIONS', http('OPTIONS /livez', [older]), 204, 'OPTIONS'],
    ['304', http(`GET ${metadata}`, [older, 'If-None-Match: *']), 304, 'GET'],
    ['an unknown path', http('GET /nowhere', [older]), 404, 'GET'],
    ['an unknown method', http('PUT /livez', [older]), 405, 'PUT'],
    ['a missing credential', http('GET /api/app-entitlements/ent_1', [older]), 401, 'GET'],
    ['an unknown entitlement', http('GET /api/app-entitlements/x', [older, bearer()]), 404, 'GET'],
    ['a malformed body', verify('{', [json, older]), 400, 'POST'],
    ['another media type', verify('{', ['Content-Type: text/plain', older]), 415, 'POST'],
    ['a body that is too long', verify('x'.repeat(17_000), [json, older]), 413, 'POST'],
    ['an unknown expectation', http('GET /livez', [older, 'Expect: tea']), 417, 'GET'],
    ['a target that is too long', http(`GET /${'a'.repeat(9000)}`, [older]), 414, 'GET'],
  ] as const) {
    it(`says that it is deprecated on ${exit}`, async () => {
      const { headers, status: answered } = await ask(bytes, method);
      expect(answered).to.equal(status);
      expect([headers['api-version'], headers['deprecation'], headers['sunset']]).to.deep.equal([
        [olderEdition.date],
        ['@1784332800'],
        ['Mon, 01 Feb 2027 00:00:00 GMT'],
      ]);
    });
  }

  it('has no Sunset while its end is not decided', async () => {
    const { headers } = await ask(http('GET /livez', [oldest]));
    expect([headers['deprecation'], headers['sunset']]).to.deep.equal([['@1768003200'], undefined]);
  });

  it('says nothing of the kind on the current edition', async () => {
    for (const bytes of [http('GET /livez'), http('GET /nowhere'), http('PUT /livez', ['API-Version: 2026-07-18'])]) {
      const { headers } = await ask(bytes);
      expect([headers['api-version'], headers['deprecation'], headers['sunset']]).to.deep.equal([
        ['2026-07-18'],
        undefined,
        undefined,
      ]);
    }
  });

  it('has validators of its own', async () => {
    const current = (await ask(http(`GET ${metadata}`))).headers['etag']?.[0] ?? '';
    const { status, headers } = await ask(http(`GET ${metadata}`, [older, `If-None-Match: ${current}`]));
    expect(status).to.equal(200);
    const again = http(`GET ${metadata}`, [older, `If-None-Match: ${headers['etag']?.[0] ?? ''}`]);
    expect((await ask(again)).status).to.equal(304);
  });

  it('has its own validators in preconditions', async () => {
    const entitlement = http('GET /api/app-entitlements/ent_1', [older, bearer()]);
    const [current = '', own = ''] = await Promise.all(
      [entitlement.replace(`${older}\r\n`, ''), entitlement].map(async (bytes) => {
        const { headers } = await ask(bytes);
        return headers['etag']?.[0]?.slice(2);
      }),
    );
    const resume = (tag: string, key: string): string =>
      http('POST /api/app-entitlements/ent_1/resume', [older, bearer(), `If-Match: ${tag}`, `Idempotency-Key: ${key}`]);
    const statuses = [await ask(resume(current, 'tag-of-another')), await ask(resume(own, 'tag-of-its-own'))];
    expect(statuses.map(({ status }) => status)).to.deep.equal([412, 200]);
  });

  it('replays the same facts to another edition, and the same bytes to its own', async () => {
    const key = 'Idempotency-Key: across-editions';
    const first = await ask(cancel([key]), 'POST');
    const again = await ask(cancel([key, older]), 'POST');
    const oldAgain = await ask(cancel([key, oldest]), 'POST');
    const own = await ask(cancel([key]), 'POST');
    const { data, ...rest } = JSON.parse(first.body);
    const { status, ...facts } = data;
    expect(again.headers['idempotent-replayed']).to.deep.equal(['true']);
    expect(JSON.parse(again.body)).to.deep.equal({ ...rest, data: { ...facts, state: status } });
    expect(JSON.parse(oldAgain.body)).to.deep.equal({ ...rest, data: { ...facts, state: 'ACTIVE' } });
    expect(own.body).to.equal(first.body);
  });

  it('is named among the supported ones if an unknown one is asked for', async () => {
    const { status, headers, body } = await ask(http('GET /livez', ['API-Version: 2020-01-01']));
    expect([status, headers['error-code'], headers['api-version']]).to.deep.equal([
      400,
      ['unsupported_api_version'],
      ['2026-07-18'],
    ]);
    expect(JSON.parse(body).error).to.include('2026-07-18, 2026-01-10, 2025-06-01');
  });

  it('is 410 once it is retired, in the current shape', async () => {
    now = new Date('2027-02-01T00:00:00.000Z');
    const response = await ask(http('GET /api/app-entitlements/ent_1', [older]));
    expectAnswer(response, 'standard');
    expect([response.status, response.headers['error-code']]).to.deep.equal([410, ['retired_api_version']]);
  });
});

function retired(days: number): Date {
  return new Date(Date.parse('2026-07-18T00:00:00Z') + days * 86_400_000);
}

describe('the editions', () => {
  it('may be retired 180 days after their successor, and not a moment earlier', () => {
    expect(() => new Editions([{ ...olderEdition, retiredAt: retired(180) }])).not.to.throw();
    expect(() => new Editions([{ ...olderEdition, retiredAt: new Date(retired(180).getTime() - 1) }])).to.throw(
      'Edition 2026-01-10 must not be retired before 2027-01-14T00:00:00.000Z: it is served for 180 days after its successor.',
    );
  });

  it('are held to the date of their own successor', () => {
    const soon = { ...oldestEdition, retiredAt: new Date('2026-07-08T23:59:59Z') };
    expect(() => new Editions([olderEdition, soon])).to.throw('2026-07-09T00:00:00.000Z');
  });

  it('end after they have been deprecated', () => {
    const deprecatedAt = retired(300);
    const edition = (retiredAt: Date): Editions => new Editions([{ ...olderEdition, deprecatedAt, retiredAt }]);
    expect(() => edition(deprecatedAt)).not.to.throw();
    expect(() => edition(new Date(deprecatedAt.getTime() - 1))).to.throw(
      'Edition 2026-01-10 must not be retired before 2027-05-14T00:00:00.000Z: it is deprecated only then.',
    );
  });

  it('must be ordered from the newest to the oldest, each once, and all before the current one', () => {
    expect(() => new Editions([oldestEdition, olderEdition])).to.throw(
      'Edition 2026-01-10 must be older than its successor, 2025-06-01.',
    );
    expect(() => new Editions([olderEdition, olderEdition])).to.throw('older than its successor, 2026-01-10');
    for (const date of ['2026-07-18', '2026-07-19']) {
      expect(() => new Editions([{ ...olderEdition, date }])).to.throw('older than its successor, 2026-07-18');
    }
  });
});

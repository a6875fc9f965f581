import { expect } from 'chai';
import { aSubscription, hour, later } from '../../../support/builders.ts';
import type { RequestOptions } from '../../../support/http/http-client.ts';
import { bearer, idempotencyKey, json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

type Headers = NonNullable<RequestOptions['headers']>;

interface Case {
  readonly title: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
  readonly expected: readonly [status: number, code: string];
}

const graceUntil = later(hour);
const badVersion: Headers = ['API-Version: 2020-01-01'];
const badKey = bearer('svc_sk_live_unknown');
const narrowKey = bearer('svc_sk_live_that-only-reads');
const usedKey = idempotencyKey('key-00000001');
const newKey = idempotencyKey('key-00000002');
const tooLarge = 'x'.repeat(16 * 1024 + 1);
const cancel = '/api/app-entitlements/ent_1/cancel';
const cancelUnknown = '/api/app-entitlements/ent_unknown/cancel';
const cancelEnded = '/api/app-entitlements/ent_ended/cancel';
const verify = '/api/licenses/verify';

const cases: readonly Case[] = [
  { title: 'a declared size before the path', path: '/nowhere', body: tooLarge, expected: [413, 'payload_too_large'] },
  { title: 'the path before the method', method: 'DELETE', path: '/nowhere', expected: [404, 'not_found'] },
  { title: 'the path before the version', path: '/nowhere', headers: badVersion, expected: [404, 'not_found'] },
  {
    title: 'the method before the version',
    method: 'DELETE',
    path: cancel,
    headers: badVersion,
    expected: [405, 'method_not_allowed'],
  },
  {
    title: 'the version before the credential',
    path: cancel,
    headers: [...badVersion, badKey],
    expected: [400, 'unsupported_api_version'],
  },
  {
    title: 'the version before the media type',
    path: verify,
    headers: badVersion,
    body: '{}',
    expected: [400, 'unsupported_api_version'],
  },
  { title: 'the credential before the idempotency key', path: cancel, expected: [401, 'invalid_app_key'] },
  {
    title: 'the credential before the entitlement',
    path: cancelUnknown,
    headers: [badKey, newKey],
    expected: [401, 'invalid_app_key'],
  },
  {
    title: 'the scope before the idempotency key',
    path: cancel,
    headers: [narrowKey],
    expected: [403, 'insufficient_scope'],
  },
  {
    title: 'the scope before the entitlement',
    path: cancelUnknown,
    headers: [narrowKey, newKey],
    expected: [403, 'insufficient_scope'],
  },
  {
    title: 'the media type before the body',
    path: verify,
    headers: ['Content-Type: text/plain'],
    body: '{"licenseKey":',
    expected: [415, 'unsupported_media_type'],
  },
  {
    title: 'the JSON before the license key',
    path: verify,
    headers: [json],
    body: '{"licenseKey":"short"',
    expected: [400, 'invalid_body'],
  },
  {
    title: 'the idempotency key before the entitlement',
    path: cancelUnknown,
    headers: [bearer()],
    expected: [400, 'idempotency_key_missing'],
  },
  {
    title: 'the idempotency key before the state',
    path: cancelEnded,
    headers: [bearer()],
    expected: [400, 'idempotency_key_missing'],
  },
  {
    title: 'the record before the entitlement',
    path: cancelUnknown,
    headers: [bearer(), usedKey],
    expected: [422, 'idempotency_key_reused'],
  },
  {
    title: 'the record before the state',
    path: cancelEnded,
    headers: [bearer(), usedKey],
    expected: [422, 'idempotency_key_reused'],
  },
  {
    title: 'the entitlement before its state',
    path: cancelUnknown,
    headers: [bearer(), newKey],
    expected: [404, 'entitlement_not_found'],
  },
  {
    title: 'the state last',
    path: cancelEnded,
    headers: [bearer(), newKey],
    expected: [409, 'entitlement_ended'],
  },
];

describe('the order of checks', () => {
  const service = freshService(memory);

  beforeEach(async () => {
    await service().addAppKey('svc_sk_live_that-only-reads', { id: 'key_2', scopes: ['read:entitlements'] });
    const revoked = { kind: 'revoked', at: service().now } as const;
    await service().grant(
      aSubscription({ currentPeriodEnd: graceUntil, graceUntil }),
      aSubscription({ id: 'ent_ended', hold: revoked }),
    );
    await service().change('ent_1/resume', 'key-00000001');
  });

  for (const { title, method = 'POST', path, headers = [], body, expected } of cases) {
    it(`is ${title}`, async () => {
      const before = await service().stored();
      const reply = await service().send(path, { method, headers, ...(body === undefined ? {} : { body }) });
      expect([reply.status, reply.headers['error-code']]).to.deep.equal(expected);
      expect(await service().stored()).to.deep.equal(before);
    });
  }

  it('is the replay before the state', async () => {
    service().now = graceUntil;
    const replay = await service().change('ent_1/resume', 'key-00000001');
    expect([replay.status, replay.headers['idempotent-replayed']]).to.deep.equal([200, 'true']);
    expect((await service().change('ent_1/resume', 'key-00000002')).status).to.equal(409);
  });
});

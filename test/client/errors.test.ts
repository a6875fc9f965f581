import { expect } from 'chai';
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  LatchkeyClient,
  LatchkeyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
} from '../../client/index.ts';
import { faultyClients } from '../support/client/faulty-clients.ts';
import { appKeys, licenseKeys } from '../support/http/fixtures.ts';
import { populatedServices } from '../support/http/service-hooks.ts';
import { thrownBy } from '../support/thrown.ts';

/** Returns the error of a call, whose class it must have. */
async function errorOf(call: Promise<unknown>, errorClass: typeof LatchkeyError): Promise<LatchkeyError> {
  const error = await thrownBy(call);
  if (!(error instanceof LatchkeyError)) throw error;
  expect(error.constructor, error.message).to.equal(errorClass);
  expect(error.name).to.equal(errorClass.name);
  return error;
}

describe('an error of the client', () => {
  const started = populatedServices();
  const clients = faultyClients();

  it('has the class of its meaning, for everything that the service refuses', async () => {
    const { url: baseUrl } = await started();
    const as = (appKey?: string) => new LatchkeyClient({ baseUrl, appKey, retries: 0 });
    const client = as(appKeys.full);
    const idempotencyKey = 'key-of-another-change';
    await client.entitlements.resume('ent_1', { idempotencyKey });
    const refusals = [
      await errorOf(client.waitlist.join({ email: 'ada' }), InvalidRequestError),
      await errorOf(client.entitlements.cancel('ent_1', { idempotencyKey: 'short' }), InvalidRequestError),
      await errorOf(as('svc_sk_live_wrong').entitlements.get('ent_1'), AuthenticationError),
      await errorOf(as(appKeys.readOnly).entitlements.cancel('ent_1'), PermissionError),
      await errorOf(client.entitlements.get('none'), NotFoundError),
      await errorOf(client.listings.get('none'), NotFoundError),
      await errorOf(client.entitlements.cancel('ent_ended'), ConflictError),
      await errorOf(client.entitlements.cancel('ent_1', { idempotencyKey }), IdempotencyError),
    ];
    expect(refusals.map(({ status, code, retryable }) => [status, code, retryable])).to.deep.equal([
      [400, 'invalid_email', false],
      [400, 'idempotency_key_invalid', false],
      [401, 'invalid_app_key', false],
      [403, 'insufficient_scope', false],
      [404, 'entitlement_not_found', false],
      [404, 'listing_not_found', false],
      [409, 'entitlement_ended', false],
      [422, 'idempotency_key_reused', false],
    ]);
    expect(refusals.map(({ message }) => message)[6]).to.equal('The entitlement has ended.');
  });

  it('has the class of its meaning, for everything that can be tried again', async () => {
    const answers = [408, 429, 500, 503].map((status) => ({
      status,
      headers: { 'Retry-After': '7', 'X-Request-Id': 'request-0001', 'Error-Code': 'some_code' },
      body: '{"success":false,"error":"Not now."}',
    }));
    const { client } = await clients(answers, '', { retries: 0 });
    const seen = { message: 'Not now.', code: 'some_code', correlationId: 'request-0001', retryAfter: 7000 };
    const classes = [ServiceError, RateLimitError, ServiceError, ServiceError];
    for (const [index, errorClass] of classes.entries()) {
      const error = await errorOf(client.entitlements.get('ent_1'), errorClass);
      expect(error).to.include({ ...seen, status: answers[index]?.status, retryable: true });
    }
  });

  it('is one of the connection where no usable answer came', async () => {
    const unusable = [
      'cut before',
      { status: 200, body: '<html>Log in to the Wi-Fi of this hotel' },
      { status: 200, body: '[]' },
      { status: 200, body: '{"success":true}' },
      { status: 200, body: '{"hello":"world"}' },
    ] as const;
    const { client } = await clients(unusable, '', { retries: 0 });
    for (const _ of unusable) {
      const error = await errorOf(client.entitlements.get('ent_1'), ConnectionError);
      expect([error.status, error.code, error.retryable]).to.deep.equal([null, null, true]);
    }
    const nowhere = new LatchkeyClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    expect((await errorOf(nowhere.listings.list(), ConnectionError)).message).to.match(
      /^The service could not be reached: /,
    );
  });

  it('tells of a proxy that answers, and of a redirect, which is not followed', async () => {
    const { client, proxy } = await clients([
      { status: 404, body: '<html>' },
      { status: 307, headers: { Location: 'https://elsewhere.example' } },
    ]);
    const missing = await errorOf(client.entitlements.get('ent_1'), NotFoundError);
    expect([missing.message, missing.code]).to.deep.equal([
      'The answer has the status 404, and is not one of Latchkey',
      null,
    ]);
    expect(await errorOf(client.entitlements.get('ent_1'), InvalidRequestError)).to.include({ status: 307 });
    expect(proxy.seen).to.have.length(2);
  });

  it('contains no key', async () => {
    const { client } = await clients(['cut before', { status: 500 }, { status: 401, body: '{}' }], '', { retries: 0 });
    for (const errorClass of [ConnectionError, ServiceError, AuthenticationError]) {
      const error = await errorOf(client.entitlements.get('ent_1'), errorClass);
      expect(JSON.stringify([error, error.message, error.stack, String(error.cause)])).to.not.include(appKeys.full);
    }
  });
});

describe('a verification of the client', () => {
  const clients = faultyClients();

  it('is no verdict after a failure of any kind', async () => {
    const faults = [
      { status: 500, body: '{"valid":false,"error":"The server failed."}' },
      { status: 503, body: '{"valid":false}' },
      { status: 429, body: '{"success":false,"error":"Too many requests."}' },
      { status: 404, body: '<html>' },
      { status: 400, headers: { 'Error-Code': 'unsupported_api_version' }, body: '{"valid":false}' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{"valid":"no"}' },
      { status: 200, body: '{"valid":true}' },
      'cut before',
      'silence',
    ] as const;
    const { client } = await clients(faults, '', { retries: 0, timeout: 500 });
    for (const fault of faults) {
      const verification = await client.licenses.verify(licenseKeys.active);
      if (verification.verdict !== 'unavailable') throw new Error(`${JSON.stringify(fault)} was a verdict`);
      expect(verification.error).to.be.instanceOf(LatchkeyError);
    }
  });
});

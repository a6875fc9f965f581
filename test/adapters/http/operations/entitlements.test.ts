import { expect } from 'chai';
import { aSubscription, later } from '../../../support/builders.ts';
import { snapshot } from '../../../support/http/granted-entitlement.ts';
import { requestId } from '../../../support/http/http-client.ts';
import { commonHeaders, contentHeaders, refused, succeeded } from '../../../support/http/replies.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const [july, august] = ['2026-07-01T00:00:00.000Z', '2026-08-01T00:00:00.000Z'];
const period = { currentPeriodStart: july, currentPeriodEnd: august };
const active = { ...snapshot, ...period, createdAt: july, updatedAt: july };

const scheduled = {
  ...active,
  cancelAtPeriodEnd: true,
  cancelAt: '2026-08-01T00:00:00.000Z',
  canceledAt: '2026-07-18T12:00:00.000Z',
  allowedActions: ['resume'],
  updatedAt: '2026-07-18T12:00:00.000Z',
  version: 2,
};

const answer = (data: unknown): object => ({ success: true, data, correlationId: requestId });

describe('an entitlement', () => {
  const service = freshService(memory);

  it('is read with a validator, for private caches only', async () => {
    await service().grant(aSubscription());
    const reply = await service().read('ent_1');
    expect(reply.headers['etag']).to.match(/^W\/"[\w-]{22}"$/);
    expect(reply).to.deep.equal({
      status: 200,
      headers: { ...contentHeaders, 'cache-control': 'private, no-cache', etag: reply.headers['etag'] },
      body: answer(active),
    });
  });

  it('is not sent again to a client that has it, until the clock has changed it', async () => {
    await service().grant(aSubscription());
    const { etag = '' } = (await service().read('ent_1')).headers;
    const headers = [bearer(), `If-None-Match: ${etag}`, 'X-Request-Id: request-0002'];
    expect(await service().send('/api/app-entitlements/ent_1', { headers })).to.deep.equal({
      status: 304,
      headers: { ...commonHeaders, 'x-request-id': 'request-0002', 'cache-control': 'private, no-cache', etag },
      body: undefined,
    });
    service().now = aSubscription().currentPeriodEnd;
    const reply = await service().send('/api/app-entitlements/ent_1', { headers });
    expect([reply.status, reply.body]).to.have.nested.property('[1].data.status', 'past_due');
  });

  it('is changed whatever body comes with the request', async () => {
    await service().grant(aSubscription());
    const headers = [bearer(), idempotencyKey('key-00000001')];
    const asked = { method: 'POST', headers, body: '{"half of a' } as const;
    expect(await service().send('/api/app-entitlements/ent_1/cancel', asked)).to.deep.equal(
      succeeded(answer(scheduled)),
    );
  });

  it('is not changed by a body of more than 16 KiB', async () => {
    await service().grant(aSubscription());
    const headers = [bearer(), idempotencyKey('key-00000001')];
    const asked = { method: 'POST', headers, body: 'x'.repeat(16 * 1024 + 1) } as const;
    expect(await service().send('/api/app-entitlements/ent_1/cancel', asked)).to.deep.equal(
      refused(413, 'payload_too_large', 'The request body must be at most 16 KiB.'),
    );
    expect(await service().stored()).to.deep.equal([aSubscription()]);
  });

  it('has no path without an id', async () => {
    expect(await service().send('/api/app-entitlements/', { headers: [bearer()] })).to.deep.equal(
      refused(404, 'not_found', 'Not found.'),
    );
  });

  it('is canceled at the end of the period, and resumed', async () => {
    await service().grant(aSubscription());
    expect(await service().change('ent_1/cancel', 'key-00000001')).to.deep.equal(succeeded(answer(scheduled)));
    expect((await service().read('ent_1')).body).to.deep.equal(answer(scheduled));
    service().now = later(1000);
    const resumed = { ...active, updatedAt: '2026-07-18T12:00:01.000Z', version: 3 };
    expect(await service().change('ent_1/resume', 'key-00000002')).to.deep.equal(succeeded(answer(resumed)));
    expect((await service().read('ent_1')).body).to.deep.equal(answer(resumed));
  });
});

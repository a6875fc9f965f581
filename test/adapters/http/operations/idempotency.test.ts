import { expect } from 'chai';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { aSubscription, day, hour, later } from '../../../support/builders.ts';
import { refused } from '../../../support/http/replies.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const key = 'key-00000001';

describe('an idempotency key', () => {
  const service = freshService(memory);
  beforeEach(() => service().grant(aSubscription()));

  it('replays its first answer byte for byte, and says so', async () => {
    const first = await service().changeForText('ent_1/cancel', key, 'request-0001');
    service().now = later(hour);
    await service().change('ent_1/resume', 'key-00000002');
    const before = await service().stored();
    const replay = await service().changeForText('ent_1/cancel', key, 'request-0002');
    expect(replay).to.deep.equal({
      ...first,
      headers: { ...first.headers, 'x-request-id': 'request-0002', 'idempotent-replayed': 'true' },
    });
    expect(await service().stored()).to.deep.equal(before);
  });

  it('is replayed by another app key of the product', async () => {
    const { body } = await service().change('ent_1/cancel', key);
    await service().addAppKey('svc_sk_live_rotated', { id: 'key_2' });
    const headers = [bearer('svc_sk_live_rotated'), idempotencyKey(key)] as const;
    const replay = await service().send('/api/app-entitlements/ent_1/cancel', { method: 'POST', headers });
    expect(replay.body).to.deep.equal(body);
    expect(replay.headers['idempotent-replayed']).to.equal('true');
  });
});

describe('an entitlement with the maximum number of keys', () => {
  const { milliseconds } = retentionFor(defaultTtl);
  const service = freshService(memory, { retention: { milliseconds, recordsPerEntitlement: 3 } });

  it('refuses another key until the oldest has been kept long enough, and replays those that it has', async () => {
    await service().grant(aSubscription());
    await service().change('ent_1/cancel', 'key-00000001');
    service().now = later(day);
    await service().change('ent_1/resume', 'key-00000002');
    const last = await service().change('ent_1/cancel', 'key-00000003');
    const before = await service().stored();
    const wait = milliseconds - day;
    const more = { 'retry-after': String(wait / 1000) };
    expect(await service().change('ent_1/resume', 'key-00000004')).to.deep.equal(
      refused(429, 'too_many_changes', 'Too many changes of this entitlement.', more),
    );
    expect(await service().stored()).to.deep.equal(before);
    expect((await service().change('ent_1/cancel', 'key-00000003')).body).to.deep.equal(last.body);
    service().now = later(milliseconds - 1);
    expect((await service().change('ent_1/resume', 'key-00000004')).headers['retry-after']).to.equal('1');
    service().now = later(milliseconds);
    expect((await service().change('ent_1/resume', 'key-00000004')).status).to.equal(200);
  });
});

import { expect } from 'chai';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { aSubscription, day, hour, later } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { stores } from '../../../support/stores/stores.ts';
import { refused } from '../../../support/http/replies.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';

const key = 'key-00000001';
const reused = refused(
  422,
  'idempotency_key_reused',
  'The Idempotency-Key was used for another operation or entitlement.',
);

for (const store of stores) {
  describe(`an idempotency key on ${store.name}`, () => {
    const service = freshService(store);
    beforeEach(() => service().grant(aSubscription(), aSubscription({ id: 'ent_2' })));

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

    it('replays an answer that changed nothing, too', async () => {
      const first = await service().changeForText('ent_1/resume', key, 'request-0001');
      await service().change('ent_1/cancel', 'key-00000002');
      const replay = await service().changeForText('ent_1/resume', key, 'request-0002');
      expect(replay.text).to.equal(first.text);
      expect((await service().stored()).map(({ version }) => version)).to.deep.equal([2, 1]);
    });

    it('is replayed by another app key of the product', async () => {
      const { body } = await service().change('ent_1/cancel', key);
      await service().addAppKey('svc_sk_live_rotated', { id: 'key_2' });
      const headers = [bearer('svc_sk_live_rotated'), idempotencyKey(key)] as const;
      const replay = await service().send('/api/app-entitlements/ent_1/cancel', { method: 'POST', headers });
      expect(replay.body).to.deep.equal(body);
      expect(replay.headers['idempotent-replayed']).to.equal('true');
    });

    it("is another product's to use, as well", async () => {
      await service().change('ent_1/cancel', key);
      await service().addAppKey('svc_sk_live_of-prod_2', { id: 'key_2', productId: 'prod_2' });
      await service().grant(aSubscription({ id: 'ent_3', productId: 'prod_2' }));
      const headers = [bearer('svc_sk_live_of-prod_2'), idempotencyKey(key)] as const;
      const reply = await service().send('/api/app-entitlements/ent_3/resume', { method: 'POST', headers });
      expect([reply.status, reply.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    });

    for (const what of ['ent_1/resume', 'ent_2/cancel', 'ent_2/resume', 'ent_unknown/cancel']) {
      it(`is refused for ${what} after ent_1/cancel`, async () => {
        await service().change('ent_1/cancel', key);
        const before = await service().stored();
        expect(await service().change(what, key)).to.deep.equal(reused);
        expect(await service().stored()).to.deep.equal(before);
      });
    }

    it('is refused for another entitlement even when that has ended', async () => {
      await service().grant(aSubscription({ id: 'ent_3', hold: { kind: 'revoked', at: later(0) } }));
      await service().change('ent_1/cancel', key);
      expect(await service().change('ent_3/cancel', key)).to.deep.equal(reused);
    });

    it('is not used up by a refusal', async () => {
      await service().change('ent_unknown/cancel', key);
      const reply = await service().change('ent_1/cancel', key);
      expect([reply.status, reply.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    });

    it('is remembered for the promised time and an hour, and is new after that', async () => {
      const { milliseconds } = retentionFor(defaultTtl);
      await service().change('ent_1/cancel', key);
      service().now = later(milliseconds - 1);
      expect((await service().change('ent_1/cancel', key)).headers['idempotent-replayed']).to.equal('true');
      service().now = later(milliseconds);
      expect((await service().change('ent_1/cancel', key)).headers).not.to.have.property('idempotent-replayed');
    });

    it('has one effect and one answer for fifty requests at once', async () => {
      const replies = await Promise.all(
        range(50).map((number) => service().changeForText('ent_1/cancel', key, `request-${1000 + number}`)),
      );
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).to.have.lengthOf(1);
      expect((await service().stored()).map(({ version }) => version)).to.deep.equal([2, 1]);
    });

    it('has one answer for fifty requests at once that change nothing', async () => {
      const replies = await Promise.all(
        range(50).map((number) => service().changeForText('ent_1/resume', key, `request-${1000 + number}`)),
      );
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
      expect((await service().stored()).map(({ version }) => version)).to.deep.equal([1, 1]);
    });
  });

  describe(`an entitlement with the maximum number of keys on ${store.name}`, () => {
    const { milliseconds } = retentionFor(defaultTtl);
    const service = freshService(store, { retention: { milliseconds, recordsPerEntitlement: 3 } });

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
}

import { expect } from 'chai';
import type { Scope } from '../../../../core/key/app/app-key.ts';
import { aSubscription, noon } from '../../../support/builders.ts';
import type { Reply, RequestOptions } from '../../../support/http/http-client.ts';
import { refused } from '../../../support/http/replies.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { memory } from '../../../support/stores/stores.ts';

const operations = [
  ['GET', '/api/app-entitlements/ent_1', 'read:entitlements'],
  ['POST', '/api/app-entitlements/ent_1/cancel', 'write:entitlements'],
  ['POST', '/api/app-entitlements/ent_1/resume', 'write:entitlements'],
] as const;

const metadata = (service: TestService): string =>
  `resource_metadata="${service.url}/.well-known/oauth-protected-resource"`;

const unauthorized = (service: TestService, parameters = ''): Reply =>
  refused(401, 'invalid_app_key', 'A valid app API key is needed: Authorization: Bearer <API_KEY>.', {
    'www-authenticate': `Bearer ${metadata(service)}${parameters}`,
  });

for (const [method, path, scope] of operations) {
  describe(`${method} ${path}`, () => {
    const service = freshService(memory);

    beforeEach(async () => {
      await service().grant(aSubscription());
      await service().addAppKey('svc_sk_live_revoked', { id: 'key_2', revokedAt: noon });
      await service().addAppKey('svc_sk_live_expired', { id: 'key_3', expiresAt: noon });
    });

    const askWith = (headers: RequestOptions['headers'] = []): Promise<Reply> =>
      service().send(path, { method, headers: [...headers, idempotencyKey('key-00000001')] });

    it('asks for a Bearer credential if there is none, and refuses every bad one alike', async () => {
      expect(await askWith()).to.deep.equal(unauthorized(service()));
      for (const key of ['svc_sk_live_unknown', 'svc_sk_live_revoked', 'svc_sk_live_expired']) {
        expect(await askWith([bearer(key)]), key).to.deep.equal(unauthorized(service(), ', error="invalid_token"'));
      }
      expect(await service().stored()).to.deep.equal([aSubscription()]);
    });

    it('says which scope a good key lacks', async () => {
      const others: readonly Scope[] = ['read:listings', 'write:waitlist', 'read:licenses'];
      const other = scope === 'read:entitlements' ? 'write:entitlements' : 'read:entitlements';
      await service().addAppKey('svc_sk_live_narrow', { id: 'key_4', scopes: [...others, other] });
      const challenge = `Bearer ${metadata(service())}, error="insufficient_scope", scope="${scope}"`;
      const message = 'The key lacks the scope that this operation needs.';
      expect(await askWith([bearer('svc_sk_live_narrow')])).to.deep.equal(
        refused(403, 'insufficient_scope', message, { 'www-authenticate': challenge }),
      );
      expect(await service().stored()).to.deep.equal([aSubscription()]);
    });

    it("does not tell another product's entitlement from an unknown one", async () => {
      await service().addAppKey('svc_sk_live_of-prod_2', { id: 'key_4', productId: 'prod_2' });
      const headers = [bearer('svc_sk_live_of-prod_2'), idempotencyKey('key-00000001')];
      const notFound = refused(404, 'entitlement_not_found', 'Entitlement not found.');
      expect(await service().send(path, { method, headers })).to.deep.equal(notFound);
      const unknown = path.replace('ent_1', 'ent_unknown');
      expect(await service().send(unknown, { method, headers })).to.deep.equal(notFound);
      expect(await service().stored()).to.deep.equal([aSubscription()]);
    });
  });
}

import { expect } from 'chai';
import { appKeyKind } from '../../../../core/access/app-key.ts';
import { generateKey } from '../../../../core/key/key-kind.ts';
import { crc32, randomBytes } from '../../../../adapters/crypto/node-secrets.ts';
import type { Scope } from '../../../../core/access/scope.ts';
import { aSubscription, later, noon } from '../../../support/builders.ts';
import { memory } from '../../../support/stores/stores.ts';
import type { RequestOptions, Reply } from '../../../support/http/http-client.ts';
import { refused } from '../../../support/http/replies.ts';
import { appKeys } from '../../../support/http/fixtures.ts';
import { bearer, idempotencyKey } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';

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

const issued = generateKey(appKeyKind, randomBytes, crc32);
const misspelled = issued.slice(0, -1) + (issued.endsWith('0') ? '1' : '0');

const withoutBearer: readonly (readonly [what: string, headers: RequestOptions['headers']])[] = [
  ['no credential', []],
  ['another scheme', ['Authorization: Basic dXNlcjpwYXNz']],
  ['a bare key', [`Authorization: ${appKeys.full}`]],
];

const withBearer: readonly (readonly [what: string, headers: RequestOptions['headers']])[] = [
  ['an unknown key', [bearer('svc_sk_live_unknown')]],
  ['a key with another prefix', [bearer('svc_sk_test_of-prod_1')]],
  ['a misspelled key', [bearer(misspelled)]],
  ['a key of another case', [bearer(appKeys.full.toUpperCase())]],
  ['a key with something behind it', [bearer(`${appKeys.full} x`)]],
  ['a key in quotes', [bearer(`"${appKeys.full}"`)]],
  ['a revoked key', [bearer('svc_sk_live_revoked')]],
  ['an expired key', [bearer('svc_sk_live_expired')]],
  ['a good key on two lines', [bearer(), bearer()]],
];

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

    it('asks for a Bearer credential if there is no credential', async () => {
      for (const [what, headers] of withoutBearer) {
        expect(await askWith(headers), what).to.deep.equal(unauthorized(service()));
      }
      expect(await service().stored()).to.deep.equal([aSubscription()]);
    });

    it('refuses every bad Bearer credential in the same words', async () => {
      for (const [what, headers] of withBearer) {
        expect(await askWith(headers), what).to.deep.equal(unauthorized(service(), ', error="invalid_token"'));
      }
      expect(await service().stored()).to.deep.equal([aSubscription()]);
    });

    it('takes a key until the millisecond before it expires, whatever the case of the scheme', async () => {
      await service().addAppKey('svc_sk_live_ending', { id: 'key_4', expiresAt: later(1) });
      expect(await askWith(['authorization: bEARER  svc_sk_live_ending'])).to.include({ status: 200 });
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

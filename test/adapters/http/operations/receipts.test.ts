import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../../app/service/tokens.ts';
import type { Licenses } from '../../../../core/entitlement/license/licenses.port.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import type { SigningKeys } from '../../../../core/receipt/signing-keys.port.ts';
import { aCall, aLicense, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { corsHeaders, refused, succeeded } from '../../../support/http/replies.ts';
import { json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import type { ServiceOptions, TestService } from '../../../support/http/test-service.ts';
import { claimsOf, isSignedByOneOf } from '../../../support/receipts/read-receipt.ts';
import { interposed } from '../../../support/stores/interposed.ts';
import { memory } from '../../../support/stores/stores.ts';

const key = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(key, digest) });
const publicUrl = 'https://latchkey.test/shop';
const jwks = '/.well-known/jwks.json';

async function issuedBy(service: TestService): Promise<Readonly<Record<string, string>>> {
  const { status, body } = await service.receipt({ licenseKey: key });
  expect(status).to.equal(200);
  return (body as { readonly data: Readonly<Record<string, string>> }).data;
}

describe('a receipt', () => {
  const service = freshService(memory, { publicUrl });

  it('says what a verification says, with its times and its issuer', async () => {
    await service().grant(aSubscription({ license }));
    const before = await service().stored();
    const reply = await service().receipt({ licenseKey: `${key}\n`, productId: 'prod_1', seat: 4 });
    const { receipt, ...times } = await issuedBy(service());
    const data = (reply.body as { readonly data: { readonly receipt: string } }).data;
    expect(reply).to.deep.equal(succeeded(reply.body, corsHeaders));
    expect({ ...data, receipt }).to.deep.equal({ receipt, ...times });
    expect(times).to.deep.equal({
      issuedAt: '2026-07-18T12:00:00.000Z',
      refreshAfter: '2026-07-25T12:00:00.000Z',
      expiresAt: '2026-08-01T12:00:00.000Z',
    });
    const { jti, ...claims } = claimsOf(data.receipt);
    const { valid, entitlement } = (await service().verify({ licenseKey: key })).body as Record<string, unknown>;
    expect(valid).to.equal(true);
    expect(claims).to.deep.equal({
      iss: publicUrl,
      aud: 'prod_1',
      sub: 'ent_1',
      iat: noon.getTime() / 1000,
      exp: later(14 * day).getTime() / 1000,
      key: license.digest,
      mode: 'online',
      entitlement,
    });
    expect(jti).to.match(/^rct_/);
    expect(await service().stored()).to.deep.equal(before);
  });

  it('has the issuer of the metadata, and is signed by a published key', async () => {
    await service().grant(aSubscription({ license }));
    const { receipt = '' } = await issuedBy(service());
    const metadata = await service().send('/.well-known/oauth-protected-resource');
    expect(Object.keys(metadata.body as object)).not.to.include('jwks_uri');
    expect(claimsOf(receipt)['iss']).to.equal((metadata.body as { readonly resource: string }).resource);
    const { status, headers, body } = await service().send(jwks, { headers: ['Origin: https://app.test'] });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'application/jwk-set+json',
      'cache-control': 'public, max-age=3600',
      vary: 'API-Version',
      'access-control-allow-origin': '*',
    });
    const { keys } = body as { readonly keys: readonly Readonly<Record<string, string>>[] };
    expect(keys.map((each) => Object.keys(each).join(' '))).to.deep.equal(Array(2).fill('kty crv x y kid alg use'));
    expect(isSignedByOneOf(receipt, { keys })).to.equal(true);
    const again = await service().send(jwks, { headers: [`If-None-Match: ${headers['etag']}`] });
    expect([again.status, again.body]).to.deep.equal([304, undefined]);
  });

  it('is logged with the entitlement only, and an unknown license without one', async () => {
    await service().grant(aSubscription({ license }));
    await issuedBy(service());
    await service().receipt({ licenseKey: 'a-key-that-nobody-ever-had' });
    const lines = service().logged.filter(({ operation }) => operation === 'issueReceipt');
    expect(lines.map(({ entitlementId }) => entitlementId)).to.deep.equal(['ent_1', undefined]);
  });
});

describe('a receipt of an entitlement that gives no access', () => {
  const service = freshService(memory);

  it('is refused, unless the license itself must stay unknown', async () => {
    const noAccess = refused(409, 'no_access', 'The license gives no access now.', corsHeaders);
    const notFound = refused(404, 'license_not_found', 'License not found.', corsHeaders);
    await service().grant(aSubscription({ license, hold: { kind: 'suspended' } }));
    expect(await service().receipt({ licenseKey: key })).to.deep.equal(noAccess);
    expect(await service().receipt({ licenseKey: key, productId: 'prod_1' })).to.deep.equal(noAccess);
    expect(await service().receipt({ licenseKey: key, productId: 'prod_2' })).to.deep.equal(notFound);
    expect(await service().receipt({ licenseKey: key, productId: '' })).to.deep.equal(notFound);
  });
});

describe('a license that must stay unknown', () => {
  const calls: string[] = [];
  let keyReads = 0;
  const rebind: NonNullable<ServiceOptions['rebind']> = (container) => {
    const licenses = container.get<Licenses>(tokens.licenses);
    container.rebind(tokens.licenses).toConstantValue(interposed(licenses, (method) => calls.push(method)));
    const keys = container.get<SigningKeys>(tokens.signingKeys);
    container.rebind(tokens.signingKeys).toConstantValue(interposed(keys, () => (keyReads += 1)));
  };
  const service = freshService(memory, { rebind });

  it('gets the same answer after one look-up and no signature, whatever the reason', async () => {
    const revoked = aLicense({ digest: licenseDigest(`${key}-revoked`, digest), revokedAt: noon });
    await service().grant(aSubscription({ license }), aSubscription({ id: 'ent_2', license: revoked }));
    const bodies = [
      { licenseKey: 'a-key-that-nobody-ever-had' },
      { licenseKey: `${key}-revoked` },
      { licenseKey: key, productId: 'prod_2' },
      { licenseKey: key, productId: '' },
    ];
    const readBefore = keyReads;
    const answers: unknown[] = [];
    for (const body of bodies) {
      calls.length = 0;
      answers.push(await service().receipt(body));
      expect(calls).to.deep.equal(['find']);
    }
    const expected = refused(404, 'license_not_found', 'License not found.', corsHeaders);
    expect(answers).to.deep.equal(Array(bodies.length).fill(expected));
    expect(keyReads).to.equal(readBefore);
  });
});

describe('receipts of a service whose clock is in doubt', () => {
  let trusted = true;
  const service = freshService(memory, {
    rebind: (container) => container.get(tokens.clockTrust).askOf(() => trusted),
  });
  afterEach(() => {
    trusted = true;
  });

  it('are refused until it is trusted, and licenses are verified all the same', async () => {
    await service().grant(aSubscription({ license }));
    trusted = false;
    const message = 'The clock of the service is in doubt, so it signs nothing. Repeat the request.';
    const more = { ...corsHeaders, 'retry-after': '10' };
    expect(await service().receipt({ licenseKey: key })).to.deep.equal(
      refused(500, 'clock_not_trusted', message, more),
    );
    expect((await service().verify({ licenseKey: key })).body).to.include({ valid: true });
    expect((await service().receipt({ licenseKey: 'a-key-that-nobody-ever-had' })).status).to.equal(404);
    expect((await service().send(jwks)).status).to.equal(200);
    expect(service().faults).to.deep.equal([]);
    trusted = true;
    await issuedBy(service());
  });
});

describe('receipts of a service that cannot read its signing keys', () => {
  const service = freshService(memory, {
    rebind: (container) => {
      const broken = interposed(container.get<SigningKeys>(tokens.signingKeys), () => {
        throw new Error('the disk is gone');
      });
      container.rebind(tokens.signingKeys).toConstantValue(broken);
    },
  });

  it('are 500, and licenses are verified all the same', async () => {
    await service().grant(aSubscription({ license }));
    for (const reply of [await service().receipt({ licenseKey: key }), await service().send(jwks)]) {
      expect([reply.status, reply.headers['error-code']]).to.deep.equal([500, 'internal_error']);
    }
    expect((await service().verify({ licenseKey: key })).body).to.include({ valid: true });
    expect((await service().receipt({ licenseKey: 'a-key-that-nobody-ever-had' })).status).to.equal(404);
  });
});

describe('a service without receipts', () => {
  const service = freshService(memory, { receipts: 'off', adminPort: 0 });

  it('has none of their paths, makes no keys, and describes none', async () => {
    const { url, adminUrl } = service();
    const absent = [
      ['POST', `${url}/api/licenses/receipt`],
      ['POST', `${url}/api/licenses/trial`],
      ['GET', `${url}${jwks}`],
      ['POST', `${adminUrl}/admin/entitlements/ent_1/receipts`],
      ['GET', `${adminUrl}/admin/signing-keys`],
      ['POST', `${adminUrl}/admin/signing-keys/rotate`],
      ['POST', `${adminUrl}/admin/signing-keys/none/revoke`],
    ] as const;
    for (const [method, path] of absent) {
      const { status, headers } = await fetch(path, { method });
      expect([status, headers.get('error-code')], path).to.deep.equal([404, 'not_found']);
    }
    const { paths } = (await service().send('/openapi.json')).body as { readonly paths: object };
    expect(Object.keys(paths).filter((path) => /receipt|jwks/.test(path))).to.deep.equal([]);
    expect(await service().container.get(tokens.signingKeys).read(aCall())).to.equal(null);
  });
});

describe('receipts and pages of other origins', () => {
  const service = freshService(memory, { corsOrigins: ['https://shop.test'] });

  it('are for the origins that the merchant lists', async () => {
    await service().grant(aSubscription({ license }));
    const from = async (origin: string): Promise<readonly unknown[]> => {
      const { status, headers } = await service().receipt({ licenseKey: key }, [json, `Origin: ${origin}`]);
      return [status, headers['access-control-allow-origin'], headers['vary']];
    };
    expect(await from('https://shop.test')).to.deep.equal([200, 'https://shop.test', 'Origin']);
    expect(await from('https://other.test')).to.deep.equal([200, undefined, 'Origin']);
  });
});

describe('the rate limit of receipts', () => {
  const service = freshService(memory, { rateLimits: { verifyLicense: 1, issueReceipt: 2 } });

  it('is their own', async () => {
    await service().grant(aSubscription({ license }));
    const statuses: number[] = [];
    for (let round = 0; round < 3; round += 1) statuses.push((await service().receipt({ licenseKey: key })).status);
    for (let round = 0; round < 2; round += 1) statuses.push((await service().verify({ licenseKey: key })).status);
    expect(statuses).to.deep.equal([200, 200, 429, 200, 429]);
  });
});

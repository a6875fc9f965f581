import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { MemoryStore } from '../../../adapters/memory/data/memory-store.ts';
import { openMemoryStore } from '../../../adapters/memory/open-memory-store.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import { generateLicenseKey, licenseDigest } from '../../../core/license/license-key.ts';
import {
  issueReceipt,
  signReceipt,
  type IssuedReceipt,
  type SigningParts,
} from '../../../core/receipt/issue-receipt.ts';
import { KeptSigningKeys } from '../../../core/receipt/kept-signing-keys.ts';
import { writeReceipt } from '../../../core/receipt/receipt.ts';
import type { Digest } from '../../../core/secret.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription, day, granted, later, noon } from '../../support/builders.ts';
import { aFreshRing } from '../../support/receipts/key-rings.ts';
import { decoded, readableSignature } from '../../support/receipts/read-receipt.ts';
import { refusalOf } from '../../support/thrown.ts';

const licenseKey = generateLicenseKey((count) => new Uint8Array(count).fill(7));
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
const issuer = 'https://licenses.example';

interface BuiltParts extends SigningParts {
  readonly licenses: Licenses;
  readonly digest: Digest;
}

describe('issueReceipt', () => {
  let ports: StorePorts;
  let calls: string[];

  beforeEach(async () => {
    ({ ports } = openMemoryStore(retentionFor(defaultTtl), new MemoryStore()));
    await ports.signingKeys.replace(aFreshRing(), aCall());
    calls = [];
  });

  it('signs what the store knows of the license, with the active key', async () => {
    await add(aSubscription({ license }));
    const { receipt, ...rest } = await issue();
    expect(rest).to.deep.equal({
      issuedAt: noon,
      refreshAfter: later(7 * day),
      expiresAt: later(14 * day),
      entitlementId: 'ent_1',
    });
    const { header, claims, signed } = decoded(receipt);
    expect(JSON.parse(header)).to.have.property('kid', aFreshRing().active.kid);
    expect(JSON.parse(claims)).to.include({ iss: issuer, key: license.digest, mode: 'online', sub: 'ent_1' });
    expect(signed).to.have.property('by', aFreshRing().active.d);
  });

  it('looks up one license, reads the keys once for all receipts, and writes nothing', async () => {
    await add(aSubscription({ license }));
    const use = build();
    for (let count = 0; count < 5; count += 1) await use({ licenseKey, productId: 'prod_1', issuer }, aCall());
    expect(calls).to.deep.equal(['find', 'read', 'find', 'find', 'find', 'find']);
  });

  it('accepts every spelling of a key, and signs the same digest', async () => {
    await add(aSubscription({ license }));
    const { receipt } = await issue({ licenseKey: ` ${licenseKey.toLowerCase().replaceAll('-', ' ')}\n` });
    expect(JSON.parse(decoded(receipt).claims)).to.have.property('key', license.digest);
  });

  const strangers: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['unknown', async () => undefined],
    ['revoked', () => add(aSubscription({ license: { ...license, revokedAt: noon } }))],
    ["another product's", () => add(aSubscription({ license, productId: 'prod_2' }))],
    [
      'revoked and without access',
      () => add(aSubscription({ license: { ...license, revokedAt: noon }, hold: { kind: 'suspended' } })),
    ],
    [
      "another product's without access",
      () => add(aSubscription({ license, productId: 'prod_2', hold: { kind: 'suspended' } })),
    ],
  ];
  for (const [what, prepare] of strangers) {
    it(`refuses a key that is ${what} alike, whatever the clock and the keys are`, async () => {
      await prepare();
      const parts = { trustsClock: (): boolean => expect.fail('the clock is not asked'), keys: { known: unreachable } };
      const refusal = { code: 'license_not_found', details: {} };
      expect(await refusalOf(issue({ productId: 'prod_1' }, parts))).to.deep.equal(refusal);
      expect(calls).to.deep.equal(['find']);
    });
  }

  it('takes an entitlement without a license for one that the key does not belong to', async () => {
    const licenses = { find: async () => aSubscription() };
    expect(await refusalOf(issue({}, { licenses }))).to.deep.equal({ code: 'license_not_found', details: {} });
  });

  it('takes an empty product for one that no license belongs to', async () => {
    await add(aSubscription({ license }));
    expect(await refusalOf(issue({ productId: '' }))).to.deep.equal({ code: 'license_not_found', details: {} });
  });

  it('refuses a malformed key before anything is looked up', async () => {
    for (const malformed of ['', 'x'.repeat(23), 'x'.repeat(121)]) {
      expect((await refusalOf(issue({ licenseKey: malformed }))).code).to.equal('malformed_license_key');
    }
    expect(calls).to.deep.equal([]);
  });

  it('refuses a known license that gives no access, without the keys', async () => {
    for (const entitlement of [
      aSubscription({ license, hold: { kind: 'suspended' } }),
      aSubscription({ license, graceUntil: noon }),
      aSubscription({ license, graceUntil: later(999) }),
      aOneTimePurchase({ license, hold: { kind: 'revoked', at: noon } }),
    ]) {
      ({ ports } = openMemoryStore(retentionFor(defaultTtl), new MemoryStore()));
      await add(entitlement);
      const refusal = { code: 'no_access', details: {} };
      expect(await refusalOf(issue({}, { keys: { known: unreachable } }))).to.deep.equal(refusal);
    }
  });

  it('refuses to sign by a clock in doubt, also where that shows no access', async () => {
    for (const graceUntil of [later(day), noon]) {
      ({ ports } = openMemoryStore(retentionFor(defaultTtl), new MemoryStore()));
      await add(aSubscription({ license, graceUntil }));
      const refusal = { code: 'clock_not_trusted', details: { retryAt: later(10_000) } };
      expect(await refusalOf(issue({}, { trustsClock: () => false }))).to.deep.equal(refusal);
      expect(await refusalOf(issue({}, { trustsClock: async () => false }))).to.deep.equal(refusal);
    }
  });

  it('says that the store is out of reach where the keys were not made', async () => {
    ({ ports } = openMemoryStore(retentionFor(defaultTtl), new MemoryStore()));
    await add(aSubscription({ license }));
    const { code, details } = await refusalOf(issue());
    expect([code, String(details.cause)]).to.deep.equal([
      'store_unavailable',
      'Error: the store has no signing keys yet',
    ]);
  });

  async function add(entitlement: Entitlement): Promise<void> {
    await ports.allEntitlements.add(granted([entitlement]), aCall());
  }

  function build(overrides: Partial<BuiltParts> = {}): ReturnType<typeof issueReceipt> {
    const { licenses, signingKeys } = ports;
    const watched = {
      read: async (call: Parameters<typeof signingKeys.read>[0]) => {
        calls.push('read');
        return signingKeys.read(call);
      },
      replace: unreachable,
    };
    const parts: BuiltParts = {
      licenses: {
        find: async (digestOf, call) => {
          calls.push('find');
          return licenses.find(digestOf, call);
        },
      },
      digest,
      keys: new KeptSigningKeys(watched, () => 0),
      trustsClock: () => true,
      write: writeReceipt(
        () => 'rct_1',
        (text) => Buffer.from(text).toString('base64url'),
        readableSignature,
      ),
      ttl: 14 * day,
      knownTiers: async () => new Map(),
      ...overrides,
    };
    return issueReceipt(parts.licenses, parts.digest, signReceipt(parts));
  }

  function issue(
    request: { readonly licenseKey?: string; readonly productId?: string | null } = {},
    overrides: Partial<BuiltParts> = {},
  ): Promise<IssuedReceipt> {
    return build(overrides)({ licenseKey, productId: null, issuer, ...request }, aCall());
  }
});

async function unreachable(): Promise<never> {
  throw new Error('this is not called');
}

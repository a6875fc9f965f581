import { expect } from 'chai';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { verifyLicense, type LicenseVerification } from '../../../../core/entitlement/license/verify-license.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { generateLicenseKey, licenseDigest } from '../../../../core/license/license-key.ts';
import { aCall, aLicense, aOneTimePurchase, aSubscription, granted, later } from '../../../support/builders.ts';
import { randomBytes, sha256 } from '../../../support/run/secrets.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const key = generateLicenseKey(randomBytes);
const license = aLicense({ digest: licenseDigest(key, sha256) });
const unknown: LicenseVerification = { valid: false, entitlement: null };

describe('verifyLicense', () => {
  const store = freshStore(memory.open);

  it('is valid and returns the entitlement, with and without its product', async () => {
    const entitlement = await add(aSubscription({ license }));
    const expected = { valid: true, entitlement: snapshotAt(entitlement, later(0)) };
    expect(await verify(key)).to.deep.equal(expected);
    expect(await verify(key, 'prod_1')).to.deep.equal(expected);
  });

  it('accepts another spelling of a key', async () => {
    const entitlement = await add(aSubscription({ license }));
    const spelling = ` ${key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')}\n`;
    expect((await verify(spelling)).entitlement).to.deep.equal(snapshotAt(entitlement, later(0)));
  });

  it('accepts an imported key of any form, but in one spelling only', async () => {
    const imported = 'Imported-Key of 2019, größer';
    await add(aSubscription({ license: aLicense({ digest: licenseDigest(imported, sha256) }) }));
    expect((await verify(`${imported}\r\n`)).valid).to.equal(true);
    expect(await verify(imported.toUpperCase())).to.deep.equal(unknown);
  });

  it('returns the same for an unknown key, a revoked license and another product', async () => {
    await add(aSubscription({ license: { ...license, revokedAt: later(-1) } }));
    const other = generateLicenseKey(randomBytes);
    await add(aSubscription({ id: 'b', license: aLicense({ digest: licenseDigest(other, sha256) }) }));
    const answers = [
      await verify(generateLicenseKey(randomBytes)),
      await verify(key),
      await verify(other, 'prod_2'),
      await verify(other, ''),
      await verify(other, 'PROD_1'),
    ];
    expect(answers).to.deep.equal([unknown, unknown, unknown, unknown, unknown]);
  });

  it('is valid exactly while the entitlement gives access', async () => {
    const canceled = { at: later(10), requestedAt: later(0) };
    const cases: readonly (readonly [Entitlement, number, boolean])[] = [
      [aSubscription({ id: '1', standing: 'trialing' }), 0, true],
      [aSubscription({ id: '2', standing: 'past_due' }), 0, true],
      [aSubscription({ id: '3', hold: { kind: 'suspended' } }), 0, false],
      [aSubscription({ id: '4', hold: { kind: 'revoked', at: later(0) } }), 0, false],
      [aSubscription({ id: '5', currentPeriodEnd: later(10), graceUntil: later(20) }), 10, true],
      [aSubscription({ id: '6', currentPeriodEnd: later(10), graceUntil: later(20) }), 19, true],
      [aSubscription({ id: '7', currentPeriodEnd: later(10), graceUntil: later(20) }), 20, false],
      [aSubscription({ id: '8', currentPeriodEnd: later(10), cancellation: canceled }), 9, true],
      [aSubscription({ id: '9', currentPeriodEnd: later(10), cancellation: canceled }), 10, false],
      [aOneTimePurchase({ id: '10' }), 1e12, true],
    ];
    for (const [entitlement, milliseconds, valid] of cases) {
      const own = generateLicenseKey(randomBytes);
      await add({ ...entitlement, license: aLicense({ digest: licenseDigest(own, sha256) }) });
      const answer = await verify(own, null, milliseconds);
      expect([entitlement.id, answer.valid, answer.entitlement?.id]).to.deep.equal([
        entitlement.id,
        valid,
        entitlement.id,
      ]);
    }
  });

  it('refuses a key of 23 or 121 code points, and looks up one of 24 or 120', async () => {
    expect(await Promise.all([refusalOf(verify('k'.repeat(23))), refusalOf(verify('🎉'.repeat(121)))])).to.deep.equal([
      { code: 'malformed_license_key', details: {} },
      { code: 'malformed_license_key', details: {} },
    ]);
    expect([await verify('k'.repeat(24)), await verify('🎉'.repeat(120))]).to.deep.equal([unknown, unknown]);
  });

  it('changes nothing', async () => {
    const entitlement = await add(aSubscription({ license }));
    await verify(key);
    expect(await store().allEntitlements.find('ent_1', aCall())).to.deep.equal(entitlement);
  });

  function verify(presented: string, productId: string | null = null, milliseconds = 0): Promise<LicenseVerification> {
    return verifyLicense(store().licenses, sha256)(presented, productId, aCall({ now: later(milliseconds) }));
  }

  async function add(entitlement: Entitlement): Promise<Entitlement> {
    await store().allEntitlements.add(granted([entitlement]), aCall());
    return entitlement;
  }
});

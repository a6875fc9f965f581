import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { MemoryStore } from '../../../../adapters/memory/data/memory-store.ts';
import { MemoryAllEntitlements } from '../../../../adapters/memory/memory-all-entitlements.ts';
import { MemoryLicenses } from '../../../../adapters/memory/memory-entitlements.ts';
import type { Administration } from '../../../../core/administration/administration.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import type { Subscription } from '../../../../core/entitlement/entitlement.ts';
import { verifyLicense, type VerifyLicense } from '../../../../core/entitlement/license/verify-license.ts';
import { snapshotAt } from '../../../../core/entitlement/snapshot.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { administrationOver } from '../../../support/administration.ts';
import { aCall, aLicense, aSubscription, day, granted, later, noon } from '../../../support/builders.ts';
import { failing } from '../../../support/failing.ts';
import { refusalOf } from '../../../support/thrown.ts';

const oldKey = 'a key that was issued elsewhere';
const licensed = aSubscription({ license: aLicense({ digest: licenseDigest(oldKey, digest) }) });

describe('the commands for licenses', () => {
  let store: MemoryStore;
  let entitlements: MemoryAllEntitlements;
  let administration: Administration;
  let verify: VerifyLicense;

  beforeEach(() => {
    store = new MemoryStore();
    entitlements = new MemoryAllEntitlements(store);
    administration = administrationOver(store);
    verify = verifyLicense(new MemoryLicenses(store), digest);
  });

  describe('rotate', () => {
    it('replaces the license; the old key is then unknown', async () => {
      await entitlements.add(granted([licensed]), aCall());
      const { licenseKey, snapshot, versionBefore } = await administration.rotateLicense('ent_1', null, aCall());
      const license = { ...licenseOf(licenseKey), createdAt: noon, revokedAt: null };
      const next = { ...licensed, license, version: 2, revision: 2, sequence: 1, updatedAt: noon };
      expect(await entitlements.find('ent_1')).to.deep.equal(next);
      expect([snapshot, versionBefore]).to.deep.equal([snapshotAt(next, noon), 1]);
      expect(await verified(oldKey, licenseKey)).to.deep.equal([false, true]);
      expect((await refusalOf(administration.findByLicenseKey(oldKey, aCall()))).code).to.equal('license_not_found');
    });

    const others: readonly (readonly [string, Subscription])[] = [
      ['after a revocation of the license', aSubscription({ license: aLicense({ revokedAt: later(-day) }) })],
      ['if there was no license', aSubscription()],
    ];
    for (const [when, entitlement] of others) {
      it(`issues a license that verifies ${when}`, async () => {
        await entitlements.add(granted([entitlement]), aCall());
        const { licenseKey } = await administration.rotateLicense('ent_1', null, aCall());
        expect(await verified(licenseKey)).to.deep.equal([true]);
      });
    }
  });

  describe('rotate to a given key', () => {
    const given = 'a key of the caller’s own making';

    it('takes the key, and changes nothing when it is repeated', async () => {
      await entitlements.add(granted([licensed]), aCall());
      const first = await administration.rotateLicense('ent_1', given, aCall());
      const again = await administration.rotateLicense('ent_1', given, aCall({ now: later(1) }));
      expect([first.licenseKey, first.versionBefore, first.snapshot.version]).to.deep.equal([given, 1, 2]);
      expect([again.licenseKey, again.versionBefore, again.snapshot.version]).to.deep.equal([given, 2, 2]);
      expect(await verified(oldKey, given)).to.deep.equal([false, true]);
    });

    it('refuses a key that another has, a revoked one of its own, and a malformed one', async () => {
      await entitlements.add(granted([licensed, aSubscription({ id: 'ent_2' })]), aCall());
      await administration.revokeLicense('ent_1', aCall());
      const codes = [];
      for (const [id, key] of [
        ['ent_2', oldKey],
        ['ent_1', oldKey],
        ['ent_1', 'short'],
      ] as const) {
        codes.push((await refusalOf(administration.rotateLicense(id, key, aCall()))).code);
      }
      expect(codes).to.deep.equal(['license_key_exists', 'license_key_exists', 'invalid_license_key']);
    });
  });

  describe('revoke', () => {
    it('revokes the license, and leaves the entitlement its access', async () => {
      await entitlements.add(granted([licensed]), aCall());
      const { snapshot, versionBefore } = await administration.revokeLicense('ent_1', aCall());
      const license = { ...licensed.license, revokedAt: noon };
      const next = { ...licensed, license, version: 2, revision: 2, sequence: 1, updatedAt: noon };
      expect(await entitlements.find('ent_1')).to.deep.equal(next);
      expect([snapshot.active, versionBefore]).to.deep.equal([true, 1]);
      expect(await verified(oldKey)).to.deep.equal([false]);
    });

    it('changes nothing the second time', async () => {
      await entitlements.add(granted([licensed]), aCall());
      await administration.revokeLicense('ent_1', aCall({ now: later(-1) }));
      const first = await entitlements.find('ent_1');
      const { versionBefore, snapshot } = await administration.revokeLicense('ent_1', aCall());
      expect(await entitlements.find('ent_1')).to.deep.equal(first);
      expect([versionBefore, snapshot.version]).to.deep.equal([2, 2]);
    });

    it('writes nothing the second time', async () => {
      await entitlements.add(granted([licensed]), aCall());
      await administration.revokeLicense('ent_1', aCall());
      const allEntitlements = failing<AllEntitlements>(entitlements, { method: 'replace', nth: 1, when: 'before' });
      const again = await administrationOver(store, { allEntitlements }).revokeLicense('ent_1', aCall());
      expect(again.versionBefore).to.equal(2);
    });

    it('refuses an entitlement without a license', async () => {
      await entitlements.add(granted([aSubscription()]), aCall());
      expect((await refusalOf(administration.revokeLicense('ent_1', aCall()))).code).to.equal('license_not_found');
    });
  });

  it('refuse an unknown entitlement', async () => {
    const rotated = await refusalOf(administration.rotateLicense('ent_1', null, aCall()));
    const revoked = await refusalOf(administration.revokeLicense('ent_1', aCall()));
    expect([rotated.code, revoked.code]).to.deep.equal(['entitlement_not_found', 'entitlement_not_found']);
  });

  describe('find', () => {
    it('finds the entitlement of a key, revoked or not, however the key is spelled', async () => {
      await entitlements.add(granted([aSubscription()]), aCall());
      const { licenseKey } = await administration.rotateLicense('ent_1', null, aCall());
      await administration.revokeLicense('ent_1', aCall());
      const expected = await administration.showEntitlement('ent_1', aCall());
      for (const spelling of [licenseKey, licenseKey.toLowerCase(), licenseKey.replaceAll('-', ' ')]) {
        expect(await administration.findByLicenseKey(spelling, aCall())).to.deep.equal(expected);
      }
    });

    it('refuses an unknown key, and one of a wrong length', async () => {
      const unknown = await refusalOf(administration.findByLicenseKey('k'.repeat(24), aCall()));
      const short = await refusalOf(administration.findByLicenseKey('k'.repeat(23), aCall()));
      expect([unknown.code, short.code]).to.deep.equal(['license_not_found', 'invalid_license_key']);
    });
  });

  async function verified(...keys: readonly string[]): Promise<readonly boolean[]> {
    return Promise.all(keys.map(async (key) => (await verify(key, null, aCall())).valid));
  }
});

function licenseOf(key: string): { readonly digest: string; readonly lastFour: string } {
  return { digest: licenseDigest(key, digest), lastFour: key.slice(-4) };
}

import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import type { Grant } from '../../../../core/entitlement/grant.ts';
import { verifyLicense } from '../../../../core/entitlement/license/verify-license.ts';
import { aCall, aLicense, aSubscription, granted } from '../../../support/builders.ts';
import { sha256 } from '../../../support/run/secrets.ts';
import { freshStore, stores } from '../../../support/stores/stores.ts';
import { refusalOf } from '../../../support/thrown.ts';

const key = 'A08AF963 F3737094 12C42655 4BB1D4EB';
/** What an earlier release has stored for the key: white space did not count at the ends only. */
const ofEarlier = aLicense({ digest: sha256(key), lastFour: 'D4EB' });
const folded = 'A08AF963F373709412C426554BB1D4EB';
const product = aSubscription().productId;
const grant: Grant = {
  kind: 'one_time',
  productId: product,
  tierId: 'pro',
  tierName: 'Pro',
  standing: 'active',
  currentPeriodStart: null,
  reference: null,
};
const written = { productId: product, tierId: 'pro', tierName: 'Pro', billingInterval: 'month' } as const;

for (const { name, open } of stores) {
  describe(`license keys with white space inside, on ${name}`, () => {
    const store = freshStore(open);
    const administration = (): Administration => administrationOf(store(), nodePlatform);

    beforeEach(async () => {
      await administration().addProduct(product, 'One', aCall());
    });

    async function isValid(licenseKey: string): Promise<boolean> {
      const { valid } = await verifyLicense(store().licenses, nodePlatform.digest)(licenseKey, null, aCall());
      return valid;
    }

    describe('that an earlier release has stored', () => {
      beforeEach(async () => {
        await store().allEntitlements.add(granted([aSubscription({ license: ofEarlier })]), aCall());
      });

      it('verify and are found as they are', async () => {
        expect([await isValid(key), await isValid(` ${key}\n`)]).to.deep.equal([true, true]);
        expect((await administration().findByLicenseKey(key, aCall())).id).to.equal('ent_1');
        expect(await administration().findPurchase(key, false, aCall())).to.deep.equal({
          kind: 'entitlement',
          id: 'ent_1',
        });
      });

      it('are given to no other entitlement', async () => {
        const { grantEntitlement, putEntitlement, rotateLicense, changeSeen } = administration();
        await store().allEntitlements.add(granted([aSubscription({ id: 'ent_2' })]), aCall());
        const command = { kind: 'rotate-license', licenseKey: key } as const;
        const refusals = [
          grantEntitlement({ grant, id: 'new', licenseKey: key }, aCall()),
          putEntitlement({ id: 'new', written, licenseKey: key }, aCall()),
          rotateLicense('ent_2', key, aCall()),
          changeSeen({ id: 'ent_2', version: 1, command }, aCall()),
        ].map(async (work) => (await refusalOf(work)).code);
        expect(await Promise.all(refusals)).to.deep.equal(refusals.map(() => 'license_key_exists'));
        expect((await store().allEntitlements.find('ent_2', aCall()))?.license).to.equal(null);
      });

      it('are refused by an import, also by a dry run', async () => {
        const { importEntitlements, dryRunOfEntitlements } = administration();
        const drafts = [
          { id: 'new', grant, licenseKey: key },
          { id: 'ent_1', grant, licenseKey: key },
          { id: 'other', grant, licenseKey: `${key}0` },
        ];
        const expected = [
          { kind: 'refused', code: 'license_key_exists' },
          { kind: 'refused', code: 'entitlement_exists' },
          { kind: 'imported' },
        ];
        expect(await dryRunOfEntitlements()(drafts, aCall())).to.deep.equal(expected);
        expect(await importEntitlements(drafts, aCall())).to.deep.equal(expected);
      });

      it('change nothing when they are given to their own entitlement again', async () => {
        const { changeSeen, putEntitlement, rotateLicense } = administration();
        expect((await rotateLicense('ent_1', key, aCall())).snapshot.version).to.equal(1);
        const command = { kind: 'rotate-license', licenseKey: key } as const;
        expect((await changeSeen({ id: 'ent_1', version: 1, command }, aCall())).snapshot.version).to.equal(1);
        const { tierId, tierName } = aSubscription();
        const same = { ...written, tierId, tierName };
        expect((await putEntitlement({ id: 'ent_1', written: same, licenseKey: key }, aCall())).outcome).to.equal(
          'unchanged',
        );
      });
    });

    it('are one key in every spelling, which only one entitlement can have', async () => {
      const { importEntitlements } = administration();
      const spellings = [key, folded, `“${key}”`, key.replaceAll(' ', '\r\n')];
      const drafts = spellings.map((licenseKey, position) => ({
        id: `ent_${position}`,
        grant,
        licenseKey,
      }));
      const outcomes = await importEntitlements(drafts, aCall());
      expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['imported', 'refused', 'refused', 'refused']);
      for (const spelling of spellings) expect(await isValid(spelling)).to.equal(true);
    });
  });
}

describe('the verification of a license key', () => {
  it('looks up one license, and two only for a spelling that earlier releases stored in another way', async () => {
    const looked: string[] = [];
    const licenses = { find: async (digest: string) => (looked.push(digest), null) };
    const lookUps: number[] = [];
    for (const each of [folded, `\n${folded} `, 'lk-01234-56789-abcde-fghjk-mnpqr-stvwh', key, `"${folded}"`]) {
      looked.length = 0;
      await verifyLicense(licenses, nodePlatform.digest)(each, null, aCall());
      lookUps.push(looked.length);
    }
    expect(lookUps).to.deep.equal([1, 1, 1, 2, 2]);
  });
});

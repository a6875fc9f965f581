import { expect } from 'chai';
import { openMemoryStore } from '../../../../adapters/memory/open-memory-store.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf } from '../../../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../../../core/entitlement/idempotency/retention.ts';
import { verifyLicense } from '../../../../core/entitlement/license/verify-license.ts';
import { aCall, aOneTimeGrant } from '../../../support/builders.ts';

const key = 'A08AF963 F3737094 12C42655 4BB1D4EB';
const folded = 'A08AF963F373709412C426554BB1D4EB';
const spellings = [key, folded, `“${key}”`, key.replaceAll(' ', '\r\n')];

describe('a license key with white space inside', () => {
  it('is one key in every spelling, which only one entitlement can have', async () => {
    const { ports } = openMemoryStore(retentionFor(defaultTtl));
    const { addProduct, importEntitlements } = administrationOf(ports, nodePlatform);
    await addProduct('prod_1', 'One', aCall());
    const drafts = spellings.map((licenseKey, position) => ({
      id: `ent_${position}`,
      grant: aOneTimeGrant(),
      licenseKey,
    }));
    const outcomes = await importEntitlements(drafts, aCall());
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['imported', 'refused', 'refused', 'refused']);
    const verify = verifyLicense(ports.licenses, nodePlatform.digest);
    for (const spelling of spellings) expect((await verify(spelling, null, aCall())).valid).to.equal(true);
  });

  it('costs one look-up in every spelling', async () => {
    const looked: string[] = [];
    const licenses = { find: async (digest: string) => (looked.push(digest), null) };
    const verify = verifyLicense(licenses, nodePlatform.digest);
    for (const spelling of spellings) await verify(spelling, null, aCall());
    expect(looked).to.deep.equal(spellings.map(() => nodePlatform.digest(folded)));
  });
});

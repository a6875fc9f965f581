import { expect } from 'chai';
import * as fc from 'fast-check';
import { digest, randomBytes } from '../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import {
  dryRunOfEntitlements,
  importEntitlements,
  type EntitlementDraft,
} from '../../../core/entitlement/administration/import-entitlements.ts';
import { makeAddition } from '../../../core/entitlement/administration/make-addition.ts';
import { makeLicense } from '../../../core/license/license.ts';
import { aCall, aGrant, aOneTimeGrant, day, later, noon } from '../../support/builders.ts';
import { freshStore, type OpenStore } from '../../support/stores/stores.ts';
import { entitlementsIn } from '../../support/stores/whole-lists.ts';

const addition = makeAddition(nodePlatform.addInterval, nodePlatform.newEventId);

/** Few ids, keys and products, so that conflicts are frequent. */
const anyDraft: fc.Arbitrary<EntitlementDraft> = fc
  .record({
    id: fc.constantFrom('ent_1', 'ent_2', 'ent_3', 'ent_4', 'ent_5'),
    licenseKey: fc.constantFrom(null, 'too short', ...['a', 'b', 'c', 'd', 'e'].map((name) => name.repeat(24))),
    productId: fc.constantFrom('prod_1', 'prod_1', 'prod_2'),
    days: fc.constantFrom(1, 1, 1, -1),
    reference: fc.constantFrom(null, null, 'sub_1', 'sub_2', 'sub_3'),
  })
  .map(({ id, licenseKey, productId, days, reference }) => {
    const period = { currentPeriodStart: noon, currentPeriodEnd: later(days * day) };
    return { id, licenseKey, grant: aGrant({ productId, reference, ...period }) };
  });

const anyBatches = fc.array(fc.array(anyDraft, { maxLength: 6 }), { maxLength: 3 });

export function entitlementDryRunContract(open: OpenStore): void {
  describe('a dry run of an import of entitlements', () => {
    const store = freshStore(open);

    it('returns the outcomes of the import that follows, whatever is stored already, and adds nothing', async () => {
      const { products, allEntitlements } = store();
      const license = makeLicense(randomBytes, digest);
      const importAll = importEntitlements(products, allEntitlements, license, addition);
      const dryRun = dryRunOfEntitlements(products, allEntitlements, license, addition);
      await products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      let run = 0;
      await fc.assert(
        fc.asyncProperty(anyBatches, anyBatches, async (earlier, batches) => {
          run += 1;
          const own = (drafts: readonly EntitlementDraft[]): readonly EntitlementDraft[] =>
            drafts.map((draft) => ({
              id: `${draft.id}-${run}`,
              licenseKey: keyOf(draft, run),
              grant: { ...draft.grant, reference: draft.grant.reference && `${draft.grant.reference}-${run}` },
            }));
          for (const batch of earlier) await importAll(own(batch), aCall());
          const before = await entitlementsIn({ allEntitlements });
          const tried = dryRun();
          const foretold = [];
          for (const batch of batches) foretold.push(await tried(own(batch), aCall()));
          expect(await entitlementsIn({ allEntitlements })).to.deep.equal(before);
          const happened = [];
          for (const batch of batches) happened.push(await importAll(own(batch), aCall()));
          expect(foretold).to.deep.equal(happened);
        }),
        { numRuns: 20 },
      );
    });

    it('remembers what it would have added, for later batches too', async () => {
      const { products, allEntitlements } = store();
      await products.add({ id: 'prod_1', name: 'One', createdAt: noon }, aCall());
      const license = makeLicense(randomBytes, digest);
      const tried = dryRunOfEntitlements(products, allEntitlements, license, addition)();
      const licenseKey = 'a'.repeat(24);
      const draft: EntitlementDraft = { id: 'ent_1', licenseKey, grant: aOneTimeGrant({ reference: 'sub_1' }) };
      expect(await tried([draft], aCall())).to.deep.equal([{ kind: 'imported' }]);
      const third = { ...draft, id: 'ent_3', licenseKey: null };
      expect(await tried([draft, { ...draft, id: 'ent_2' }, third], aCall())).to.deep.equal([
        { kind: 'refused', code: 'entitlement_exists' },
        { kind: 'refused', code: 'license_key_exists' },
        { kind: 'refused', code: 'reference_exists' },
      ]);
    });
  });
}

function keyOf({ licenseKey }: EntitlementDraft, run: number): string | null {
  return licenseKey === null ? null : `${licenseKey}-${run}`;
}

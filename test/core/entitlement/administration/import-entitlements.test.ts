import { expect } from 'chai';
import { digest, randomBytes } from '../../../../adapters/crypto/node-secrets.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import type { AllEntitlements } from '../../../../core/entitlement/administration/all-entitlements.port.ts';
import {
  importEntitlements,
  type EntitlementDraft,
} from '../../../../core/entitlement/administration/import-entitlements.ts';
import { makeAddition } from '../../../../core/entitlement/administration/make-addition.ts';
import { verifyLicense } from '../../../../core/entitlement/license/verify-license.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { makeLicense } from '../../../../core/license/license.ts';
import { aCall, day, later, noon } from '../../../support/builders.ts';
import { range } from '../../../support/range.ts';
import { eventsIn } from '../../../support/stores/event-log.ts';
import { freshStore, memory } from '../../../support/stores/stores.ts';
import { entitlementsIn } from '../../../support/stores/whole-lists.ts';
import { thrownBy } from '../../../support/thrown.ts';

const addition = makeAddition(nodePlatform.addInterval, nodePlatform.newEventId);
const key = 'a-key-that-was-sold-elsewhere';

describe('importing entitlements', () => {
  const store = freshStore(memory.open);

  beforeEach(async () => {
    for (const id of ['prod_1', 'prod_2']) await store().products.add({ id, name: id, createdAt: noon }, aCall());
  });

  it('adds an entitlement with its license, period and grace', async () => {
    expect(await run([aDraft({ licenseKey: key })])).to.deep.equal(['imported']);
    const [entitlement] = await entitlementsIn(store());
    const { license, ...rest } = entitlement ?? {};
    expect(rest).to.deep.include({
      id: 'ent_1',
      productId: 'prod_1',
      standing: 'past_due',
      currentPeriodStart: later(-day),
      currentPeriodEnd: later(day),
      graceUntil: later(day + 1000),
      version: 1,
    });
    expect(license).to.deep.include({ lastFour: 'here', createdAt: noon, revokedAt: null });
    const { valid } = await verifyLicense(store().licenses, digest)(` ${key}\n`, 'prod_1', aCall());
    expect(valid).to.equal(true);
  });

  it('adds an entitlement without a license if no key is given', async () => {
    expect(await run([aDraft({})])).to.deep.equal(['imported']);
    expect(await store().allEntitlements.find('ent_1', aCall())).to.include({ license: null });
  });

  for (const hold of ['suspended', 'revoked'] as const) {
    it(`adds a ${hold} entitlement in one write, whose key is known and gives no access`, async () => {
      expect(await run([aDraft({ licenseKey: key, hold })])).to.deep.equal(['imported']);
      const { valid } = await verifyLicense(store().licenses, digest)(key, 'prod_1', aCall());
      expect(valid).to.equal(false);
      const found = await store().allEntitlements.findByLicense(licenseDigest(key, digest), aCall());
      const expected = hold === 'revoked' ? { kind: hold, at: noon } : { kind: hold };
      expect(found).to.deep.include({ id: 'ent_1', hold: expected, version: 1, sequence: 1 });
      const [placed, ...more] = await eventsIn(store());
      expect([placed?.event.type, placed?.event.entitlement.status, more]).to.deep.equal([
        'entitlement.granted',
        hold,
        [],
      ]);
      expect(await run([aDraft({ licenseKey: key })])).to.deep.equal(['entitlement_exists']);
    });
  }

  it('returns the outcomes in the order of the drafts, and changes no existing entitlement', async () => {
    await run([aDraft({ id: 'ent_old', licenseKey: key })]);
    const before = await store().allEntitlements.find('ent_old', aCall());
    const { grant } = aDraft({});
    expect(
      await run([
        aDraft({ id: 'ent_a' }),
        aDraft({ id: 'ent_old', licenseKey: 'another-key-of-some-length' }),
        aDraft({ id: 'ent_b', licenseKey: `${key} ` }),
        aDraft({ id: 'ent_c', licenseKey: 'too short' }),
        aDraft({ id: 'ent_i', licenseKey: ' '.repeat(24) }),
        aDraft({ id: 'ent_d', grant: { ...grant, productId: 'prod_3' } }),
        aDraft({ id: 'ent_e', grant: { ...grant, currentPeriodEnd: later(-day) } as EntitlementDraft['grant'] }),
        aDraft({ id: 'ent_a' }),
        aDraft({ id: 'ent_f', licenseKey: 'the-same-key-on-two-lines' }),
        aDraft({ id: 'ent_g', licenseKey: 'the-same-key-on-two-lines' }),
        aDraft({ id: 'ent_h', grant: { ...grant, productId: 'prod_2' } }),
      ]),
    ).to.deep.equal([
      'imported',
      'entitlement_exists',
      'license_key_exists',
      'invalid_license_key',
      'invalid_license_key',
      'product_not_found',
      'period_end_too_early',
      'entitlement_exists',
      'imported',
      'license_key_exists',
      'imported',
    ]);
    expect(await store().allEntitlements.find('ent_old', aCall())).to.deep.equal(before);
    const ids = (await entitlementsIn(store())).map(({ id }) => id);
    expect(ids).to.deep.equal(['ent_a', 'ent_f', 'ent_h', 'ent_old']);
  });

  it('adds each entitlement once when several imports of it run at once', async () => {
    const drafts = range(50).map((number) => aDraft({ id: `ent_${number}`, licenseKey: `${key} ${number}` }));
    const outcomes = (await Promise.all([run(drafts), run(drafts), run(drafts)])).flat();
    expect(outcomes.filter((outcome) => outcome === 'imported')).to.have.length(50);
    expect(outcomes.filter((outcome) => outcome === 'entitlement_exists')).to.have.length(100);
  });

  it('fails if the store does not say what became of each entitlement', async () => {
    const { products, allEntitlements } = store();
    const silent: Pick<AllEntitlements, 'add' | 'findExisting'> = {
      findExisting: (keys, call) => allEntitlements.findExisting(keys, call),
      add: async (each, call) => (await allEntitlements.add(each, call)).slice(1),
    };
    const license = makeLicense(randomBytes, digest);
    const importing = importEntitlements(products, silent, license, addition)([aDraft({})], aCall());
    const { message } = (await thrownBy(importing)) as Error;
    expect(message).to.equal('the store returned fewer outcomes than entitlements');
  });

  async function run(drafts: readonly EntitlementDraft[]): Promise<readonly string[]> {
    const { products, allEntitlements } = store();
    const license = makeLicense(randomBytes, digest);
    const outcomes = await importEntitlements(products, allEntitlements, license, addition)(drafts, aCall());
    return outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.code : outcome.kind));
  }
});

function aDraft(overrides: Partial<EntitlementDraft>): EntitlementDraft {
  const period = { currentPeriodStart: later(-day), currentPeriodEnd: later(day), grace: 1000 };
  const terms = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', standing: 'past_due', reference: null } as const;
  const grant = {
    kind: 'subscription',
    billingInterval: 'month',
    billingIntervalCount: 1,
    ...terms,
    ...period,
  } as const;
  return { id: 'ent_1', licenseKey: null, grant, ...overrides };
}

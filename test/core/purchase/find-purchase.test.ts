import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { fullSnapshotAt } from '../../../core/entitlement/administration/show-entitlement.ts';
import type { Subscription } from '../../../core/entitlement/entitlement.ts';
import { generateLicenseKey, licenseDigest } from '../../../core/license/license-key.ts';
import { findPurchase, type FoundPurchase } from '../../../core/purchase/find-purchase.ts';
import { aCall, aLicense, aSignUp, aSubscription, aTrial, granted, noon } from '../../support/builders.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';

const licenseKey = generateLicenseKey((count) => new Uint8Array(count).fill(7));
const foreignKey = generateLicenseKey((count) => new Uint8Array(count).fill(8));

function ending(id: string, lastFour: string): Subscription {
  return aSubscription({ id, productId: 'prod_2', license: aLicense({ digest: id, lastFour }) });
}

describe('finding a purchase', () => {
  const store = freshStore(memory.open);
  const find = (what: string, withWaitlist = true): Promise<FoundPurchase> =>
    findPurchase(store(), digest)(what, withWaitlist, aCall());
  const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
  const first = aSubscription({ id: 'ent_1', productId: 'prod_1', license, reference: 'sub_1' });
  const second = aSubscription({ id: 'ent_2', productId: 'prod_1', reference: 'ada@shop.example' });
  const third = aSubscription({ id: 'ent_3', productId: 'prod_2', reference: 'sub_1' });

  beforeEach(async () => {
    for (const id of ['prod_1', 'prod_2']) await store().products.add({ id, name: id, createdAt: noon }, aCall());
    await store().allEntitlements.add(granted([first, second, third]), aCall());
    await store().waitlist.join(aSignUp(), aCall());
  });

  for (const [what, id] of [
    ['ent_2', 'ent_2'],
    [' ent_2\n', 'ent_2'],
    [licenseKey, 'ent_1'],
    [licenseKey.toLowerCase().replaceAll('-', ' '), 'ent_1'],
    ['ada@shop.example', 'ent_2'],
  ] as const) {
    it(`finds the entitlement of ${JSON.stringify(what)}`, async () => {
      expect(await find(what)).to.deep.equal({ kind: 'entitlement', id });
    });
  }

  it('finds a trial, unless an entitlement has its id', async () => {
    const trial = aTrial();
    expect(await find(trial.id)).to.deep.equal({ kind: 'nothing', form: 'other' });
    await store().trials.add(trial, aCall());
    expect(await find(` ${trial.id}\n`)).to.deep.equal({ kind: 'trial', id: trial.id });
    await store().allEntitlements.add(granted([aSubscription({ id: trial.id, productId: 'prod_1' })]), aCall());
    expect(await find(trial.id)).to.deep.equal({ kind: 'entitlement', id: trial.id });
  });

  it('lists the entitlements of a reference that several products have', async () => {
    const entitlements = [first, third].map((entitlement) => fullSnapshotAt(entitlement, noon));
    expect(await find('sub_1')).to.deep.equal({ kind: 'several', entitlements });
  });

  it('finds a license by the end of its key after everything else, and says where several have it', async () => {
    await store().allEntitlements.add(granted([ending('ent_4', 'X5SX'), ending('ent_5', 'KD0T')]), aCall());
    for (const what of ['X5SX', 'x5sx', ' x5SX ']) {
      expect(await find(what)).to.deep.equal({ kind: 'entitlement', id: 'ent_4' });
    }
    await store().allEntitlements.add(granted([ending('ent_6', 'X5SX'), ending('ent_7', 'x5sy')]), aCall());
    expect(await find('x5sx')).to.deep.equal({ kind: 'ends of keys', lastFour: 'x5sx' });
    expect(await find('X5SY')).to.deep.equal({ kind: 'nothing', form: 'other' });
    const named = aSubscription({ id: 'KD0T', productId: 'prod_1' });
    await store().allEntitlements.add(granted([named]), aCall());
    expect(await find('KD0T')).to.deep.equal({ kind: 'entitlement', id: 'KD0T' });
  });

  it('finds an address of the waitlist in every spelling, for those who may see it only', async () => {
    expect(await find('ADA@example.com')).to.deep.equal({ kind: 'sign-up', signUp: aSignUp() });
    expect(await find('ADA@example.com', false)).to.deep.equal({ kind: 'nothing', form: 'e-mail address' });
  });

  for (const [what, form] of [
    ['', 'other'],
    ['sub_2', 'other'],
    ['eve@example.com', 'e-mail address'],
    [foreignKey, 'license key'],
    ['LK-7H2QM-9TKXE-4RW8C', 'mistyped license key'],
  ] as const) {
    it(`says that ${JSON.stringify(what)} has the form: ${form}`, async () => {
      expect(await find(what)).to.deep.equal({ kind: 'nothing', form });
    });
  }
});

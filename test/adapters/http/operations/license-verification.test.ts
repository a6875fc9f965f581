import { expect } from 'chai';
import { digest } from '../../../../adapters/crypto/node-secrets.ts';
import { licenseDigest } from '../../../../core/license/license-key.ts';
import { aLicense, aOneTimePurchase, aSubscription } from '../../../support/builders.ts';
import { corsHeaders, succeeded } from '../../../support/http/replies.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { memory } from '../../../support/stores/stores.ts';

const key = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(key, digest) });

const entitlement = {
  id: 'ent_1',
  productId: 'prod_1',
  status: 'active',
  tierId: 'pro',
  tierName: 'Pro',
  billingInterval: 'month',
  currentPeriodEnd: '2026-08-01T00:00:00.000Z',
};

const valid = succeeded({ valid: true, entitlement }, corsHeaders);
const invalid = succeeded({ valid: false }, corsHeaders);

describe('a verified license', () => {
  const service = freshService(memory);

  it('describes its entitlement while it gives access', async () => {
    await service().grant(aSubscription({ license }));
    expect(await service().verify({ licenseKey: key })).to.deep.equal(valid);
  });

  it('is found despite white space around it, unknown members and credentials', async () => {
    await service().grant(aSubscription({ license }));
    const asked = {
      method: 'POST',
      headers: [json, bearer('svc_sk_live_unknown')],
      body: JSON.stringify({ licenseKey: `${key}\n`, seat: 4 }),
    } as const;
    expect(await service().send('/api/licenses/verify', asked)).to.deep.equal(valid);
  });

  it('is checked against no product if that is null', async () => {
    await service().grant(aSubscription({ license }));
    expect(await service().verify({ licenseKey: key, productId: null })).to.deep.equal(valid);
  });

  it('has no period end if it is a one-time purchase', async () => {
    await service().grant(aOneTimePurchase({ license }));
    const { currentPeriodEnd: _end, ...rest } = entitlement;
    const expected = { ...rest, id: 'ent_once', billingInterval: 'one_time' };
    expect(await service().verify({ licenseKey: key })).to.deep.equal(
      succeeded({ valid: true, entitlement: expected }, corsHeaders),
    );
  });

  it('says why it gives no access', async () => {
    await service().grant(aSubscription({ license, hold: { kind: 'suspended' } }));
    const expected = { valid: false, entitlement: { ...entitlement, status: 'suspended' } };
    expect(await service().verify({ licenseKey: key })).to.deep.equal(succeeded(expected, corsHeaders));
  });

  it('is not valid if it is unknown or not of the product that is named', async () => {
    await service().grant(aSubscription({ license }));
    expect(await service().verify({ licenseKey: key, productId: 'prod_1' })).to.deep.equal(valid);
    expect(await service().verify({ licenseKey: key, productId: 'prod_2' })).to.deep.equal(invalid);
    expect(await service().verify({ licenseKey: 'a-key-that-nobody-ever-had' })).to.deep.equal(invalid);
  });
});

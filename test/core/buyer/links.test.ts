import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { affiliateSubject, handleInSubject, linkTimeRule } from '../../../core/buyer/buyer-link.ts';
import { buyersCall } from '../../../core/buyer/buyers-call.ts';
import { showBuyersLicense } from '../../../core/buyer/buyers-license.ts';
import { createLink, endLinks, pruneBuyerLinks, type LinkRequest } from '../../../core/buyer/manage-links.ts';
import { openLink, type LinkParts } from '../../../core/buyer/open-link.ts';
import { createSupportLink } from '../../../core/buyer/support-link.ts';
import type { Device } from '../../../core/device/device.ts';
import { listLicenseDevices } from '../../../core/device/license-devices.ts';
import { licenseDigest } from '../../../core/license/license-key.ts';
import { tierTable } from '../../../core/tier/allowance.ts';
import {
  aCall,
  aLicense,
  anAppKey,
  aProduct,
  aSubscription,
  day,
  granted,
  hour,
  later,
  noon,
} from '../../support/builders.ts';
import { range } from '../../support/range.ts';
import { freshStore, memory } from '../../support/stores/stores.ts';
import { refusalOf } from '../../support/thrown.ts';

const licenseKey = 'a key of the owner’s making';

const nobody = async () => null;

describe('the links of buyers', () => {
  const store = freshStore(memory.open);
  let made: number;
  let parts: LinkParts;

  beforeEach(async () => {
    made = 0;
    const terms = { deviceLimit: 200, features: {}, trial: null };
    const table = tierTable([{ productId: 'prod_1', id: 'pro', terms, revision: 1 }]);
    parts = {
      buyerLinks: store().buyerLinks,
      entitlements: store().allEntitlements,
      history: store().entitlementHistory,
      appKeys: store().allAppKeys,
      devices: store().devices,
      products: store().products,
      digest,
      knownTiers: async () => table,
    };
    await store().products.add(aProduct(), aCall());
    const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
    await store().allEntitlements.add(granted([aSubscription({ license })]), aCall());
  });

  const creating = () => createLink(store().buyerLinks, () => String((made += 1)).padStart(43, 't'), digest);
  const find: LinkRequest['find'] = (call) => store().allEntitlements.find('ent_1', call);
  const create = (request: Partial<LinkRequest> = {}) =>
    creating()({ find, expires: null, appKeyId: null, returnUrl: null, isForLostKeys: false, ...request }, aCall());
  const open = (token: string, at = 0) => openLink(parts)(token, aCall({ now: later(at) }));
  const codeOf = async (token: string, at = 0) => (await refusalOf(open(token, at))).code;

  it('work for an hour, or as long as they are asked to', async () => {
    const { link, token } = await create({ returnUrl: 'https://shop.example/account' });
    expect(link).to.deep.equal({
      digest: digest(token),
      subject: 'ent_1',
      appKeyId: null,
      returnUrl: 'https://shop.example/account',
      isForLostKeys: false,
      createdAt: noon,
      expiresAt: later(hour),
    });
    expect(await store().buyerLinks.find(digest(token), aCall())).to.deep.equal(link);
    expect((await open(token, hour - 1)).link).to.deep.equal(link);
    expect(await codeOf(token, hour)).to.equal('link_not_found');
    expect((await create({ expires: day })).link.expiresAt).to.deep.equal(later(day));
    expect([
      linkTimeRule.parse('5m'),
      linkTimeRule.parse('4m'),
      linkTimeRule.parse('24h'),
      linkTimeRule.parse('25h'),
    ]).to.deep.equal([300_000, null, day, null]);
  });

  it('show the license as it is now', async () => {
    const { link, token } = await create();
    const seen = (await find(aCall())) as ReturnType<typeof aSubscription>;
    const put = range(101).map((number): Device => {
      const at = later(number);
      return { id: `dev_${number}`, name: null, activatedAt: at, seenAt: at, offlineUntil: null };
    });
    const next = { ...seen, devicesUsed: 101, revision: 2 };
    await store().devices.replace(seen, next, { gone: [], put, events: [] }, aCall());
    expect(await open(token)).to.deep.equal({
      link,
      entitlement: { ...next, deviceLimit: 200 },
      product: aProduct(),
      why: { by: null, reason: null, at: null },
      devices: put.slice(0, 100),
    });
  });

  it('are unknown in any other form, and for no entitlement', async () => {
    const { token } = await create();
    for (const other of ['', token.slice(1), `${token}x`, `x${token}`, 't'.repeat(43), `${token.slice(1)}.`])
      expect(await codeOf(other), other).to.equal('link_not_found');
    const gone = await create({ find: async () => ({ id: 'ent_9' }) });
    expect(await codeOf(gone.token)).to.equal('link_not_found');
    const ofAffiliate = await create({ find: async () => ({ id: affiliateSubject('ent_1') }) });
    expect(await codeOf(ofAffiliate.token)).to.equal('link_not_found');
    expect([handleInSubject(affiliateSubject('ada')), handleInSubject('ent_1')]).to.deep.equal(['ada', null]);
  });

  it('end with the app key that made them', async () => {
    const { token } = await create({ appKeyId: 'key_1' });
    expect(await codeOf(token)).to.equal('link_not_found');
    await store().allAppKeys.add(anAppKey({ expiresAt: later(5) }), aCall());
    expect((await open(token, 4)).entitlement.id).to.equal('ent_1');
    expect(await codeOf(token, 5)).to.equal('link_not_found');
  });

  it('need an entitlement that the caller may see', async () => {
    expect((await refusalOf(create({ find: nobody }))).code).to.equal('entitlement_not_found');
    expect((await refusalOf(endLinks(store().buyerLinks)(nobody, aCall()))).code).to.equal('entitlement_not_found');
  });

  it('are all ended at once', async () => {
    const [{ token }] = [await create(), await create()];
    const end = endLinks(store().buyerLinks);
    expect([await end(find, aCall()), await end(find, aCall())]).to.deep.equal([2, 0]);
    expect(await codeOf(token)).to.equal('link_not_found');
  });

  it('are removed once they have ended', async () => {
    await create();
    await create({ expires: day });
    const prune = pruneBuyerLinks(store().buyerLinks);
    expect(await prune(() => aCall({ now: later(hour) }))).to.equal(1);
    expect(await prune(() => aCall({ now: later(hour) }))).to.equal(0);
  });

  it('may be of the seller, who helps', async () => {
    for (const isForLostKeys of [undefined, true]) {
      const support = createSupportLink(
        creating(),
        store().allEntitlements,
        () => 'https://latchkey.test',
        isForLostKeys,
      );
      const { url, expiresAt } = await support({ entitlementId: 'ent_1', expires: day }, aCall());
      expect([url, expiresAt]).to.deep.equal([
        `https://latchkey.test/license/links/${String(made).padStart(43, 't')}`,
        later(day),
      ]);
      const { link } = await open(url.slice(-43));
      expect(link).to.include({ appKeyId: null, returnUrl: null, isForLostKeys: isForLostKeys ?? false });
    }
  });

  it('and keys show the same license', async () => {
    const show = showBuyersLicense(
      listLicenseDevices(store().licenses, { ...parts, devices: store().devices }),
      store().products,
      store().entitlementHistory,
    );
    const { link: _link, ...linked } = await open((await create()).token);
    expect(await show(licenseKey, aCall())).to.deep.equal(linked);
    expect((await refusalOf(show('another key that nobody has', aCall()))).code).to.equal('license_not_found');
  });

  it('let buyers change nothing but their own product', () => {
    const call = aCall();
    expect(buyersCall(call, { productId: 'prod_1' })).to.deep.equal({
      ...call,
      by: 'buyer',
      products: new Set(['prod_1']),
    });
  });
});

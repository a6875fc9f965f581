import { expect } from 'chai';
import type { ClaimToShow } from '../../../../adapters/web/claim/claim-page.ts';
import { englishTexts } from '../../../../adapters/web/markup/buyer-texts.ts';
import { createPages, type Pages } from '../../../../adapters/web/pages.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { deviceOf as shownDevice } from '../../../../core/device/device.ts';
import type { EntitlementCommand } from '../../../../core/entitlement/entitlement-command.ts';
import { billingIntervals, type Entitlement } from '../../../../core/entitlement/entitlement.ts';
import { changeReasons } from '../../../../core/entitlement/history-entry.ts';
import {
  aCall,
  aLicense,
  aOneTimePurchase,
  aProduct,
  aSubscription,
  day,
  later,
  noon,
} from '../../../support/builders.ts';
import { appKeys } from '../../../support/http/fixtures.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import { startService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';
import { accountUrl, administrationIn, grantWithKey, sellSketchpad, supportUrl } from '../../../support/web/buyers.ts';
import { greek, markedTexts, namesIn, wordsLeftIn } from '../../../support/web/marked-texts.ts';
import { getPage, sendForm } from '../../../support/web/page-client.ts';
import { site } from '../../../support/web/site.ts';

/** A site and a product whose names have no Latin letter. */
const ofSite = { siteName: greek.site, siteOwner: greek.site, sitePrivacy: '/privacy', siteHelp: supportUrl };
const product = { name: greek.product, accountUrl, supportUrl, activateUrl: 'sketchpad:{key}' };
const tierName = greek.tier;

function deviceOf(text: string): string {
  return /name="device" value="(dev_[\w-]{22})"/.exec(text)?.[1] ?? '';
}

function versionOf(text: string): string {
  return /name="version" value="(\d+)"/.exec(text)?.[1] ?? '';
}

describe('the texts for buyers', () => {
  let service: TestService;
  const pages: string[] = [];

  before(async () => {
    const settings = { siteLanguage: 'ar', siteTexts: markedTexts, deviceReleases: 1, ...ofSite };
    service = await startService(memory, settings);
    await sellSketchpad(service, product);
    for (const collect of [ofStates, ofDevices, ofLinks, ofLostKeys, ofRefusals]) await collect();
    const { claim } = pagesOf();
    for (const shown of claims()) pages.push(claim(shown, noon).content);
  });
  after(() => service.stop());

  const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    const { text } = await sendForm(new URL(path, service.url).href, fields);
    if (text !== '') pages.push(text);
    return text;
  };
  const get = async (path: string): Promise<string> => {
    const { text } = await getPage(new URL(path, service.url).href);
    if (text !== '') pages.push(text);
    return text;
  };
  const send = async (path: string, body: object, at = service): Promise<unknown> => {
    const headers = [bearer(appKeys.full), json];
    return (await at.send(path, { method: 'POST', headers, body: JSON.stringify(body) })).body;
  };
  const activate = (licenseKey: string, deviceId: string, at = service): Promise<unknown> =>
    send('/api/licenses/activate', { licenseKey, deviceId, deviceName: greek.device }, at);
  const linkTo = async (id: string): Promise<string> => {
    const made = await send(`/api/app-entitlements/${id}/links`, { returnUrl: 'https://shop.example/account' });
    return new URL((made as { readonly data: { readonly url: string } }).data.url).pathname;
  };

  const takeAccess = (id: string, command: EntitlementCommand) =>
    administrationIn(service).runEntitlementCommand(id, command, aCall({ by: 'stripe' }));

  async function ofStates(): Promise<void> {
    const canceled = { at: later(-day), requestedAt: later(-2 * day) };
    const states: readonly Entitlement[] = [
      ...billingIntervals.flatMap((billingInterval) =>
        [1, 2].map((billingIntervalCount) => aSubscription({ billingInterval, billingIntervalCount })),
      ),
      aOneTimePurchase(),
      aOneTimePurchase({ accessEndsAt: later(day) }),
      aSubscription({ standing: 'trialing' }),
      aSubscription({ cancellation: { at: later(day), requestedAt: noon } }),
      aSubscription({ standing: 'past_due' }),
      aSubscription({ hold: { kind: 'suspended' } }),
      aSubscription({ hold: { kind: 'suspended', causes: ['payment'] } }),
      aSubscription({ cancellation: canceled }),
      aSubscription({ currentPeriodEnd: later(-3 * day), graceUntil: later(-2 * day) }),
      aSubscription({ hold: { kind: 'revoked', at: later(-day) } }),
    ];
    for (const [index, state] of states.entries()) {
      const licenseKey = await grantWithKey(service, { ...state, id: `state_${index}`, tierName });
      await post('/license', { licenseKey });
      await post('/license/receipt', { licenseKey });
    }
    for (const reason of changeReasons) {
      const licenseKey = await grantWithKey(service, aSubscription({ id: `held_${reason}`, tierName }));
      await takeAccess(`held_${reason}`, { kind: 'suspend', cause: 'payment', reason });
      await post('/license', { licenseKey });
    }
    for (const reason of ['refunded', 'dispute_lost'] as const) {
      const licenseKey = await grantWithKey(service, aOneTimePurchase({ id: `revoked_${reason}`, tierName }));
      await takeAccess(`revoked_${reason}`, { kind: 'revoke', reason });
      await post('/license', { licenseKey });
    }
    await get('/license');
    for (const links of [{ supportUrl }, { name: greek.product }]) {
      const settings = { siteLanguage: 'ar', siteTexts: markedTexts, siteName: greek.site, deviceReleases: 0 };
      const other = await startService(memory, settings);
      await sellSketchpad(other, { name: greek.product, ...links });
      const scheduled = { cancellation: { at: later(day), requestedAt: noon } };
      for (const state of [aSubscription({ deviceLimit: 1 }), aSubscription({ id: 'ent_2', ...scheduled })]) {
        const licenseKey = await grantWithKey(other, { ...state, tierName });
        await activate(licenseKey, 'device-0001', other);
        pages.push((await sendForm(`${other.url}/license`, { licenseKey })).text);
      }
      await other.stop();
    }
  }

  async function ofDevices(): Promise<void> {
    const licenseKey = await grantWithKey(service, aSubscription({ id: 'devices', deviceLimit: 2, tierName }));
    await post('/license', { licenseKey });
    await post('/license/receipt', { licenseKey, deviceId: '' });
    await post('/license/release', { licenseKey, device: '' });
    for (const _ of range(4)) {
      await activate(licenseKey, 'device-0001');
      await post('/license/release', { licenseKey, device: deviceOf(await post('/license', { licenseKey })) });
    }
    await post('/license/receipt', { licenseKey, deviceId: 'device-0002' });
    await post('/license/receipt', { licenseKey, deviceId: 'device-0003' });
    const call = aCall();
    await administrationIn(service).runEntitlementCommand('devices', { kind: 'allow', deviceLimit: null }, call);
    await post('/license', { licenseKey });
    const offline = await grantWithKey(service, aSubscription({ id: 'offline', deviceLimit: 1, tierName }));
    await post('/license/receipt', { licenseKey: offline, deviceId: 'device-0001' });
    await post('/license/release', {
      licenseKey: offline,
      device: shownDevice('offline', 'device-0001', nodePlatform.digest),
    });
    await post('/license', { licenseKey: offline });
    await ofHeldDevices();
    const many = aSubscription({ id: 'many', deviceLimit: 9, devicesUsed: 5, tierName });
    const manyKey = await grantWithKey(service, many);
    await activate(manyKey, 'device-0001');
    await post('/license', { licenseKey: manyKey });
    await get(`${await linkTo('many')}/replace`);
  }

  /** The texts about devices without access. */
  async function ofHeldDevices(): Promise<void> {
    const licenseKey = await grantWithKey(service, aSubscription({ id: 'held_devices', deviceLimit: 2, tierName }));
    for (const device of ['device-0001', 'device-0002']) await activate(licenseKey, device);
    await takeAccess('held_devices', { kind: 'suspend' });
    const text = await post('/license', { licenseKey });
    await post('/license/release', { licenseKey, device: deviceOf(text) });
  }

  async function ofLinks(): Promise<void> {
    await grantWithKey(service, aSubscription({ id: 'linked', tierName }));
    const link = await linkTo('linked');
    await get(link);
    for (const change of ['cancel', 'resume', 'replace']) {
      const version = versionOf(await get(`${link}/${change}`));
      await post(`${link}/${change}`, { version });
      await get(`${link}?done=${change}`);
      await post(`${link}/${change}`, { version: '1' });
    }
    await service.grant(
      aSubscription({ id: 'keyless', tierName }),
      aSubscription({ id: 'older', tierName, license: aLicense({ lastFour: null, digest: 'digest-of-an-older' }) }),
    );
    await post(`${await linkTo('older')}/receipt`, {});
    await takeAccess('older', { kind: 'suspend', cause: 'payment', reason: 'refunded' });
    await get(await linkTo('older'));
    for (const id of ['keyless', 'older']) await get(`${await linkTo(id)}/replace`);
    await get(`/license/links/${'A'.repeat(43)}`);
  }

  async function ofLostKeys(): Promise<void> {
    const smtpUrl = { host: '127.0.0.1', port: 25, security: 'plain', credentials: null } as const;
    const mail = { smtpUrl, mailFrom: { address: 'lk@lk', name: null }, stripeApiKey: 'sk_test_lost' };
    const texts = { siteLanguage: 'ar', siteTexts: markedTexts, ...ofSite };
    const mailing = await startService(memory, { ...texts, ...mail });
    for (const path of ['/license', '/license/lost', '/license/lost/sent', `/license/links/${'A'.repeat(43)}`]) {
      pages.push((await getPage(mailing.url + path)).text);
    }
    pages.push((await sendForm(`${mailing.url}/license/lost`, { email: '' })).text);
    const licenseKey = await grantWithKey(mailing, aSubscription({ id: 'sub_1', tierName }));
    for (const links of [product, { name: greek.product }]) {
      await sellSketchpad(mailing, links);
      pages.push((await sendForm(`${mailing.url}/license`, { licenseKey })).text);
    }
    await mailing.stop();
  }

  async function ofRefusals(): Promise<void> {
    await post('/license', { licenseKey: 'short' });
    pages.push((await sendForm(`${service.url}/license`, {}, { Origin: 'https://evil.example' })).text);
    for (const _ of range(21)) await post('/license', { licenseKey: 'LK-00000-00000-00000-00000-00000-00000' });
    const { refusal } = pagesOf();
    for (const asked of ['/license', '/claim', null]) {
      for (const [status, code] of [
        [500, 'internal_error'],
        [404, 'not_found'],
        [404, 'checkout_session_not_found'],
        [429, 'rate_limited'],
        [405, 'method_not_allowed'],
      ] as const) {
        const refused = { status, code, message: 'A message in English.', correlationId: 'req' };
        const { content } = refusal({ ...refused, asked, path: asked });
        pages.push(content.replaceAll('>req<', '><'));
      }
    }
  }

  it('are the only words on all pages: no English is left', () => {
    expect([...new Set(pages.flatMap(wordsLeftIn))]).to.deep.equal([]);
  });

  it('are each on a page', () => {
    const names = new Set(pages.flatMap(namesIn));
    expect(Object.keys(englishTexts).filter((name) => !names.has(name) && !name.startsWith('mail'))).to.deep.equal([]);
  });

  it('are in a language that each page names, with its direction', () => {
    const heads = pages.map((page) => /<html[^>]*>/.exec(page)?.[0].replaceAll(/\s+/g, ' '));
    expect([...new Set(heads)]).to.deep.equal(['<html lang="ar" dir="rtl">']);
  });
});

describe('the language of pages for buyers', () => {
  for (const [siteLanguage, direction, date, time] of [
    ['en', null, '1 August 2026', '13:00 UTC'],
    ['de-AT', null, '1. August 2026', '13:00 UTC'],
    ['en-US', null, 'August 1, 2026', '1:00 PM UTC'],
    ['he', 'rtl', '1 באוגוסט 2026', '13:00 UTC'],
  ] as const) {
    it(`writes dates and directs letters as it does: ${siteLanguage}`, async () => {
      const service = await startService(memory, { siteLanguage });
      const licenseKey = await grantWithKey(service, aSubscription());
      const text = (await sendForm(`${service.url}/license`, { licenseKey })).text.replaceAll('\u00A0', ' ');
      expect(text).to.include(`>${date}</time>`);
      const [, lang, dir = null] = /<html lang="([\w-]+)"\s*(?:dir="(\w+)")?/.exec(text) ?? [];
      expect([lang, dir]).to.deep.equal([siteLanguage, direction]);
      const made = await service.send('/api/app-entitlements/ent_1/links', { method: 'POST', headers: [bearer()] });
      const { url } = (made.body as { readonly data: { readonly url: string } }).data;
      expect((await getPage(url)).text.replaceAll(/[\u00A0\u202F]/g, ' ')).to.include(`>${time}</time>`);
      const marketplace = await getPage(service.url);
      expect(marketplace.text).to.match(/<html lang="en"\s*>/);
      await service.stop();
    });
  }
});

function unused(): never {
  throw new Error('a page for buyers has asked for the marketplace');
}

/** The pages of the marked texts, for buyers alone. */
function pagesOf(): Pages {
  return createPages({
    catalog: { age: unused, isFresh: unused, list: unused } as never,
    join: unused,
    site: { ...site, name: ofSite.siteName, help: supportUrl },
    language: 'ar',
    texts: markedTexts,
    baseUrl: () => 'https://shop.example',
    basePath: '',
    isForBuyers: true,
    licenses: null,
    lostKeys: null,
    affiliates: null,
    cacheControl: 'no-store',
  });
}

/** The states of the page after a purchase. */
function claims(): readonly ClaimToShow[] {
  const facts = { licenseKey: null, lastFour: 'WXYZ', product: aProduct({ name: greek.product }) };
  const entitlement = aSubscription({ tierName, license: aLicense() });
  const bought = { ...facts, entitlement };
  const kept = (['shown before', 'never shown', 'replaced'] as const).map(
    (key) => ({ ...bought, state: 'kept', key }) as const,
  );
  const downloaded = aProduct({ name: greek.product, downloadUrl: 'https://shop.example/get' });
  const reasons = [null, 'refunded', 'disputed', 'dispute_lost', 'unpaid', 'paused'] as const;
  return [
    { state: 'unpaid' },
    { state: 'unmapped' },
    { state: 'failed' },
    ...kept,
    { ...bought, state: 'kept', key: 'none', lastFour: null, entitlement: { ...entitlement, license: null } },
    {
      ...bought,
      state: 'kept',
      key: 'replaced',
      lastFour: null,
      entitlement: { ...entitlement, standing: 'trialing' },
    },
    { ...bought, state: 'kept', key: 'replaced', entitlement: { ...entitlement, standing: 'past_due' } },
    { ...bought, state: 'ready', until: later(day), licenseKey: 'LK-7Q2M9', product: downloaded },
    { ...bought, state: 'ready', until: later(day), licenseKey: 'LK-7Q2M9' },
    ...reasons.map((reason) => ({ ...bought, state: 'suspended', causes: ['payment'], reason }) as const),
    { ...bought, state: 'suspended', causes: ['operator'], reason: null },
    ...(['refunded', 'dispute_lost'] as const).map(
      (reason) => ({ ...bought, state: 'refunded', at: noon, reason }) as const,
    ),
    { ...bought, state: 'ended', at: noon },
  ];
}

import { expect } from 'chai';
import type { EntitlementCommand } from '../../../core/entitlement/entitlement-command.ts';
import { aCall, aOneTimePurchase, aSubscription, day, later, noon } from '../../support/builders.ts';
import { appKeys } from '../../support/http/fixtures.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { accountUrl, administrationIn, grantWithKey, sellSketchpad, supportUrl } from '../../support/web/buyers.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectAsksFor, imageHost, imageUrls, serveImages } from './image-host.ts';
import { naturalWidth } from './in-page.js';
import {
  expectFits,
  expectFitsScreens,
  expectSound,
  keepScreenshot,
  openTab,
  screens,
  startSite,
  tabTo,
  type Screen,
  type Tab,
} from './site.ts';

describe('the page of a license, in a browser', () => {
  const browser = borrowChromium();
  let service: TestService;
  /** A tab with JavaScript, and one without. */
  let tab: Tab;
  let plain: Tab;

  before(async () => {
    service = await startSite({ siteName: 'Sketchpad', siteHelp: supportUrl, siteImageHosts: [imageHost] });
    await service.addAppKey(appKeys.full);
    tab = await openTab(browser(), service);
    plain = await openTab(browser(), service, { javaScriptEnabled: false });
  });
  after(() => service.stop());
  beforeEach(() => sellSketchpad(service, { accountUrl, supportUrl }));

  async function linkTo(id: string): Promise<string> {
    const answer = await fetch(`${service.url}/api/app-entitlements/${id}/links`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${appKeys.full}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ returnUrl: accountUrl }),
    });
    const { data } = (await answer.json()) as { readonly data: { readonly url: string } };
    return data.url;
  }

  async function activate(licenseKey: string, ...names: readonly string[]): Promise<void> {
    for (const deviceName of names) {
      const body = JSON.stringify({ licenseKey, deviceId: `device-${deviceName}`, deviceName });
      const headers = { 'Content-Type': 'application/json' };
      const { ok } = await fetch(`${service.url}/api/licenses/activate`, { method: 'POST', headers, body });
      expect(ok).to.equal(true);
    }
  }

  async function refunded(id: string, command: EntitlementCommand): Promise<string> {
    const key = await grantWithKey(service, aOneTimePurchase({ id }));
    await administrationIn(service).runEntitlementCommand(id, command, aCall({ by: 'stripe' }));
    return key;
  }

  it('opens by the keyboard what it folds, and is sound on each width', async () => {
    const works = await grantWithKey(service, aSubscription({ id: 'sub_1', deviceLimit: 2 }));
    await activate(works, 'One', 'Two');
    await fetch(`${service.url}/license/receipt`, {
      method: 'POST',
      body: new URLSearchParams({ licenseKey: works, deviceId: 'device-One' }),
    });
    const ended = await grantWithKey(service, aOneTimePurchase({ id: 'cs_1' }));
    await activate(ended, 'Three', 'Four');
    const returned = { kind: 'revoke', reason: 'refunded' } as const;
    await administrationIn(service).runEntitlementCommand('cs_1', returned, aCall({ by: 'stripe' }));
    const { page } = tab;
    for (const [key, folds] of [
      [
        works,
        [
          'Use it on a machine without a network A file that works for 14 days',
          'It does not work? Three things to try',
        ],
      ],
      [ended, ['2 devices none of them opens the program now']],
    ] as const) {
      await page.goto('/license');
      await page.getByLabel('License key').fill(key);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.says');
      for (const fold of folds) {
        await tabTo(tab, fold);
        await page.keyboard.press('Enter');
      }
      expect(await page.locator('details:not([open])').count()).to.equal(0);
      await expectSound(tab);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await expectFits(tab);
      }
      await page.setViewportSize(screens.wide);
    }
  });

  for (const screen of Object.keys(screens) as readonly Screen[]) {
    it(`leads from a key to a receipt and by a link to a new key, ${screen}`, async () => {
      const { page, complaints } = plain;
      await page.setViewportSize(screens[screen]);
      complaints.splice(0);
      const id = `led_${screen}`;
      const key = await grantWithKey(service, aSubscription({ id, deviceLimit: 2 }));
      await page.goto('/license');
      await page.getByLabel('License key').fill('LK-00000-00000-00000-00000-00000-00000');
      await page.getByRole('button', { name: 'Show license' }).click();
      expect(await page.locator('h1').innerText()).to.equal('We do not know this key');
      await page.getByLabel('License key').fill(key);
      await page.getByRole('button', { name: 'Show license' }).click();
      expect((await page.locator('.says').innerText()).replaceAll('\u00A0', ' ')).to.equal(
        'Your license works. It renews on 1 August 2026.',
      );
      await keepScreenshot(plain, 'license-active');
      await page.getByText('Use it on a machine without a network').click();
      await page.getByLabel('Device id').fill('device-0001');
      await page.getByRole('button', { name: 'Get a receipt' }).click();
      expect(await page.getByRole('textbox', { name: 'Receipt' }).innerText()).to.match(/^eyJ/);
      await page.getByRole('button', { name: 'Back to the license' }).click();
      await page.goto(await linkTo(id));
      await keepScreenshot(plain, 'license-link');
      await page.getByRole('link', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel subscription' }).click();
      expect(await page.getByRole('status').innerText()).to.include('Canceled');
      await page.getByRole('link', { name: 'Resume', exact: true }).click();
      await page.getByRole('button', { name: 'Resume subscription' }).click();
      expect(await page.getByRole('status').innerText()).to.include('Resumed');
      await page.getByRole('link', { name: 'Replace the key' }).click();
      await page.getByRole('button', { name: 'Replace key' }).click();
      expect(await page.getByRole('textbox', { name: 'License key' }).innerText()).to.match(/^LK(?:-[0-9A-Z]{5}){6}$/);
      await keepScreenshot(plain, 'license-key');
      expect(complaints.filter((each) => !each.includes('404'))).to.deep.equal([]);
    });
  }

  it('is sound in each state', async () => {
    const { page } = tab;
    const revoked = { kind: 'revoked', at: noon } as const;
    const keys = [
      await grantWithKey(service, aSubscription({ id: 'one', deviceLimit: 3 })),
      await grantWithKey(service, aSubscription({ id: 'two', standing: 'past_due' })),
      await grantWithKey(service, aSubscription({ id: 'three', hold: revoked })),
      await grantWithKey(service, aSubscription({ id: 'trial', standing: 'trialing' })),
      await grantWithKey(
        service,
        aSubscription({ id: 'scheduled', cancellation: { at: later(day), requestedAt: noon } }),
      ),
      await grantWithKey(service, aSubscription({ id: 'held', hold: { kind: 'suspended' } })),
      await grantWithKey(service, aSubscription({ id: 'unpaid', hold: { kind: 'suspended', causes: ['payment'] } })),
      await grantWithKey(service, aOneTimePurchase({ id: 'bought' })),
      await refunded('refunded', { kind: 'suspend', cause: 'payment', reason: 'refunded' }),
      await refunded('returned', { kind: 'revoke', reason: 'refunded' }),
      'LK-00000-00000-00000-00000-00000-00000',
    ];
    await page.goto('/license');
    await expectSound(tab);
    for (const key of keys) {
      await page.goto('/license');
      await page.getByLabel('License key').fill(key);
      await page.getByRole('button', { name: 'Show license' }).click();
      await expectSound(tab);
    }
    const link = await linkTo('one');
    for (const path of ['', '/cancel', '/replace']) {
      await page.goto(link + path);
      await expectSound(tab);
    }
    await administrationIn(service).runEntitlementCommand('one', { kind: 'cancel' }, aCall());
    for (const path of ['?done=cancel', '/resume']) {
      await page.goto(link + path);
      await expectSound(tab);
    }
    await page.goto(`/license/links/${'A'.repeat(43)}`);
    await expectSound(tab);
  });

  it('is sound with a receipt, a new key and what is refused', async () => {
    const { page } = tab;
    await page.goto('/license');
    const id = 'receipt';
    const key = await grantWithKey(service, aSubscription({ id, deviceLimit: 1 }));
    await page.getByLabel('License key').fill(key);
    await page.getByRole('button', { name: 'Show license' }).click();
    await page.getByText('Use it on a machine without a network').click();
    for (const deviceId of ['short', 'device-0001']) {
      await page.getByLabel('Device id').fill(deviceId);
      await page.getByRole('button', { name: 'Get a receipt' }).click();
      await expectSound(tab);
    }
    await keepScreenshot(tab, 'license-receipt');
    await page.getByRole('button', { name: 'Back to the license' }).click();
    expect(await page.getByRole('button', { name: 'Release' }).count()).to.equal(0);
    await expectSound(tab);
    const link = await linkTo(id);
    for (const heading of ['Your new license key', 'Nothing was changed']) {
      await page.goto(`${link}/replace`);
      if (heading === 'Nothing was changed') await administrationIn(service).rotateLicense(id, null, aCall());
      await page.getByRole('button', { name: 'Replace key' }).click();
      expect(await page.locator('h1').innerText()).to.equal(heading);
      await expectSound(tab);
    }
  });

  it('shows the icon of the product, asks its host for nothing else, and does not say who asks', async () => {
    const key = await grantWithKey(service, aSubscription({ id: 'icon', deviceLimit: 2 }));
    const link = await linkTo('icon');
    const seen = await openTab(browser(), service);
    const { page } = seen;
    const referrers = await serveImages(seen);
    for (const iconUrl of imageUrls) {
      await sellSketchpad(service, { iconUrl });
      await page.goto('/license');
      await page.getByLabel('License key').fill(key);
      await page.getByRole('button', { name: 'Show license' }).click();
      await page.goto(link, { waitUntil: 'networkidle' });
      if (iconUrl === imageUrls[0]) {
        expect(await page.locator('.owned .tile img').evaluate(naturalWidth)).to.equal(64);
        await keepScreenshot(seen, 'license-icon');
      }
      await expectSound(seen);
      await page.setViewportSize({ width: 320, height: 844 });
      await expectFits(seen);
      await page.setViewportSize(screens.wide);
    }
    expectAsksFor(seen, imageUrls);
    expect(new Set(referrers)).to.deep.equal(new Set([undefined]));
    await page.context().close();
  });

  it('shows hostile names as they are', async () => {
    const { page, complaints } = tab;
    complaints.splice(0);
    for (const name of [`"><script>alert(1)</script>${'W'.repeat(120)}`, `תוכנה ${'שלום'.repeat(40)} {date}`]) {
      await sellSketchpad(service, { name, accountUrl, supportUrl });
      const id = `hostile_${name.length}`;
      const key = await grantWithKey(service, aSubscription({ id, tierName: name, deviceLimit: 2 }));
      const body = JSON.stringify({ licenseKey: key, deviceId: 'device-0001', deviceName: name.slice(-100) });
      const headers = { 'Content-Type': 'application/json' };
      await fetch(`${service.url}/api/licenses/activate`, { method: 'POST', headers, body });
      await page.goto('/license');
      await page.getByLabel('License key').fill(key);
      await page.getByRole('button', { name: 'Show license' }).click();
      expect(await page.locator('h1').innerText()).to.equal(name);
      await expectFitsScreens(tab);
      const link = await linkTo(id);
      for (const path of ['', '/cancel', '/replace']) {
        await page.goto(link + path);
        await expectFitsScreens(tab);
      }
    }
    expect(complaints).to.deep.equal([]);
  });

  it('is sound from right to left', async () => {
    const other = await startSite({ siteName: 'סקצ׳פד', siteLanguage: 'he' });
    await other.addAppKey(appKeys.full);
    await sellSketchpad(other, { accountUrl, supportUrl });
    const key = await grantWithKey(other, aSubscription({ deviceLimit: 2, standing: 'past_due' }));
    const turned = await openTab(browser(), other);
    const { page } = turned;
    await page.goto('/license');
    await page.getByRole('textbox').fill(key);
    await page.getByRole('button').click();
    expect(await page.locator('html').getAttribute('dir')).to.equal('rtl');
    await keepScreenshot(turned, 'license-rtl');
    await expectSound(turned);
    await page.context().close();
    await other.stop();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { aCall } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { tabTo } from '../pages/site.ts';
import { expectHeading, follow, press, signedIn, startShop, type Shop } from './shop.ts';

/** The changes of the walk: the link, the button, and the type of the event that follows. */
const changes = [
  ['Cancel at period end', 'Cancel entitlement', 'entitlement.cancellation_scheduled'],
  ['Resume', 'Resume entitlement', 'entitlement.cancellation_undone'],
  ['Change tier', 'Change tier', 'entitlement.tier_changed'],
  ['Suspend', 'Suspend entitlement', 'entitlement.suspended'],
  ['Reinstate', 'Reinstate entitlement', 'entitlement.reinstated'],
  ['Extend', 'Extend entitlement', 'entitlement.renewed'],
  ['Revoke', 'Revoke entitlement', 'entitlement.ended'],
] as const;

describe('the console in a browser without JavaScript', () => {
  const browser = borrowChromium();
  let shop: Shop;
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.start();
    shop = await startShop();
  });
  afterEach(async () => {
    await shop[Symbol.asyncDispose]();
    await receiver.close();
  });

  it('leads from signing in to the last delivery by clicking alone, and keeps what is secret to itself', async () => {
    const { page, complaints } = await signedIn(browser(), shop);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    const secret = await addEndpoint(page, receiver.url);
    receiver.secrets = [secret];

    await follow(page, 'Entitlements');
    await follow(page, 'Grant');
    await page.getByLabel('Product').selectOption('sketchpad');
    await page.getByLabel('Tier id').fill('pro');
    await page.getByLabel('Tier name').fill('Pro');
    await page.getByLabel('Billing').selectOption('month');
    await page.getByLabel('Reference').fill('order-of-the-walk');
    await press(page, 'Grant entitlement');
    const licenseKey = (await page.getByRole('textbox', { name: 'License key' }).textContent()) ?? '';
    expect(licenseKey).to.match(/^LK(-\w{5}){6}$/);

    await find(page, licenseKey);
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    for (const [link, button] of changes) {
      await follow(page, link);
      if (link === 'Change tier') await page.getByLabel('Tier id').fill('team');
      await press(page, button);
      expect(new URL(page.url()).pathname).to.equal(`/console/entitlements/${id}`);
      expect(await page.getByRole('status').count(), link).to.equal(1);
    }
    const types = ['entitlement.granted', ...changes.map(([, , type]) => type)];
    const received = (): readonly string[] =>
      receiver.accepted.filter(({ entitlementId }) => entitlementId === id).map(({ type }) => type);
    await eventually(
      async () => received(),
      ({ length }) => length === types.length,
    );
    expect([received(), receiver.forged]).to.deep.equal([types, []]);
    await eventually(
      async () => {
        await page.reload();
        return page.getByText('204', { exact: true }).count();
      },
      (count) => count === 2 * types.length,
    );
    expect(await page.getByText('204', { exact: true }).count()).to.equal(2 * types.length);
    await find(page, 'ada@example.com');
    await find(page, 'nothing-has-this-reference');
    await expectHeading(page, 'Nothing found');
    await press(page, 'Sign out');

    expect(complaints).to.deep.equal([]);
    const secrets = [
      licenseKey,
      shop.operatorKey,
      secret,
      'ada@example.com',
      encodeURIComponent('ada@example.com'),
      'order-of-the-walk',
      'nothing-has-this-reference',
    ];
    const log = JSON.stringify(shop.service.logged);
    expect(log).to.include(id);
    for (const text of secrets) {
      expect(log).to.not.include(text);
      expect(addresses.join('\n')).to.not.include(text);
    }
    await page.context().close();
  });

  it('finds a sale by its last four and a listing by a word, gives days, catches a typo and shortens a period', async () => {
    const { page, complaints } = await signedIn(browser(), shop);
    const before = await shop.administration.showEntitlement('ent_sale_6', aCall());
    await follow(page, 'Entitlements');
    await find(page, before.license?.lastFour?.toLowerCase() ?? '');
    expect(new URL(page.url()).pathname).to.equal('/console/entitlements/ent_sale_6');
    const endNow = async (): Promise<Date> => {
      const { currentPeriodEnd } = await shop.administration.showEntitlement('ent_sale_6', aCall());
      return currentPeriodEnd ?? new Date(0);
    };
    await follow(page, 'Extend');
    await page.getByLabel('7 more days').check();
    await press(page, 'Extend entitlement');
    const extended = await endNow();
    expect(extended.getTime() - (before.currentPeriodEnd?.getTime() ?? 0)).to.equal(7 * 86_400_000);
    await follow(page, 'Extend');
    await page.getByLabel('To a date, in UTC').check();
    await page.getByLabel('New end, in UTC').fill('2728-11-01T00:00');
    await press(page, 'Extend entitlement');
    await page.getByRole('heading', { level: 1, name: /^Extend it by 70\d years\?$/ }).waitFor();
    await follow(page, 'Choose again');
    await page.getByLabel('To a date, in UTC').check();
    const sooner = new Date(extended.getTime() - 86_400_000);
    await page.getByLabel('New end, in UTC').fill(sooner.toISOString().slice(0, 16));
    await press(page, 'Extend entitlement');
    await expectHeading(page, 'Shorten this entitlement?');
    await page.getByRole('button', { name: /^Shorten to / }).click();
    await page.getByRole('status').waitFor();
    expect((await endNow()).toISOString().slice(0, 16)).to.equal(sooner.toISOString().slice(0, 16));

    await follow(page, 'Listings');
    await page.getByLabel('Search').fill('QUIET editor');
    await press(page, 'Search');
    await page.locator('.table a.row').first().waitFor();
    expect(await page.locator('.table .sub.mono').allTextContents()).to.include('quiet-editor');
    await follow(page, 'Clear');
    expect(complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('is usable by keyboard alone, and shows where the focus is', async () => {
    const tab = await signedIn(browser(), shop, { javaScriptEnabled: true });
    const { page } = tab;
    const enter = async (): Promise<void> => {
      await page.keyboard.press('Enter');
      await page.waitForLoadState();
    };
    await press(page, 'Sign out');
    await page.goto('/console/entitlements/ent_demo');
    await page.locator('#key:focus').waitFor();
    await page.keyboard.type(shop.operatorKey);
    await enter();
    await page.waitForURL('**/ent_demo');
    await tabTo(tab, 'Skip to content');
    await tabTo(tab, 'Find');
    await page.keyboard.type('order-1006');
    await enter();
    await page.waitForURL('**/ent_sale_6');
    await tabTo(tab, 'RevokeEnd access for good');
    await enter();
    await page.waitForURL('**/revoke');
    await tabTo(tab, 'Suspend it');
    await enter();
    await page.waitForURL('**/suspend');
    await tabTo(tab, 'Suspend entitlement');
    await enter();
    await page.waitForURL('**/ent_sale_6?done=*');
    await tabTo(tab, 'Sign out');
    await enter();
    await page.waitForURL('**/sign-in*');
    await page.context().close();
    const { status } = await shop.administration.showEntitlement('ent_sale_6', aCall());
    expect(status).to.equal('suspended');
  });
});

/** Adds an endpoint by its form, and returns its secret, which is shown once. */
async function addEndpoint(page: Page, url: string): Promise<string> {
  await follow(page, 'Webhooks');
  await follow(page, 'Add endpoint');
  await page.getByLabel('URL').fill(url);
  await press(page, 'Add endpoint');
  const secret = await page.locator('.secret').textContent();
  expect(secret).to.match(/^whsec_/);
  return secret ?? '';
}

async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel('Find').first().fill(text);
  await press(page, 'Find');
}

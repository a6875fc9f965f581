import { expect } from 'chai';
import { portsIn } from '../../../app/service/container.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { eventually } from '../../support/eventually.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import type { TestService } from '../../support/http/test-service.ts';
import { MailReceiver } from '../../support/mail/mail-receiver.ts';
import { mailSettings } from '../../support/mail/mailed-shop.ts';
import { openShop, sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectSound, keepScreenshot, openTab, startSite } from '../pages/site.ts';
import { expectHeading, follow, press, signIn } from './shop.ts';

const email = 'ada@left.example';
const narrow = { width: 320, height: 780 };

describe('a buyer who writes from an address, on the console in a browser', () => {
  const browser = borrowChromium();
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let service: TestService;

  before(async () => {
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
    service = await startSite({
      adminPort: 0,
      ...sellingAt(shop),
      ...mailSettings(receiver),
    });
    await service.addOperatorKey(operatorKeys.full);
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
    await sellAtStripe(portsIn(service.container));
    await shop.subscribe({ price: 'price_pro', email });
    await shop.refund((await shop.subscribe({ price: 'price_pro', email })).subscription);
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    await shop.stop();
  });

  it('is found, and mailed the keys, by three clicks', async () => {
    const tab = await openTab(browser(), { url: service.adminUrl ?? '' });
    const { page } = tab;
    await page.goto('/console/entitlements');
    await signIn(page, operatorKeys.full);
    const field = page.getByLabel('Find');
    expect(await field.getAttribute('placeholder')).to.equal(
      'License key, its last four, entitlement, trial, reference or e-mail',
    );
    await field.fill(email);
    await press(page, 'Find');
    await page.waitForURL('**/console/find');
    await expectHeading(page, '2 purchases of this address');
    expect(await page.locator('main').innerText()).to.not.include(email);
    await keepScreenshot(tab, 'console-find-by-address');
    await expectSound(tab);
    await page.setViewportSize(narrow);
    await expectSound(tab);
    await follow(page, 'Mail the keys to this address');
    await expectHeading(page, 'Mail the keys to this buyer?');
    await expectSound(tab);
    await press(page, 'Mail the keys');
    await page.waitForURL('**?done=mailed');
    expect(await page.locator('main').innerText()).to.include('A mail with the keys is on its way.');
    const mails = await eventually(
      async () => receiver.mails,
      ({ length }) => length > 0,
    );
    expect(mails.map(({ to }) => to)).to.deep.equal([[email]]);
    expect(tab.complaints).to.deep.equal([]);
    await page.context().close();
  });

  it('is not found under another address, and the page says what to do', async () => {
    const tab = await openTab(browser(), { url: service.adminUrl ?? '' });
    const { page } = tab;
    await page.goto('/console/entitlements');
    await signIn(page, operatorKeys.full);
    await page.getByLabel('Find').fill('nobody@left.example');
    await press(page, 'Find');
    await page.waitForURL('**/console/find');
    await expectHeading(page, 'Nothing found');
    await expectSound(tab);
    expect(tab.complaints).to.deep.equal([]);
    await page.context().close();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { portsIn } from '../../../app/service/container.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { deriveLicenseKey } from '../../../core/billing/derive-license-key.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { fakeStripe } from '../../../testing/stripe/start-fake-stripe.ts';
import { aCall } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { json } from '../../support/http/requests.ts';
import { TestService } from '../../support/http/test-service.ts';
import { MailReceiver } from '../../support/mail/mail-receiver.ts';
import { mailSettings } from '../../support/mail/mailed-shop.ts';
import { memory } from '../../support/stores/stores.ts';
import { openShop, sellAtStripe, sellingAt } from '../../support/stripe/stripe-sales.ts';
import { borrowChromium } from '../launch-chromium.ts';
import { expectFitsScreens, expectSound, openTab, type Tab } from '../pages/site.ts';
import { signIn } from './shop.ts';

/** A click of an operator after *Find*, on a `link` or `button`, by the beginning of its name. */
type Click = readonly ['link' | 'button', string];

interface Ticket {
  readonly asks: string;
  /** The history of the sale before the ticket. */
  readonly before?: (shop: FakeStripe, sale: string) => Promise<void>;
  /** The detail that the buyer has given. */
  readonly tells: 'address' | 'key' | 'id';
  readonly clicks: readonly Click[];
  /** The text of the page in the end. */
  readonly says: readonly string[];
  /** A link that ends the ticket at Stripe, and its address. */
  readonly leads?: readonly [link: string, to: RegExp];
  readonly mails?: string;
}

const open: Click = ['link', 'sub_'];

const tickets: readonly Ticket[] = [
  {
    asks: 'I have lost my key',
    tells: 'address',
    clicks: [
      ['link', 'Mail the keys to this address'],
      ['button', 'Mail the keys'],
    ],
    says: ['A mail with the keys is on its way.'],
    mails: 'Your licenses at Sketchpad',
  },
  {
    asks: 'the mail never came',
    tells: 'address',
    clicks: [open, ['link', 'Mail the key again'], ['button', 'Mail the key']],
    says: ['The mail server has taken the mail.'],
    mails: 'Your Sketchpad license key',
  },
  {
    asks: 'why does it not open any more',
    before: (shop, sale) => shop.refund(sale),
    tells: 'key',
    clicks: [],
    says: ['Suspended because the last payment was refunded in full', 'Refunded US$9.00 of US$9.00'],
  },
  {
    asks: 'I know nothing of a dispute',
    before: (shop, sale) => shop.dispute(sale),
    tells: 'address',
    clicks: [open],
    says: ['Suspended because the last payment is disputed', 'Answer it at Stripe.'],
    leads: ['Open at Stripe', /\/subscriptions\/sub_/],
  },
  {
    asks: 'may I have a week more',
    tells: 'key',
    clicks: [['link', 'A week more']],
    says: ['Stripe decides the period', 'This moves the billing day for good.'],
    leads: ['Open at Stripe', /\/subscriptions\/sub_/],
  },
  {
    asks: 'I want another tier',
    tells: 'key',
    clicks: [['link', 'Another tier']],
    says: ['Stripe decides the tier'],
    leads: ['Open at Stripe', /\/subscriptions\/sub_/],
  },
  {
    asks: 'I have a new computer',
    tells: 'key',
    clicks: [
      ['link', 'Release The laptop'],
      ['button', 'Release'],
    ],
    says: ['The device was released.'],
  },
  {
    asks: 'please cancel',
    tells: 'id',
    clicks: [
      ['link', 'Cancel at period end'],
      ['button', 'Cancel entitlement'],
    ],
    says: ['A cancellation is scheduled'],
  },
  {
    asks: 'my key was published',
    tells: 'key',
    clicks: [
      ['link', 'Replace key'],
      ['button', 'Replace key'],
    ],
    says: ['The new license key is ready'],
  },
  {
    asks: 'I need an invoice',
    tells: 'address',
    clicks: [open],
    says: ['to send to the buyer'],
    leads: ['Latest at Stripe', /\/invoices\/in_/],
  },
];

describe('a ticket on the console', () => {
  const browser = borrowChromium();
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let service: TestService;
  /** Of one operator, who answers all of them. */
  let tab: Tab;

  before(async () => {
    shop = await fakeStripe();
    receiver = new MailReceiver();
    await receiver.listen();
    service = await TestService.at(
      await memory.address(),
      {
        adminPort: 0,
        ...sellingAt(shop),
        ...mailSettings(receiver),
      },
      sellAtStripe,
    );
    await service.addOperatorKey(operatorKeys.full);
    openShop(shop, service);
    shop.addEndpoint({ url: `${service.url}/hooks/stripe` });
    tab = await openTab(browser(), { url: service.adminUrl ?? '' });
    await tab.page.goto('/console');
    await signIn(tab.page, operatorKeys.full);
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    await shop.stop();
  });

  /** The key that was derived for a sale, as the buyer has it. */
  function licenseKeyOf(sale: string): Promise<string> {
    return deriveLicenseKey(portsIn(service.container).licenseSecrets, nodePlatform)(sale, aCall());
  }

  for (const [index, ticket] of tickets.entries()) {
    it(`"${ticket.asks}" ends after ${ticket.clicks.length} clicks`, async () => {
      expect(ticket.clicks.length).to.be.at.most(3);
      const address = `buyer-${index}@example.com`;
      const { subscription: sale } = await shop.subscribe({ price: 'price_pro', email: address });
      const key = await licenseKeyOf(sale);
      const seat = JSON.stringify({ licenseKey: key, deviceId: `laptop-of-${index}`, deviceName: 'The laptop' });
      await service.send('/api/licenses/activate', { method: 'POST', headers: [json], body: seat });
      await ticket.before?.(shop, sale);
      const { page } = tab;
      await page.goto('/console');
      await page.getByRole('searchbox').first().fill({ address, key, id: sale }[ticket.tells]);
      await page.getByRole('button', { name: 'Find' }).first().click();
      for (const [role, name] of ticket.clicks) {
        await expectFitsScreens(tab);
        await clickOn(page, role, name);
      }
      await expectSound(tab);
      for (const text of ticket.says) expect(await page.locator('main').innerText()).to.include(text);
      await expectEnd(page, ticket, address);
    });
  }

  async function expectEnd(page: Page, { leads, mails }: Ticket, address: string): Promise<void> {
    if (leads !== undefined) {
      const href = await page.getByRole('link', { name: leads[0] }).first().getAttribute('href');
      expect(href).to.match(leads[1]);
    }
    if (mails === undefined) return;
    const sent = await eventually(
      async () => receiver.mails.filter(({ to }) => to.includes(address)),
      ({ length }) => length > 0,
    );
    expect(sent.map(({ parsed }) => parsed.subject)).to.include(mails);
  }
});

function clickOn(page: Page, role: Click[0], name: string): Promise<void> {
  return page
    .locator('main')
    .getByRole(role, { name: new RegExp(`^${name}`) })
    .first()
    .click();
}

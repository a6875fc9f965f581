import { expect } from 'chai';
import { stateLine } from '../../../../adapters/web/console/state/state-line.ts';
import { englishTexts } from '../../../../adapters/web/markup/buyer-texts.ts';
import { createPages } from '../../../../adapters/web/pages.ts';
import { portsIn } from '../../../../app/service/container.ts';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { administrationOf, type Administration } from '../../../../core/administration/administration.ts';
import { createLink } from '../../../../core/buyer/manage-links.ts';
import { createSupportLink } from '../../../../core/buyer/support-link.ts';
import type { Entitlement } from '../../../../core/entitlement/entitlement.ts';
import type { ChangeReason } from '../../../../core/entitlement/history-entry.ts';
import { mailLostKeys } from '../../../../core/mail/lost/mail-lost-keys.ts';
import type { OutgoingMail } from '../../../../core/mail/mail-sender.port.ts';
import { claimStateOf } from '../../../../core/purchase/claim-state.ts';
import { aCall, aOneTimePurchase, aSubscription, day, later, noon } from '../../../support/builders.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import { mailTakenBy } from '../../../support/mail/mail-taken-by.ts';
import { memory } from '../../../support/stores/stores.ts';
import { accountUrl, grantWithKey, sellSketchpad, supportUrl, textIn } from '../../../support/web/buyers.ts';
import { getPage, sendForm } from '../../../support/web/page-client.ts';
import { site } from '../../../support/web/site.ts';

/** The texts about one state, everywhere. */
interface Said {
  readonly entitlement: Entitlement;
  /** The change that has led to the state, three days before. */
  readonly make?: (administration: Administration) => Promise<unknown>;
  readonly headline: string;
  readonly license: string;
  readonly badge: string;
  /** The button that leads to the account; null for none. */
  readonly button: string | null;
  readonly claim: string;
  readonly mail: string;
}

const [threeDaysAgo, operator] = [later(-3 * day), 'operator:opk_1'] as const;
const byStripe = aCall({ now: threeDaysAgo, by: 'stripe' });
const byOperator = aCall({ now: threeDaysAgo, by: operator });
const [subscription, purchase] = [aSubscription(), aOneTimePurchase({ id: 'ent_1' })];

function suspend(reason?: ChangeReason) {
  const command = { kind: 'suspend', cause: 'payment', ...(reason && { reason }) } as const;
  return ({ runEntitlementCommand }: Administration) => runEntitlementCommand('ent_1', command, byStripe);
}

function revoke(reason?: ChangeReason) {
  const command = { kind: 'revoke', ...(reason && { reason }) } as const;
  return ({ runEntitlementCommand }: Administration) => runEntitlementCommand('ent_1', command, byStripe);
}

/** An operator suspends it, after a payment or alone. */
function suspendByOperator(reason?: ChangeReason) {
  return async (administration: Administration) => {
    if (reason !== undefined) await suspend(reason)(administration);
    await administration.runEntitlementCommand('ent_1', { kind: 'suspend' }, byOperator);
  };
}

const moment = '15 July, 12:00 UTC, 3 days ago';
const [account, anew, update] = ['Your account', 'Buy it again', 'Update your payment'] as const;
const held = { badge: 'On hold', button: null } as const;
const heldBySeller = {
  ...held,
  license: 'Your license is on hold, by the seller.',
  mail: 'Sketchpad Pro. It is on hold, by the seller.',
} as const;
const unpaid = {
  ...held,
  button: update,
  license: 'Your license is on hold, because a payment is missing.',
  claim: 'This license is suspended. A payment is missing.',
  mail: 'Sketchpad Pro. It is on hold, because a payment is missing.',
} as const;

function bySeller(reason: ChangeReason, too: string, cause: string): Said {
  return {
    ...heldBySeller,
    entitlement: subscription,
    make: suspendByOperator(reason),
    headline: `Suspended by an operator, ${moment}. The buyer has no access until it is reinstated. ${too}, too.`,
    claim: `This license is suspended. The seller has put it on hold. ${cause}`,
  };
}

const states: Readonly<Record<string, Said>> = {
  'a refund': {
    entitlement: subscription,
    make: suspend('refunded'),
    headline: `Suspended because the last payment was refunded in full, ${moment}. The buyer has no access. A new payment at Stripe reinstates it.`,
    license: 'Your payment was refunded on 15 July 2026, so the program does not open now.',
    badge: 'Refunded',
    button: account,
    claim: 'This license is suspended. Its payment was refunded.',
    mail: 'Sketchpad Pro. Its payment was refunded on 15 July 2026.',
  },
  'a refund of a purchase': {
    entitlement: purchase,
    make: revoke('refunded'),
    headline: `Revoked because the payment was refunded in full, ${moment}. The buyer has no access, for good.`,
    license: 'Your payment was refunded on 15 July 2026, so the program does not open any more.',
    badge: 'Refunded',
    button: anew,
    claim: 'This purchase was refunded on 15 July 2026. Its key does not work any more.',
    mail: 'Sketchpad Pro. Its payment was refunded on 15 July 2026.',
  },
  'a dispute': {
    ...held,
    entitlement: subscription,
    make: suspend('disputed'),
    headline: `Suspended because the last payment is disputed, ${moment}. The buyer has no access. A won dispute reinstates it.`,
    license: 'Your payment is disputed at your bank, so the program does not open now.',
    claim: 'This license is suspended. Its payment is disputed.',
    mail: 'Sketchpad Pro. Its payment is disputed.',
  },
  'a lost dispute': {
    entitlement: subscription,
    make: suspend('dispute_lost'),
    headline: `Suspended because the last payment was lost in a dispute, ${moment}. The buyer has no access. A new payment at Stripe reinstates it.`,
    license: 'Your bank took the payment back on 15 July 2026, so the program does not open now.',
    badge: 'Ended',
    button: account,
    claim: 'This license is suspended. Its payment was taken back in a dispute.',
    mail: 'Sketchpad Pro. Its payment was taken back on 15 July 2026.',
  },
  'a lost dispute of a purchase': {
    entitlement: purchase,
    make: revoke('dispute_lost'),
    headline: `Revoked because the payment was lost in a dispute, ${moment}. The buyer has no access, for good.`,
    license: 'Your bank took the payment back on 15 July 2026, so the program does not open any more.',
    badge: 'Ended',
    button: anew,
    claim: 'Your bank took the payment back on 15 July 2026. The key does not work any more.',
    mail: 'Sketchpad Pro. Its payment was taken back on 15 July 2026.',
  },
  'a payment that is missing': {
    ...unpaid,
    entitlement: subscription,
    make: suspend('unpaid'),
    headline: `Suspended because a payment is missing, ${moment}. The buyer has no access. A payment reinstates it.`,
  },
  'a payment that is missing for too long': {
    ...unpaid,
    entitlement: aSubscription({ standing: 'past_due', unpaidUntil: threeDaysAgo }),
    headline: `Suspended because a payment is missing, ${moment}. The buyer has no access. A payment reinstates it.`,
  },
  'a pause': {
    entitlement: subscription,
    make: suspend('paused'),
    headline: `Suspended because the subscription is paused at Stripe, ${moment}. The buyer has no access until it goes on there.`,
    license: 'Your subscription is paused, so the program does not open now.',
    badge: 'On hold',
    button: account,
    claim: 'This license is suspended. Its subscription is paused.',
    mail: 'Sketchpad Pro. It is paused.',
  },
  'a payment, as far as is known': {
    ...held,
    entitlement: subscription,
    make: suspend(),
    headline: `Suspended since ${moment}. The buyer has no access.`,
    license: 'Your license is on hold.',
    claim: 'This license is suspended.',
    mail: 'Sketchpad Pro. It is on hold.',
  },
  'an operator': {
    ...heldBySeller,
    entitlement: subscription,
    make: suspendByOperator(),
    headline: `Suspended by an operator, ${moment}. The buyer has no access until it is reinstated.`,
    claim: 'This license is suspended. The seller has put it on hold.',
  },
  'an operator, and a refund': bySeller(
    'refunded',
    'The last payment was refunded in full',
    'Its payment was refunded.',
  ),
  'an operator, and a dispute': bySeller('disputed', 'The last payment is disputed', 'Its payment is disputed.'),
  'an operator, and a lost dispute': bySeller(
    'dispute_lost',
    'The last payment was lost in a dispute',
    'Its payment was taken back in a dispute.',
  ),
  'an operator, and a missing payment': bySeller('unpaid', 'A payment is missing', 'A payment is missing.'),
  'an operator, and a pause': bySeller('paused', 'The subscription is paused at Stripe', 'Its subscription is paused.'),
  'a revocation by an operator': {
    entitlement: purchase,
    make: ({ runEntitlementCommand }) => runEntitlementCommand('ent_1', { kind: 'revoke' }, byOperator),
    headline: `Revoked by an operator, ${moment}. The buyer has no access, for good.`,
    license: 'Your license ended on 15 July 2026, because it was taken back.',
    badge: 'Ended',
    button: null,
    claim: 'It ended on 15 July 2026. Its key does not work any more.',
    mail: 'Sketchpad Pro. It ended on 15 July 2026, because it was taken back.',
  },
  'a revocation by Stripe, for a reason that nobody knows': {
    entitlement: purchase,
    make: revoke(),
    headline: `Revoked, ${moment}. The buyer has no access, for good.`,
    license: 'Your license ended on 15 July 2026, because it was taken back.',
    badge: 'Ended',
    button: null,
    claim: 'It ended on 15 July 2026. Its key does not work any more.',
    mail: 'Sketchpad Pro. It ended on 15 July 2026, because it was taken back.',
  },
  'a cancellation': {
    entitlement: aSubscription({ cancellation: { at: threeDaysAgo, requestedAt: later(-9 * day) } }),
    headline: 'Canceled: ended on 15 July, 3 days ago. The buyer has no access.',
    license: 'Your license ended on 15 July 2026, because it was canceled.',
    badge: 'Ended',
    button: anew,
    claim: 'It ended on 15 July 2026. Its key does not work any more.',
    mail: 'Sketchpad Pro. It ended on 15 July 2026, because it was canceled.',
  },
  'an end by the clock': {
    entitlement: aSubscription({ currentPeriodEnd: later(-4 * day), graceUntil: threeDaysAgo }),
    headline: 'Expired on 15 July, 3 days ago: it was not renewed. The buyer has no access.',
    license: 'Your license ended on 15 July 2026, because it was not renewed.',
    badge: 'Ended',
    button: anew,
    claim: 'It ended on 15 July 2026. Its key does not work any more.',
    mail: 'Sketchpad Pro. It ended on 15 July 2026, because it was not renewed.',
  },
};

/** Every text about any state, which must not be shown for another. */
const everything = new Set(Object.values(states).flatMap(({ license, mail, button }) => [license, mail, button ?? '']));

/** The texts about other states in a page or a mail. */
function wrongIn(text: string, said: readonly string[]): readonly string[] {
  return [...everything].filter(
    (other) => other !== '' && text.includes(other) && !said.some((own) => own.includes(other)),
  );
}

const ofMissingPayment = /payment is missing|Update|Paid, and it still says so/;

describe('why there is no access', () => {
  const service = freshService(memory, { siteName: 'Sketchpad' });
  beforeEach(() => sellSketchpad(service()));

  const ports = () => portsIn(service().container);
  const administration = (sent: OutgoingMail[] = []): Administration =>
    administrationOf(ports(), nodePlatform, {
      baseUrl: () => service().url,
      loadMail: mailTakenBy(async (mail) => {
        sent.push(mail);
        return { outcome: 'sent' };
      }),
    });

  for (const [what, said] of Object.entries(states)) {
    const { entitlement, make, headline, license, badge, button, claim, mail } = said;
    const isForPayment = said.license === unpaid.license;

    it(`is said alike on every page and in every mail: ${what}`, async () => {
      const key = await grantWithKey(service(), entitlement);
      await make?.(administration());
      const seen = await administration().showPurchase('ent_1', aCall());
      expect(wordsOf(stateLine(seen, noon).text)).to.equal(headline);

      const { url } = await administration().createSupportLink({ entitlementId: 'ent_1', expires: null }, aCall());
      for (const { text } of [await sendForm(`${service().url}/license`, { licenseKey: key }), await getPage(url)]) {
        expect(textIn(text)).to.include(license);
        expect(text).to.match(new RegExp(`</svg>\\s*${badge}</span`));
        expect(buttonIn(text)).to.deep.equal(button === null ? null : [accountUrl, button]);
        expect(wrongIn(textIn(text), [license, ...(button === null ? [] : [button])])).to.deep.equal([]);
        if (!isForPayment) expect(textIn(text)).to.not.match(ofMissingPayment);
      }

      const claimed = await claimOf(key);
      expect(claimed).to.include(claim);
      if (!claim.includes('A payment is missing')) expect(claimed).to.not.match(ofMissingPayment);

      const sent: OutgoingMail[] = [];
      await administration(sent).mailLicense(
        { entitlementId: 'ent_1', to: 'ada@example.com', what: null, licenseKey: null },
        aCall(),
      );
      await mailLost(sent);
      expect(sent).to.have.length(2);
      for (const { text } of sent) {
        expect(text.split('\n')).to.include(mail);
        expect(wrongIn(text, [mail])).to.deep.equal([]);
      }
    });
  }

  it('asks a buyer whose payment was refunded to name the end of the key', async () => {
    const key = await grantWithKey(service(), subscription);
    await suspend('refunded')(administration());
    const text = textIn((await sendForm(`${service().url}/license`, { licenseKey: key })).text);
    expect(text).to.match(
      /You did not ask for a refund\? Ask Sketchpad\. Name the last four characters, [0-9A-Z]{4}\./,
    );
    expect(text).to.not.include('Still stuck');
  });

  it('asks a buyer whose payment is disputed to ask the bank first', async () => {
    const key = await grantWithKey(service(), subscription);
    await suspend('disputed')(administration());
    const { text } = await sendForm(`${service().url}/license`, { licenseKey: key });
    expect(textIn(text)).to.include('You know nothing of a dispute? Ask your bank, then ask Sketchpad.');
    expect(text).to.match(new RegExp(`href="${supportUrl}"`));
  });

  it('has no button where the product names no account', async () => {
    await sellSketchpad(service(), {});
    const key = await grantWithKey(service(), subscription);
    await suspend('refunded')(administration());
    const { text } = await sendForm(`${service().url}/license`, { licenseKey: key });
    expect(buttonIn(text)).to.equal(null);
    expect(textIn(text)).to.not.include('What you can do');
  });

  /** The text about the entitlement on the page after a purchase. */
  async function claimOf(licenseKey: string): Promise<string> {
    const call = aCall();
    const entitlement = await ports().allEntitlements.find('ent_1', call);
    if (entitlement === null) throw new Error('There is no entitlement.');
    const state = claimStateOf(entitlement, await ports().entitlementHistory.list('ent_1', call), true, call.now);
    const product = await ports().products.find(entitlement.productId, call);
    const { claim } = createPages({
      catalog: { age: unused, isFresh: unused, list: unused } as never,
      join: unused,
      site,
      language: 'en',
      texts: englishTexts,
      baseUrl: () => 'https://shop.example',
      basePath: '',
      isForBuyers: true,
      licenses: null,
      lostKeys: null,
      affiliates: null,
      cacheControl: 'no-store',
    });
    const shown = { ...state, licenseKey, lastFour: 'WXYZ', entitlement, product };
    return textIn(claim(shown, call.now).content);
  }

  async function mailLost(sent: OutgoingMail[]): Promise<void> {
    const { allEntitlements, entitlementHistory, products, buyerLinks } = ports();
    const loaded = await mailTakenBy(async (mail) => {
      sent.push(mail);
      return { outcome: 'sent' };
    })();
    if (loaded === null) throw new Error('There is no mail.');
    const links = createLink(buyerLinks, () => 'a'.repeat(43), nodePlatform.digest);
    const mailKeys = mailLostKeys({
      ...loaded,
      entitlements: allEntitlements,
      history: entitlementHistory,
      products,
      isSold: async () => true,
      readKey: async () => ({ kind: 'none', reason: 'license_replaced' }),
      createLink: createSupportLink(links, allEntitlements, () => service().url, true),
      addresses: {
        salesTo: async (address) => ({ kind: 'read', sales: [{ entitlementId: 'ent_1', address, customer: null }] }),
      },
    });
    await mailKeys({ email: 'ada@example.com', id: 'lost_1' }, aCall());
  }
});

function unused(): never {
  throw new Error('a page for buyers has asked for the marketplace');
}

function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
}

/** The address and the words of the primary button, if it is a link; null if there is none. */
function buttonIn(page: string): readonly [href: string, text: string] | null {
  const [, href, text] = /<a class="button primary" href="([^"]*)"[^>]*>([^<]*)</.exec(page) ?? [];
  return href === undefined || text === undefined ? null : [href, text.trim()];
}

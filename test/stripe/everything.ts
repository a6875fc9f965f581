import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stripe } from 'stripe';
import { createStripe } from '../../adapters/stripe/client/create-stripe.ts';
import { stripeAddresses } from '../../adapters/stripe/mail/stripe-addresses.ts';
import { readInvoicePayments } from '../../adapters/stripe/reading/payment-state.ts';
import { readSubscriptionCharges } from '../../adapters/stripe/reading/subscription-charges.ts';
import { newCall } from '../../app/service/process.ts';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import {
  fakeStripe,
  startLatchkey,
  type FakeStripe,
  type Latchkey,
  type SeenRequest,
  type ShopEvent,
} from '../../testing/index.ts';
import { eventually } from '../support/eventually.ts';
import { programPath } from '../support/processes/command-process.ts';
import { startNode } from '../support/processes/node-process.ts';
import { range } from '../support/range.ts';
import { callsInSources } from './calls.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Everything {
  readonly requests: readonly SeenRequest[];
  /** The objects of the shop in the end, and those of every event. */
  readonly objects: readonly Json[];
}

/** Has the service do everything that makes it ask Stripe, against the fake. */
export async function runEverything(): Promise<Everything> {
  await using shop = await fakeStripe();
  shop.addPrice({ id: 'price_pro' });
  shop.addPrice({ id: 'price_once', interval: null });
  shop.addPromotionCode({ code: 'ADA20' });
  await serve(shop);
  await findBuyers(shop);
  await readOldPayment(shop);
  await readPayments(shop);
  await runCommands(shop);
  return { requests: [...shop.requests], objects: objectsOf(shop) };
}

/** A listing that affiliates may promote. */
const promoted = {
  name: 'Sketchpad',
  blurb: 'Draw on anything.',
  category: 'Design',
  commissionPercent: 30,
  compensationType: 'commission',
  compensationLabel: '30% for a year',
  productId: 'sketchpad',
  saleUrl: 'https://buy.stripe.com/sketchpad',
  commissionFor: 12,
} as const;

async function serve(shop: FakeStripe): Promise<void> {
  await using latchkey = await startLatchkey({ stripe: shop });
  latchkey.appKey('sketchpad');
  shop.addEndpoint({ url: `${latchkey.url}/hooks/stripe`, payload: 'thin' });
  const admin = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
  const { prices } = admin;
  await admin.listings.put('sketchpad', promoted);
  await admin.affiliates.add({ email: 'ada@example.com', handle: 'ada', name: 'Ada' });
  await admin.promotions.put('ada', 'sketchpad', { codes: ['ADA20'] });
  const sold = { productId: 'sketchpad', tierId: 'pro', tierName: 'Pro' };
  for (const price of ['price_pro', 'price_once']) await prices.put(price, sold);
  const many = range(11).map(() => shop.addPrice());
  const { subscription: changed } = await shop.subscribe({ price: ['price_pro', ...many] });
  await shop.changePrice(changed, shop.addPrice({ interval: 'year' }));
  await shop.billInTheMiddle(changed);
  await shop.subscribe({ price: 'price_pro', checkout: false, trialDays: 7 });
  const options = { promotionCode: 'ADA20', metadata: { latchkey_via: 'ada' }, tax: 19, currency: 'eur' };
  const { subscription } = await shop.subscribe({ price: 'price_pro', ...options });
  await shop.refund(subscription, 1);
  await shop.dispute(subscription);
  await shop.closeDispute(subscription, 'won');
  if (callsInSources().has('subscriptions.update')) await cancelHere(latchkey, shop, subscription);
  if (callsInSources().has('subscriptions.cancel')) await takeAwayHere(latchkey, shop);
  const [paid] = shop.events.filter(({ type }) => type === 'invoice.paid');
  if (paid !== undefined) await shop.deliver([withoutParent(paid)]);
  const others = range(10).map(() => shop.addPrice({ interval: null }));
  const session = await shop.purchase({ price: ['price_once', ...others] });
  await shop.refund(session);
  await shop.failRefund(session);
  await shop.purchase({ price: 'price_once', payment: 'delayed' });
  for (const id of [subscription, session]) await admin.entitlements.stripe(id);
  await shop.failPayment(subscription);
  await shop.cancel(subscription);
  // A sale of an affiliate whose buyer had no checkout, in a second after that of the promotion.
  await latchkey.clock.advance('1s');
  const via = { checkout: false, metadata: { latchkey_via: 'ada_sketchpad' } };
  const { subscription: brought } = await shop.subscribe({ price: 'price_pro', ...via });
  await eventually(() => admin.sales.sale(brought).catch(() => null), Boolean);
}

/** Looks for the addresses of buyers, and for what was sold to one, as mails need it. */
async function findBuyers(shop: FakeStripe): Promise<void> {
  const { subscription } = await shop.subscribe({ price: 'price_pro', checkout: false });
  const session = await shop.purchase({ price: 'price_once', email: null, customerEmail: 'Ada@example.com' });
  const addresses = stripeAddresses(await createStripe({ apiKey: shop.apiKey, apiBase: shop.url }));
  const call = newCall(new Date(), 30_000, 'clock');
  for (const id of [subscription, session]) await addresses.ofSale({ id, reference: null }, call);
  await addresses.salesTo('Ada@example.com', call);
}

/** Reads an invoice whose payment is a charge without an intent, which new ones do not have. */
async function readOldPayment(shop: FakeStripe): Promise<void> {
  const stripe = await createStripe({ apiKey: shop.apiKey, apiBase: shop.url });
  const [charge] = shop.events.filter(({ type }) => type === 'charge.succeeded');
  const payment = { status: 'paid', payment: { type: 'charge', charge: charge?.data.object['id'] } };
  const payments = { data: [payment], has_more: false } as unknown as NonNullable<Stripe.Invoice['payments']>;
  await readInvoicePayments(stripe, { id: 'in_1', payments }, newCall(new Date(), 30_000, 'clock'));
}

/** Reads the payments of a subscription, as a look does for one that an affiliate has brought. */
async function readPayments(shop: FakeStripe): Promise<void> {
  const { subscription } = await shop.subscribe({ price: 'price_pro' });
  const stripe = await createStripe({ apiKey: shop.apiKey, apiBase: shop.url });
  const read = await stripe.subscriptions.retrieve(subscription);
  await readSubscriptionCharges(stripe, read, newCall(new Date(), 30_000, 'clock'));
}

/** Has a merchant cancel and resume here, and waits until each has arrived at Stripe. */
async function cancelHere(latchkey: Latchkey, shop: FakeStripe, id: string): Promise<void> {
  const { entitlements } = latchkey.client('sketchpad');
  for (const change of ['cancel', 'resume'] as const) {
    const before = updatesOf(shop);
    await entitlements[change](id);
    await eventually(
      async () => updatesOf(shop),
      (count) => count > before,
    );
  }
}

/** Has an operator suspend, reinstate and revoke, and waits until each has arrived at Stripe. */
async function takeAwayHere(latchkey: Latchkey, shop: FakeStripe): Promise<void> {
  const { entitlements } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
  const { subscription } = await shop.subscribe({ price: 'price_pro' });
  for (const change of ['suspend', 'reinstate', 'revoke'] as const) {
    const before = updatesOf(shop);
    await entitlements[change](subscription);
    await eventually(
      async () => updatesOf(shop),
      (count) => count > before,
    );
  }
}

/** An event of an invoice in a form that says nothing of its subscription. */
function withoutParent(event: ShopEvent): ShopEvent {
  const { parent: _parent, ...invoice } = event.data.object;
  return { ...event, data: { object: invoice } };
}

function updatesOf({ requests }: FakeStripe): number {
  return requests.filter(({ method }) => method === 'POST' || method === 'DELETE').length;
}

const commands = [
  'product add --id sketchpad --name Sketchpad',
  'stripe map add --price price_pro --product sketchpad --tier pro --tier-name Pro',
  'listing import listing.jsonl',
  'affiliate add --email ada@example.com --handle ada --name Ada',
  'promotion put ada sketchpad --code ADA20',
  'stripe check',
  'stripe reconcile',
  'stripe reconcile --since 7d',
  'stripe backfill',
];

/** Runs the commands that ask Stripe, over a store of their own. Differences are no failure here. */
async function runCommands(shop: FakeStripe): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-'));
  const env = {
    ...process.env,
    STORE_URL: `sqlite:${folder}/store.db`,
    STRIPE_API_BASE: shop.url,
    STRIPE_API_KEY: shop.apiKey,
    STRIPE_WEBHOOK_SECRET: shop.webhookSecret,
    SMTP_URL: 'smtp://127.0.0.1',
    MAIL_FROM: 'keys@shop.example',
  };
  try {
    await writeFile(join(folder, 'listing.jsonl'), JSON.stringify({ slug: 'sketchpad', ...promoted }));
    for (const command of commands)
      await once(startNode([programPath, ...command.split(' ')], { env, cwd: folder }), 'close');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Every object that the shop has had, as its events show it, and a price. */
function objectsOf(shop: FakeStripe): readonly Json[] {
  return [
    shop.object('price_pro'),
    ...customersOf(shop),
    ...promotionsOf(shop),
    ...shop.events.map(({ data }) => data.object),
  ];
}

/** The discounts of the subscriptions, and the promotion codes that gave them. */
function promotionsOf(shop: FakeStripe): readonly Json[] {
  const objects = shop.events.map(({ data }) => data.object).filter(({ object }) => object === 'subscription');
  const discounts = new Set(objects.flatMap(({ discounts: ids }) => ids as readonly string[]));
  return [...discounts].flatMap((id) => {
    const discount = shop.object(id);
    return [discount, shop.object(String(discount['promotion_code']))];
  });
}

function customersOf(shop: FakeStripe): readonly Json[] {
  const ids = new Set(shop.events.map(({ data }) => data.object['customer']).filter((id) => typeof id === 'string'));
  return [...ids].map((id) => shop.object(id));
}

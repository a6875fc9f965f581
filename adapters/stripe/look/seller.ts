import type { Stripe } from 'stripe';
import { newSale, voidedSale } from '../../../core/affiliate/sale/decide-sale.ts';
import { saleId, unknownCurrency } from '../../../core/affiliate/sale/sale.ts';
import {
  findSeller,
  hasCodes,
  isOwnAddress,
  type SellerParts,
  type Unattributed,
} from '../../../core/affiliate/selling/find-seller.ts';
import type { Call } from '../../../core/call.ts';
import type { Digest } from '../../../core/secret.ts';
import { askStripe, findAtStripe } from '../client/ask-stripe.ts';
import type { StripeClient } from '../client/create-stripe.ts';
import { firstCurrency, type Charged } from '../reading/charged.ts';
import { idOf } from '../reading/reference.ts';
import type { CheckoutFacts } from '../reading/session-state.ts';
import type { SaleReading } from './sale-reading.ts';

export interface BeginningParts extends SellerParts {
  readonly stripe: StripeClient;
  readonly digest: Digest;
}

type Subscription = Pick<Stripe.Subscription, 'id' | 'created' | 'currency' | 'customer' | 'discounts' | 'metadata'>;

/** A checkout of which it is not known who has brought it. */
export interface Checkout {
  readonly entitlementId: string;
  readonly productId: string;
  /** Null for a subscription that was made without one. */
  readonly session: CheckoutFacts | null;
  /** Null for a purchase. */
  readonly subscription: Subscription | null;
}

/** A checkout, and what reads its payments. */
export interface NewCheckout {
  readonly checkout: Checkout;
  readonly readCharged: () => Promise<readonly Charged[]>;
}

/** The sale that a checkout begins, if an affiliate has brought it. */
export interface Beginning {
  readonly sale: SaleReading | null;
  /** Why a checkout that names an affiliate is the sale of none. */
  readonly unattributed: Unattributed | null;
}

export const noBeginning: Beginning = { sale: null, unattributed: null };

/** Finds who has brought a checkout. The payments are read for the sale of an affiliate only. */
export async function beginSale(
  parts: BeginningParts,
  { checkout, readCharged }: NewCheckout,
  call: Call,
): Promise<Beginning> {
  const { entitlementId, productId, session, subscription } = checkout;
  const at = new Date(((session ?? subscription)?.created ?? 0) * 1000);
  const said = {
    at,
    productId,
    code: await readCode(parts, checkout, call),
    metadata: viaIn(session) ?? viaIn(subscription),
    reference: session?.client_reference_id ?? null,
  };
  const { seller, reason } = await findSeller(parts, said, call);
  if (seller === null) return { sale: null, unattributed: reason };
  const charged = await readCharged();
  const currency = firstCurrency(charged, (session ?? subscription)?.currency ?? unknownCurrency);
  const id = saleId(entitlementId, parts.digest);
  const sale = newSale({ entitlementId, id, productId, attributedAt: at, currency, confirmedAt: at, ...seller });
  const address = await readAddress(parts, checkout, call);
  const isOwn = await isOwnAddress(parts.affiliates, seller.handle, address, call);
  const begun = isOwn ? voidedSale(sale, ownPurchase, call) : sale;
  return { sale: { seen: null, sale: begun, charged }, unattributed: null };
}

/** The reason of a sale that is void because the affiliate has bought it. */
const ownPurchase = 'own_purchase';

function viaIn(sold: { readonly metadata: Stripe.Metadata | null } | null): string | null {
  return sold?.metadata?.['latchkey_via'] ?? null;
}

/** The promotion code that the buyer has typed. Stripe is asked for it only where a promotion of the product has one. */
async function readCode(
  { stripe, promotions }: BeginningParts,
  checkout: Checkout,
  call: Call,
): Promise<string | null> {
  const { session, subscription, productId } = checkout;
  const isDiscounted = ((session ?? subscription)?.discounts ?? []).length > 0;
  if (!isDiscounted || !(await hasCodes(promotions, productId, () => call))) return null;
  const id =
    session === null ? await readDiscount(stripe, subscription?.id ?? '', call) : codeIn(session.discounts ?? []);
  const code =
    id === null ? null : await findAtStripe(call, (options) => stripe.promotionCodes.retrieve(id, {}, options));
  return code?.code ?? null;
}

async function readDiscount(stripe: StripeClient, subscription: string, call: Call): Promise<string | null> {
  const expand = ['discounts'];
  const { discounts } = await askStripe(call, (options) =>
    stripe.subscriptions.retrieve(subscription, { expand }, options),
  );
  return codeIn(discounts.filter((discount) => typeof discount !== 'string'));
}

/** The id of the first promotion code among discounts. */
function codeIn(discounts: readonly Pick<Stripe.Checkout.Session.Discount, 'promotion_code'>[]): string | null {
  return discounts.map(({ promotion_code: code }) => idOf(code)).find((id) => id !== null) ?? null;
}

async function readAddress(
  { stripe }: BeginningParts,
  { session, subscription }: Checkout,
  call: Call,
): Promise<string | null> {
  if (session !== null) return session.customer_details?.email ?? null;
  const id = idOf(subscription?.customer);
  const customer =
    id === null ? null : await findAtStripe(call, (options) => stripe.customers.retrieve(id, {}, options));
  return customer === null || customer.deleted === true ? null : customer.email;
}

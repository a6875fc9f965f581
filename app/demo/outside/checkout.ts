import { html, type Html } from '../../../adapters/web/markup/html.ts';
import type { FakeStripe } from '../../../testing/stripe/fake-stripe.ts';
import { outsidePage, redirectTo, type OutsideResponse } from './page.ts';

/** A price of the shop at Stripe. */
export interface Offer {
  readonly price: string;
  /** The slug of the listing whose product it sells. */
  readonly slug: string;
  readonly name: string;
  readonly label: string;
  readonly interval: 'month' | 'year' | null;
}

/** The checkout of a product: Payment Links of Stripe lead to such a page. */
export function checkoutPage(
  offers: readonly Offer[],
  asked: URLSearchParams,
  problem: Html | null = null,
): OutsideResponse {
  const [{ name, slug } = { name: '', slug: '' }] = offers;
  const options = offers.map(({ price, label }) => html`<option value="${price}">${label}</option>`);
  return outsidePage(
    `Buy ${name}`,
    html`<p class="note">
        This page stands in for Stripe’s checkout, of which the demo has a fake. Nothing is charged, and any address
        does: its mails stay in the <a href="/outbox">outbox</a>.
      </p>
      ${problem}
      <form method="post" action="/buy/${slug}">
        <input type="hidden" name="reference" value="${asked.get('client_reference_id') ?? ''}" />
        <label
          >Plan<select name="price">
            ${options}
          </select></label
        >
        <label
          >E-mail<input name="email" type="email" required value="${asked.get('email') ?? 'nora@example.com'}"
        /></label>
        <label
          >Promotion code<input name="code" value="${asked.get('code') ?? asked.get('prefilled_promo_code') ?? ''}"
        /></label>
        <button>Pay</button>
      </form>`,
    problem === null ? 200 : 400,
  );
}

/** Pays, and leads to the page that shows the key, as a Payment Link does. */
export async function pay(
  stripe: FakeStripe,
  offers: readonly Offer[],
  form: URLSearchParams,
  service: string,
): Promise<OutsideResponse> {
  const offer = offers.find(({ price }) => price === form.get('price')) ?? offers[0];
  if (offer === undefined) throw new Error('the product has no price');
  const sale = {
    price: offer.price,
    email: form.get('email') ?? '',
    reference: form.get('reference') || undefined,
    promotionCode: form.get('code') || undefined,
  };
  try {
    const session = offer.interval === null ? await stripe.purchase(sale) : (await stripe.subscribe(sale)).session;
    return redirectTo(`${service}/claim?session_id=${session ?? ''}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const asked = new URLSearchParams({
      ...Object.fromEntries(form),
      client_reference_id: form.get('reference') ?? '',
    });
    return checkoutPage(offers, asked, html`<p role="alert">This code is not known.</p>`);
  }
}

import type { Discount, PromotionCode } from './stored.ts';

/** A code that buyers type at the checkout, which anybody may use as often as they like. */
export function newPromotionCode(facts: Pick<PromotionCode, 'id' | 'code' | 'created'>, coupon: string): PromotionCode {
  return {
    ...facts,
    object: 'promotion_code',
    active: true,
    customer: null,
    customer_account: null,
    expires_at: null,
    livemode: false,
    max_redemptions: null,
    metadata: {},
    promotion: { coupon, type: 'coupon' },
    restrictions: { first_time_transaction: false, minimum_amount: null, minimum_amount_currency: null },
    times_redeemed: 0,
  };
}

/** The use of a promotion code by a subscription, for as long as it lasts. */
export function newDiscount(
  facts: Pick<Discount, 'id' | 'checkout_session' | 'customer' | 'start' | 'subscription'>,
  { id, promotion: { coupon } }: PromotionCode,
): Discount {
  return {
    ...facts,
    object: 'discount',
    customer_account: null,
    end: null,
    invoice: null,
    invoice_item: null,
    promotion_code: id,
    source: { coupon, type: 'coupon' },
    subscription_item: null,
  };
}

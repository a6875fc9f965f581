import { newDiscount, newPromotionCode } from '../objects/promotion.ts';
import type { Discount, PromotionCode } from '../objects/stored.ts';
import type { Ledger } from './ledger.ts';
import type { PromotionCodeOptions } from './options.ts';

/** Adds a promotion code. Throws `TypeError` for one that the shop has: at Stripe a code is active once. */
export function addPromotionCode(ledger: Ledger, { code }: PromotionCodeOptions): PromotionCode {
  if (withCode(ledger, code) !== undefined) throw new TypeError(`The shop has the promotion code ${code} already.`);
  const facts = { id: ledger.newId('promo'), code, created: ledger.now() };
  const promotionCode = newPromotionCode(facts, ledger.newId('coupon'));
  ledger.promotionCodes.set(promotionCode.id, promotionCode);
  return promotionCode;
}

/** Finds the promotion code that a buyer types, by its id or its code. Throws `TypeError` for one that is unknown. */
export function typedCode(ledger: Ledger, typed: string | undefined): PromotionCode | null {
  if (typed === undefined) return null;
  const found = ledger.promotionCodes.get(typed) ?? withCode(ledger, typed);
  if (found === undefined) throw new TypeError(`The shop has no promotion code ${typed}.`);
  return found;
}

/** Stripe compares codes without their case. */
function withCode({ promotionCodes }: Ledger, code: string): PromotionCode | undefined {
  const wanted = code.toLowerCase();
  return [...promotionCodes.values()].find((each) => each.code.toLowerCase() === wanted);
}

/** Gives a subscription the discount of the code that was typed. Returns the ids of its discounts. */
export function discountsOf(
  ledger: Ledger,
  code: PromotionCode | null,
  sold: Pick<Discount, 'checkout_session' | 'customer' | 'subscription'>,
): readonly string[] {
  if (code === null) return [];
  const discount = newDiscount({ id: ledger.newId('di'), start: ledger.now(), ...sold }, code);
  ledger.discounts.set(discount.id, discount);
  return [discount.id];
}

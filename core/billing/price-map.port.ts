import type { Call } from '../call.ts';
import { durationBetween } from '../parsing/duration.ts';

/** A price of the billing system and the tier of a product that it sells. */
export interface PriceMapping {
  /** The id of the price there, such as `price_1`. */
  readonly price: string;
  readonly productId: string;
  readonly tierId: string;
  readonly tierName: string;
  /** The devices that each unit of the quantity allows; null if the price does not say it. */
  readonly deviceLimit: number | null;
  /** Milliseconds for which a purchase gets updates; null if the price does not say it. */
  readonly updates: number | null;
}

/** The rule of how long a purchase gets updates, in milliseconds. */
export const updatesRule = durationBetween('1d', '3650d', '365d');

/** Reports whether two mappings of one price say the same. */
export function isSameMapping(one: PriceMapping, other: PriceMapping): boolean {
  return (
    one.productId === other.productId &&
    one.tierId === other.tierId &&
    one.tierName === other.tierName &&
    one.deviceLimit === other.deviceLimit &&
    one.updates === other.updates
  );
}

/** The record of what each price sells. A price that is not in it grants nothing. */
export interface PriceMap {
  find(price: string, call: Call): Promise<PriceMapping | null>;

  /** Lists at most `limit` mappings after a price, or the first ones, by price in code-point order. */
  page(after: string | null, limit: number, call: Call): Promise<readonly PriceMapping[]>;

  /**
   * Adds a mapping, or replaces the one of its price. Safe to repeat: a write that had to be repeated may return
   * `unchanged` for its own change.
   */
  put(mapping: PriceMapping, call: Call): Promise<'added' | 'replaced' | 'unchanged'>;

  /** Returns whether the price was mapped. A write that had to be repeated may return false for its own removal. */
  remove(price: string, call: Call): Promise<boolean>;
}

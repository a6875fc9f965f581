import type { AppKey } from '../access/app-key.ts';
import type { Call } from '../call.ts';
import type { Listing } from '../catalog/listing.ts';
import type { Entitlement } from '../entitlement/entitlement.ts';
import type { IdempotencyRecord } from '../entitlement/idempotency/idempotency-record.ts';
import type { Product } from '../product/product.ts';
import type { SignUp } from '../waitlist/sign-up.ts';

/** An entitlement with everything that is stored with it. */
export interface ArchivedEntitlement {
  readonly entitlement: Entitlement;
  /** Whether they have expired or not, by key in code-point order. */
  readonly records: readonly IdempotencyRecord[];
}

/** What a store keeps, by section. */
export interface Archived {
  readonly products: Product;
  readonly appKeys: AppKey;
  readonly entitlements: ArchivedEntitlement;
  readonly listings: Listing;
  readonly signUps: SignUp;
}

export type Section = keyof Archived;

export const sections: readonly Section[] = ['products', 'appKeys', 'entitlements', 'listings', 'signUps'];

/** One thing of a section under what makes it one: an id, a digest, a slug or an address. */
export type Entry = {
  [One in Section]: { readonly section: One; readonly id: string; readonly value: Archived[One] };
}[Section];

/** A store whole, a page at a time, for copying it to another. */
export interface Archive {
  count(section: Section, call: Call): Promise<number>;

  /** The next entries after an id, by id in code-point order; none at the end. */
  page(section: Section, after: string, call: Call): Promise<readonly Entry[]>;

  /**
   * Stores new entries of one section. Returns false if one of them exists, or another entry has its license, digest or
   * id; some of the others may then be stored.
   */
  insert(entries: readonly Entry[], call: Call): Promise<boolean>;

  /** Removes what is there under these ids. */
  remove(section: Section, ids: readonly string[], call: Call): Promise<void>;
}

import { productsKeysAndEntitlements } from './001-products-keys-and-entitlements.ts';
import { listingsAndWaitlist } from './002-listings-and-waitlist.ts';
import { listingChanges } from './003-listing-changes.ts';
import type { Migration } from './migration.ts';

/** Every migration in the order in which a new file runs them. All instants in the tables are milliseconds since 1970. */
export const migrations: readonly Migration[] = [productsKeysAndEntitlements, listingsAndWaitlist, listingChanges];

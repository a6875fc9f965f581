import type { Migration } from './released/migration.ts';

/** A subscription without an interval count has 1. */
export const addIntervalCounts = changeNothing('010-interval-counts');

/** The collection of the prices is created by its first document. */
export const addPrices = changeNothing('012-prices');

/** The collection of the license secret is created by its first document. */
export const addLicenseSecrets = changeNothing('013-license-secrets');

/** A subscription without the instant owes nothing. */
export const addUnpaidUntil = changeNothing('016-unpaid-until');

/** A purchase without an end never ends, and a record without it had none. */
export const addEndsOfPurchases = changeNothing('017-ends-of-purchases');

/** A step that keeps a release that does not know what is new from copying the store without it. */
function changeNothing(name: string): Migration {
  return { name, run: async () => undefined };
}

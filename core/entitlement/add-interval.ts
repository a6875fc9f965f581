import type { BillingInterval } from './entitlement.ts';

/** Adds one interval to an instant by the UTC calendar. A day that the month does not have becomes its last day. */
export type AddInterval = (start: Date, interval: BillingInterval) => Date;

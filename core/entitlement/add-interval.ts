import type { BillingInterval } from './entitlement.ts';

/** The instant one interval after `start` by the UTC calendar, the day clamped to the month's last. */
export type AddInterval = (start: Date, interval: BillingInterval) => Date;

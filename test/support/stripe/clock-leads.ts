import * as fc from 'fast-check';

/** Milliseconds by which Stripe's clock is ahead of ours: a minute before or behind at most. */
export const leads = fc.integer({ min: -60, max: 60 }).map((seconds) => seconds * 1000);

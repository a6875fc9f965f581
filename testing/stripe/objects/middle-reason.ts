/**
 * Why an invoice is written in the middle of a period. An update can begin a period, too. It stands apart from the
 * stored objects, whose types are those of the package `stripe`, because the kit's own types need none.
 */
export type MiddleReason = 'subscription_update' | 'subscription_threshold' | 'manual';

import type { StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import { noon } from '../builders.ts';

/** A change to `sub_1` that is parked. */
export function aStripeCase(overrides: Partial<StripeCase> = {}): StripeCase {
  return { id: 'sub_1', kind: 'not_sent', since: noon, detail: null, change: null, charge: null, ...overrides };
}

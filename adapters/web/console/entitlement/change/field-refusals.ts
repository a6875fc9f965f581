import { licenseKeyRule } from '../../../../../core/license/license-key.ts';
import type { Mistake } from '../../../../../core/parsing/read-members.ts';
import { Refusal, type CommandRefusal } from '../../../../../core/refusal.ts';

/** The refusals of a form for what stands in one of its fields. */
const mistakes: Readonly<Partial<Record<CommandRefusal, Mistake>>> = {
  period_end_too_early: {
    member: 'currentPeriodEnd',
    problem: 'must be later than now and than the start of the period and, in a renewal, than the present end',
  },
  reference_exists: { member: 'reference', problem: 'is that of another entitlement of the product' },
  product_not_found: { member: 'productId', problem: 'must be that of a product that exists' },
  invalid_license_key: { member: 'licenseKey', problem: licenseKeyRule.rule },
  license_key_exists: { member: 'licenseKey', problem: 'is that of another license, or of a revoked one' },
};

/** The mistake for which a use case has refused a form; null if it is not about a field. */
export function mistakeOf(error: unknown): Mistake | null {
  if (!(error instanceof Refusal)) return null;
  const known = new Map<string, Mistake>(Object.entries(mistakes)).get(error.code);
  if (known !== undefined) return known;
  if (error.code !== 'not_for_a_purchase') return null;
  const member = error.details.message?.startsWith('grace') === true ? 'grace' : 'currentPeriodEnd';
  return { member, problem: 'does not go with a purchase that is bought once, which never ends' };
}

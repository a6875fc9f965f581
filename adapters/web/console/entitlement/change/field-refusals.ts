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

/** What a refused form says of its fields. */
export function refusedMembers(error: unknown): Readonly<Partial<Record<CommandRefusal, Mistake>>> {
  const isAboutGrace = error instanceof Refusal && error.details.message?.startsWith('grace') === true;
  const member = isAboutGrace ? 'grace' : 'currentPeriodEnd';
  const problem = 'does not go with a purchase that is bought once, which never ends';
  return { ...mistakes, not_for_a_purchase: { member, problem } };
}

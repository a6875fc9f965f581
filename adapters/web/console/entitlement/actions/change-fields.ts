import { billingIntervals } from '../../../../../core/entitlement/entitlement.ts';
import { licenseKeyRule } from '../../../../../core/license/license-key.ts';
import type { Mistake } from '../../../../../core/parsing/read-members.ts';
import { textThat } from '../../../../../core/parsing/value-rule.ts';
import { Refusal, type CommandRefusal } from '../../../../../core/refusal.ts';
import type { Choice, Field } from '../../form/fields.ts';
import { termText } from '../../state/terms.ts';

/** Core says which texts can be a license key. */
export const anyText = textThat(() => true, 'must be a text');

/** The id of the tiers that fields propose. */
export const tierList = 'tiers';

export const tierFields: readonly Field[] = [
  { name: 'tierId', label: 'Tier id', input: 'code', required: true, hint: 'As your apps know it, such as pro.' },
  { name: 'tierName', label: 'Tier name', required: true, hint: 'As the buyer sees it, such as Pro.' },
];

export const intervalCountField: Field = {
  name: 'billingIntervalCount',
  label: 'Intervals in a period',
  input: 'code',
};

export const graceHint = 'How long access goes on after the end without a renewal, such as 24h or 3d.';

export const graceField: Field = { name: 'grace', label: 'Grace', input: 'code' };

export const updatesField: Field = { name: 'updatesUntil', label: 'Updates until', input: 'instant' };

export const licenseKeyField: Field = { name: 'licenseKey', label: 'License key', input: 'secret' };

export const billingChoices = billingIntervals.map((value): Choice => [value, capitalized(termText(value))]);

/** "Monthly". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The refusals of a form for what stands in one of its fields. */
const mistakes: Readonly<Partial<Record<CommandRefusal, Mistake>>> = {
  period_end_too_early: {
    member: 'currentPeriodEnd',
    problem: 'must be later than now and than the start of the period',
  },
  not_for_a_subscription: {
    member: 'accessEndsAt',
    problem: 'does not apply to a subscription, whose access ends with its period and grace',
  },
  reference_exists: { member: 'reference', problem: 'is that of another entitlement of the product' },
  product_not_found: { member: 'productId', problem: 'must be that of a product that exists' },
  invalid_license_key: { member: 'licenseKey', problem: licenseKeyRule.rule },
  license_key_exists: { member: 'licenseKey', problem: 'is that of another license, or of a revoked one' },
};

const purchaseMembers = ['grace', 'billingIntervalCount'] as const;

/** The mistakes of a refused move, about the entitlement that was to get the license. */
export const refusedTargets: Readonly<Partial<Record<CommandRefusal, Mistake>>> = {
  entitlement_not_found: { member: 'to', problem: 'must be that of an entitlement of the same product' },
  entitlement_ended: { member: 'to', problem: 'must be that of an entitlement that has not ended' },
};

/** The mistakes of a refused form, by the refusal. */
export function refusedMembers(error: unknown): Readonly<Partial<Record<CommandRefusal, Mistake>>> {
  const message = error instanceof Refusal ? (error.details.message ?? '') : '';
  const member = purchaseMembers.find((name) => message.startsWith(name)) ?? 'currentPeriodEnd';
  const problem =
    member === 'currentPeriodEnd'
      ? 'must be left out of a purchase with an end of its access'
      : 'does not apply to a one-time purchase, which has no intervals';
  return { ...mistakes, not_for_a_purchase: { member, problem } };
}

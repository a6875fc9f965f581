import { billingIntervals } from '../../../../../core/entitlement/entitlement.ts';
import { textThat } from '../../../../../core/parsing/value-rule.ts';
import type { Choice, Field } from '../../form/fields.ts';
import { termText } from '../state/terms.ts';

/** Core says which texts can be a license key. */
export const anyText = textThat(() => true, 'must be a text');

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

export const licenseKeyField: Field = { name: 'licenseKey', label: 'License key', input: 'secret' };

export const billingChoices = billingIntervals.map((value): Choice => [value, capitalized(termText(value))]);

/** "Monthly". */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

import { billingTerms, standings } from '../../../../../core/entitlement/entitlement.ts';
import { grantRules, requiredOfGrant, type WrittenGrant } from '../../../../../core/entitlement/written-grant.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import type { MemberRules } from '../../../../../core/parsing/read-members.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import type { Choice, Field } from '../../form/fields.ts';
import { readForm, type FormReading } from '../../form/form-reading.ts';
import { productChoices } from '../../products/product-choices.ts';
import { stateNames } from '../../state/state-badge.ts';
import { termText } from '../../state/terms.ts';
import {
  anyText,
  capitalized,
  graceField,
  graceHint,
  intervalCountField,
  licenseKeyField,
  tierFields,
  updatesField,
} from '../actions/change-fields.ts';

/** A grant as its form gives it. */
export interface GrantForm extends WrittenGrant {
  /** Made with the form, so that a form that is sent twice grants once. */
  readonly id: string;
  readonly licenseKey?: string;
}

const rules: MemberRules<GrantForm> = { ...grantRules, id: identifierRule, licenseKey: anyText };

/** The fields of a grant, in the order in which people know the answers. */
export function grantFields(products: readonly Product[]): readonly Field[] {
  return [
    {
      name: 'productId',
      label: 'Product',
      input: { one: [['', 'Choose a product'], ...productChoices(products)] },
      required: true,
    },
    ...tierFields,
    {
      name: 'billingInterval',
      label: 'Billing',
      input: { one: billingTerms.map((value): Choice => [value, capitalized(termText(value))]) },
      required: true,
    },
    { ...intervalCountField, hint: 'Such as 3 with months for a quarter. Empty: 1.' },
    { name: 'reference', label: 'Reference', hint: 'What your shop calls the purchase, such as an order number.' },
    {
      name: 'status',
      label: 'State',
      input: { one: standings.toSorted().map((value): Choice => [value === 'active' ? '' : value, stateNames[value]]) },
    },
    { name: 'currentPeriodStart', label: 'Start of the period', input: 'instant', hint: 'In UTC. Empty: now.' },
    {
      name: 'currentPeriodEnd',
      label: 'End of the period',
      input: 'instant',
      hint: 'In UTC. Empty: one period after the start. A one-time purchase has none.',
    },
    {
      name: 'accessEndsAt',
      label: 'End of a one-time purchase',
      input: 'instant',
      hint: 'In UTC. Empty: it never ends. A subscription has none.',
    },
    { ...updatesField, hint: 'In UTC. Shown to apps, which act on it. Empty: not said.' },
    { ...graceField, hint: `${graceHint} Empty: 24h.` },
    {
      name: 'deviceLimit',
      label: 'Limit of devices',
      input: 'code',
      hint: 'How many may use the license at once. Empty: that of its tier, else any number.',
    },
    { ...licenseKeyField, hint: 'A key that the buyer has already. Empty: a new one is made.' },
  ];
}

/** Reads a grant from its form. */
export function readGrant(form: URLSearchParams): FormReading<GrantForm> {
  return readForm([{ name: 'id', label: 'Id' }, ...grantFields([])], rules, ['id', ...requiredOfGrant], form);
}

import type { EntitlementFilter } from '../../../../../core/entitlement/administration/list-entitlements.ts';
import { entitlementStatuses } from '../../../../../core/entitlement/status.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../../../core/parsing/value-rule.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import type { Choice, Field } from '../../form/fields.ts';
import { mistakesIn, readForm, type FormReading } from '../../form/form-reading.ts';
import { productChoices } from '../../products/product-choices.ts';
import { stateNames } from '../state/state-badge.ts';

const rules = {
  product: identifierRule,
  status: oneOf(entitlementStatuses),
  reference: displayNameRule,
  endsBefore: instantRule,
};

const states: readonly Choice[] = [
  ['', 'Any state'],
  ...(['active', 'trialing', 'past_due', 'suspended', 'canceled', 'expired', 'revoked'] as const).map(
    (value): Choice => [value, stateNames[value]],
  ),
];

/** The fields of the filter. A product that is asked for is among the choices, known or not. */
export function filterFields(products: readonly Product[], chosen = ''): readonly Field[] {
  return [
    { name: 'product', label: 'Product', input: { one: [['', 'All products'], ...productChoices(products, chosen)] } },
    { name: 'status', label: 'State', input: { one: states } },
    { name: 'reference', label: 'Reference' },
    { name: 'endsBefore', label: 'Ends before', input: 'date' },
  ];
}

/** Reads the filter of a query. A reference needs the product that it belongs to. */
export function readFilter(query: URLSearchParams): FormReading<EntitlementFilter> {
  const fields = filterFields([]);
  const reading = readForm(fields, rules, [], query);
  if (reading.kind === 'wrong') return reading;
  const { product = null, status = null, reference = null, endsBefore = null } = reading.values;
  if (reference !== null && product === null) {
    const mistake = { member: 'reference', problem: 'needs the product that it belongs to' };
    return { kind: 'wrong', mistakes: mistakesIn(fields, [mistake]) };
  }
  return { kind: 'read', values: { productId: product, status, reference, endsBefore } };
}

/** The part of a query that filters, for the links to other pages of the list. */
export function filterOf(query: URLSearchParams): URLSearchParams {
  const given = Object.keys(rules).map((name) => [name, (query.get(name) ?? '').trim()] as const);
  return new URLSearchParams(
    given.filter(([, value]) => value !== '').map(([name, value]): [string, string] => [name, value]),
  );
}

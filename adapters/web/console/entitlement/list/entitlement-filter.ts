import {
  lastFourRule,
  listedStatuses,
  type EntitlementFilter,
} from '../../../../../core/entitlement/administration/list-entitlements.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { displayNameRule, oneOf } from '../../../../../core/parsing/value-rule.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import type { Field } from '../../form/fields.ts';
import { givenOf, mistakesIn, readForm, type FormReading } from '../../form/form-reading.ts';
import { productChoices } from '../../products/product-choices.ts';
import { tierList } from '../actions/change-fields.ts';

const rules = {
  product: identifierRule,
  status: oneOf(listedStatuses),
  tier: identifierRule,
  endsBefore: instantRule,
  reference: displayNameRule,
  lastFour: lastFourRule,
};

/** The states of the list, each a link. A link to another one, such as `expired`, shows it too. */
export const states = [
  [null, 'All'],
  ['active', 'Active'],
  ['trialing', 'Trial'],
  ['past_due', 'Past due'],
  ['suspended', 'Suspended'],
  ['ended', 'Ended'],
] as const;

/** The fields of the filter. A product that is asked for is among the choices, known or not. */
export function filterFields(products: readonly Product[], chosen = ''): readonly Field[] {
  return [
    { name: 'product', label: 'Product', input: { one: [['', 'All products'], ...productChoices(products, chosen)] } },
    { name: 'tier', label: 'Tier', list: tierList, maxLength: 128 },
    { name: 'endsBefore', label: 'Ends before', input: 'date' },
    { name: 'reference', label: 'Reference', maxLength: 200 },
    { name: 'lastFour', label: 'Key ends with', maxLength: 4 },
  ];
}

/** Reads the filter of a query. A reference needs the product that it belongs to. */
export function readFilter(query: URLSearchParams): FormReading<EntitlementFilter> {
  const fields = [...filterFields([]), { name: 'status', label: 'State' }];
  const reading = readForm(fields, rules, [], query);
  if (reading.kind === 'wrong') return reading;
  const { product = null, status = null, reference = null, endsBefore = null, ...others } = reading.values;
  const { tier = null, lastFour = null } = others;
  if (reference !== null && product === null) {
    const mistake = { member: 'reference', problem: 'needs the product that it belongs to' };
    return { kind: 'wrong', mistakes: mistakesIn(fields, [mistake]) };
  }
  const values = { productId: product, status, reference, endsBefore, tier, lastFour, order: 'newest' } as const;
  return { kind: 'read', values };
}

/** The part of a query that filters, for the links to other pages of the list. */
export function filterOf(query: URLSearchParams): URLSearchParams {
  return givenOf(query, Object.keys(rules));
}

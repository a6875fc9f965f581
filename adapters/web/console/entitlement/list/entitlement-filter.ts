import type { EntitlementFilter } from '../../../../../core/entitlement/administration/list-entitlements.ts';
import { entitlementStatuses, type EntitlementStatus } from '../../../../../core/entitlement/status.ts';
import { identifierRule } from '../../../../../core/identifier.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import type { MemberRules } from '../../../../../core/parsing/read-members.ts';
import { displayNameRule, oneOf } from '../../../../../core/parsing/value-rule.ts';
import type { Product } from '../../../../../core/product/products.port.ts';
import { readForm, type Choice, type Field, type FilledForm } from '../../display/form-fields.ts';
import { stateNames } from '../state/state-badge.ts';

interface WrittenFilter {
  readonly product?: string;
  readonly status?: EntitlementStatus;
  readonly reference?: string;
  readonly endsBefore?: Date;
}

const rules: MemberRules<WrittenFilter> = {
  product: identifierRule,
  status: oneOf(entitlementStatuses),
  reference: displayNameRule,
  endsBefore: instantRule,
};

export type FilterReading =
  | { readonly kind: 'read'; readonly filter: EntitlementFilter; readonly form: FilledForm }
  | { readonly kind: 'wrong'; readonly form: FilledForm };

const states: readonly Choice[] = [
  { value: '', text: 'Any state' },
  ...(['active', 'trialing', 'past_due', 'suspended', 'canceled', 'expired', 'revoked'] as const).map((value) => ({
    value,
    text: stateNames[value],
  })),
];

/** The fields of the filter. A product that is asked for is among the choices, known or not. */
export function filterFields(products: readonly Product[], { given }: FilledForm): readonly Field[] {
  const chosen = given['product'] ?? '';
  const known = products.map(({ id, name }) => ({ value: id, text: name }));
  const isUnknown = chosen !== '' && known.every(({ value }) => value !== chosen);
  const choices = [
    { value: '', text: 'All products' },
    ...known,
    ...(isUnknown ? [{ value: chosen, text: chosen }] : []),
  ];
  return [
    { name: 'product', label: 'Product', input: choices },
    { name: 'status', label: 'State', input: states },
    { name: 'reference', label: 'Reference' },
    { name: 'endsBefore', label: 'Ends before', input: 'date' },
  ];
}

/** Reads the filter of a query. A reference needs the product that it belongs to. */
export function readFilter(query: URLSearchParams): FilterReading {
  const fields = filterFields([], { given: {}, mistakes: [] });
  const given = Object.fromEntries(fields.map(({ name }) => [name, (query.get(name) ?? '').trim()]));
  const instants = fields.map((field) =>
    field.name === 'endsBefore' ? { ...field, input: 'instant' as const } : field,
  );
  const reading = readForm<WrittenFilter>(instants, rules, [], query);
  if (reading.kind === 'wrong') return reading;
  const { product = null, status = null, reference = null, endsBefore = null } = reading.values;
  if (reference !== null && product === null) {
    return {
      kind: 'wrong',
      form: { given, mistakes: [{ member: 'reference', problem: 'needs the product that it belongs to' }] },
    };
  }
  const filter = { productId: product, status, reference, endsBefore };
  return { kind: 'read', filter, form: { given, mistakes: [] } };
}

/** The query of a page of the filtered list. */
export function filterQuery({ given }: FilledForm, after: string | null): string {
  const parameters = Object.entries(given).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(parameters as [string, string][]);
  if (after !== null) query.set('after', after);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

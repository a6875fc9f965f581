import { extensionSpans } from '../../../../../core/entitlement/administration/extension.ts';
import { instantRule } from '../../../../../core/parsing/instant.ts';
import { oneOf } from '../../../../../core/parsing/value-rule.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { Refusal } from '../../../../../core/refusal.ts';
import type { Field } from '../../form/fields.ts';
import { mistakesIn, readForm, type FormReading } from '../../form/form-reading.ts';
import { instantIn } from '../../form/local-instants.ts';

/** The values in the form of an extension. */
export interface Extension {
  readonly end: Date;
  /** Whether its sender has confirmed this very end on a second look. */
  readonly isSure: boolean;
}

export const extendFields: readonly Field[] = [
  { name: 'by', label: 'For how long' },
  { name: 'until', label: 'New end', input: 'instant' },
];

const byRule = oneOf([...extensionSpans, 'until']);

/** Reads the new end. An end that has passed is a mistake: to end access now, an entitlement is revoked. */
export function readExtension(form: URLSearchParams, purchase: Purchase, now: Date): FormReading<Extension> {
  const by = byRule.parse(form.get('by') ?? '');
  if (by === null) return wrong('by', byRule.rule);
  const reading = by === 'until' ? readUntil(form) : spanEnd(by, form, purchase);
  if (reading.kind === 'wrong') return reading;
  const end = reading.values;
  if (end <= now) return wrong('until', 'must be later than now');
  const sure = instantRule.parse(instantIn(form.get('sure') ?? ''));
  return { kind: 'read', values: { end, isSure: sure?.getTime() === end.getTime() } };
}

function readUntil(form: URLSearchParams): FormReading<Date> {
  const reading = readForm(extendFields, { until: instantRule }, ['until'], form);
  return reading.kind === 'wrong' ? reading : { kind: 'read', values: reading.values.until };
}

/** The end that the page has shown for a span: `from` is the instant from which it was counted. */
function spanEnd(
  by: (typeof extensionSpans)[number],
  form: URLSearchParams,
  { extensions }: Pick<Purchase, 'extensions'>,
): FormReading<Date> {
  const offered = extensions(instantRule.parse(form.get('from') ?? ''));
  if (offered === null) throw new Refusal('not_a_subscription');
  const end = offered.ends.get(by);
  return end === undefined ? wrong('by', 'must be one of those on the page') : { kind: 'read', values: end };
}

function wrong(member: string, problem: string): FormReading<never> {
  return { kind: 'wrong', mistakes: mistakesIn(extendFields, [{ member, problem }]) };
}

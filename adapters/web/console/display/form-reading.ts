import { readMembers, type MemberRules } from '../../../../core/parsing/read-members.ts';
import type { ValueRule } from '../../../../core/parsing/value-rule.ts';
import type { FormState, Mistakes } from './fields.ts';

type Rules = MemberRules<Readonly<Record<string, unknown>>>;

type ValueOf<Rule> = Rule extends ValueRule<infer Value> ? Value : never;

type ValuesOf<Own extends Rules, Required extends keyof Own> = {
  readonly [Name in Required]: ValueOf<Own[Name]>;
} & { readonly [Name in Exclude<keyof Own, Required>]?: ValueOf<Own[Name]> };

/** The values of a form, or what is wrong with its fields. */
export type FormReading<Values> =
  { readonly kind: 'read'; readonly values: Values } | { readonly kind: 'wrong'; readonly mistakes: Mistakes };

/**
 * Reads a form by the rules of its fields. An empty field counts as left out. The fields of `lists` may occur more than
 * once.
 */
export function readForm<Own extends Rules, Required extends keyof Own & string>(
  rules: Own,
  required: readonly Required[],
  form: URLSearchParams,
  lists: readonly string[] = [],
): FormReading<ValuesOf<Own, Required>> {
  const given = Object.keys(rules).map((name): readonly [string, unknown] => {
    if (lists.includes(name)) return [name, form.getAll(name)];
    const text = form.get(name) ?? '';
    return [name, text === '' ? null : text];
  });
  const reading = readMembers(rules, required, Object.fromEntries(given), 'parse');
  if (reading.kind === 'read') return { kind: 'read', values: reading.values as ValuesOf<Own, Required> };
  const mistakes = reading.mistakes.map(({ member, problem }): [string, string] => [member, `${member} ${problem}.`]);
  return { kind: 'wrong', mistakes: new Map(mistakes) };
}

/** The state of a form that shows what was typed. Fields that occur more than once have spaces between their values. */
export function typedIn(form: URLSearchParams, mistakes: Mistakes): FormState {
  return { typed: (name) => form.getAll(name).join(' '), mistakes };
}

/** The state of a form with proposed values. */
export function proposed(values: Readonly<Record<string, string>>): FormState {
  return { typed: (name) => values[name] ?? '', mistakes: new Map() };
}

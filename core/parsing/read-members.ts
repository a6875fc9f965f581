import { brokenRule, type ValueRule } from './value-rule.ts';

/** A rule for each member of an object. */
export type MemberRules<Values> = {
  readonly [Name in keyof Values]-?: ValueRule<NonNullable<Values[Name]>>;
};

/** A rule for each member, whatever its values are. */
export type Rules = MemberRules<Readonly<Record<string, unknown>>>;

type ValueOf<Rule> = Rule extends ValueRule<infer Value> ? Value : never;

/** The values of an object by the rules of its members. */
export type ValuesOf<Own extends Rules, Required extends keyof Own> = {
  readonly [Name in Required]: ValueOf<Own[Name]>;
} & { readonly [Name in Exclude<keyof Own, Required>]?: ValueOf<Own[Name]> };

/** A member that breaks its rule ("must be …") or is missing ("is missing"). */
export interface Mistake {
  readonly member: string;
  readonly problem: string;
}

export type Reading<Values> =
  | { readonly kind: 'read'; readonly values: Values }
  | { readonly kind: 'wrong'; readonly mistakes: readonly Mistake[] };

/**
 * Reads an object by the rules of its members, or returns every mistake in it. A member that is null or undefined
 * counts as left out, and members without a rule are ignored. `parse` also reads members that are texts of other
 * values, as in a cell of a CSV file.
 */
export function readMembers<Values extends object>(
  rules: MemberRules<Values>,
  required: readonly (keyof Values & string)[],
  given: Readonly<Record<string, unknown>>,
  how: 'parse' | 'read',
): Reading<Values> {
  const values = new Map<string, unknown>();
  const mistakes: Mistake[] = [];
  for (const [member, rule] of Object.entries<ValueRule<unknown>>(rules)) {
    const written = Object.hasOwn(given, member) ? (given[member] ?? null) : null;
    if (written === null) {
      if (required.some((name) => name === member)) mistakes.push({ member, problem: 'is missing' });
      continue;
    }
    const value = how === 'parse' && typeof written === 'string' ? rule.parse(written) : rule.read(written);
    if (value === null) mistakes.push({ member, problem: brokenRule(rule, written) });
    else values.set(member, value);
  }
  if (mistakes.length > 0) return { kind: 'wrong', mistakes };
  return { kind: 'read', values: Object.fromEntries(values) as Values };
}

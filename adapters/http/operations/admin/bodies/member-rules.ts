import { billingIntervals } from '../../../../../core/entitlement/entitlement.ts';
import { scopes } from '../../../../../core/key/app/scope.ts';
import { operatorScopes } from '../../../../../core/key/operator/operator-scope.ts';
import { oneOf, textRule, type ValueRule } from '../../../../../core/parsing/value-rule.ts';

/** Any text: core refuses what cannot be a key, with the code that the commands have. */
export const licenseKeyText = textRule((text) => text, 'must be a text');

/** The billing intervals of a subscription. */
export const billingIntervalRule = oneOf(billingIntervals);

export const appScopesRule = scopesRule(scopes);
export const operatorScopesRule = scopesRule(operatorScopes);

/** A rule for a list of scopes, each once in the answer however often it is given. */
export function scopesRule<Scope extends string>(known: readonly Scope[]): ValueRule<readonly Scope[]> {
  const read = (member: unknown): readonly Scope[] | null => {
    if (!Array.isArray(member) || member.length === 0) return null;
    const given = new Set<unknown>(member);
    const found = known.filter((scope) => given.has(scope));
    return found.length === given.size ? found : null;
  };
  return { read, parse: () => null, rule: `must be an array of one or more of ${known.join(', ')}` };
}

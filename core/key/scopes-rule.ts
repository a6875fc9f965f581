import type { ValueRule } from '../parsing/value-rule.ts';

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

/** What an app key may be used for (specification, section 5). */
export const scopes = [
  'read:listings',
  'write:waitlist',
  'read:licenses',
  'read:entitlements',
  'write:entitlements',
] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

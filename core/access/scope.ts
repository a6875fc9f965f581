/** What an app key may be used for (specification, section 5). */
export type Scope = 'read:listings' | 'write:waitlist' | 'read:licenses' | 'read:entitlements' | 'write:entitlements';

export const scopes: readonly Scope[] = [
  'read:listings',
  'write:waitlist',
  'read:licenses',
  'read:entitlements',
  'write:entitlements',
];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

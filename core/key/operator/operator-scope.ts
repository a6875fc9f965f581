/** What an operator key may be used for. */
export const operatorScopes = [
  'admin:read',
  'admin:entitlements',
  'admin:catalog',
  'admin:waitlist',
  'admin:access',
] as const;

export type OperatorScope = (typeof operatorScopes)[number];

export function isOperatorScope(text: string): text is OperatorScope {
  return (operatorScopes as readonly string[]).includes(text);
}

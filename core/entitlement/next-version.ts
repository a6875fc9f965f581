import type { Entitlement } from './entitlement.ts';

/** Changes members of an entitlement, and moves its version, its revision and `updatedAt`. */
export function nextVersion<Kind extends Entitlement>(entitlement: Kind, now: Date, change: Partial<Kind>): Kind {
  const { version, revision } = entitlement;
  return { ...entitlement, ...change, version: version + 1, revision: revision + 1, updatedAt: now };
}

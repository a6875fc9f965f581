import type { Entitlement } from './entitlement.ts';

/** The entitlement after a change of these members: a new version of it, and a new revision. */
export function nextVersion<Kind extends Entitlement>(entitlement: Kind, now: Date, change: Partial<Kind>): Kind {
  const { version, revision } = entitlement;
  return { ...entitlement, ...change, version: version + 1, revision: revision + 1, updatedAt: now };
}

import type { License } from './license.ts';

/** The rest of a license that has moved to another entitlement. */
export interface Moved {
  /** The entitlement that has it now or, if the move was interrupted, is to get it. */
  readonly to: string;
  /** The license as it was. */
  readonly license: License;
}

const form = /^moved:[^:]+:(?<to>[^:]+):(?<digest>.+)$/;

/**
 * Makes the license that an entitlement keeps when its own moves: a license of no key, revoked at the instant of the
 * move. Its digest names the one that has moved, so that a move of which a store has written one half can be completed.
 */
export function movedLicense(license: License, from: string, to: string, now: Date): License {
  return { ...license, digest: `moved:${from}:${to}:${license.digest}`, revokedAt: now };
}

/** The facts of a license that has moved away; null for any other license. */
export function movedAway(license: License | null): Moved | null {
  const { to, digest } = form.exec(license?.digest ?? '')?.groups ?? {};
  if (license === null || to === undefined || digest === undefined) return null;
  return { to, license: { ...license, digest, revokedAt: null } };
}

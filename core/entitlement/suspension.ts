import { suspensionCauses, type Entitlement, type Hold, type SuspensionCause } from './entitlement.ts';

/** The causes of a suspension, in the order of `suspensionCauses`. Empty unless the hold is a suspension. */
export function causesOf(hold: Hold): readonly SuspensionCause[] {
  if (hold.kind !== 'suspended') return [];
  return hold.causes ?? ['operator'];
}

/** The causes at one instant, with a payment that is missing for too long. Empty unless access is suspended. */
export function causesAt(entitlement: Entitlement, now: Date): readonly SuspensionCause[] {
  const { hold } = entitlement;
  return causesOf(isUnpaid(entitlement, now) ? withCause(hold, 'payment', true) : hold);
}

/** Reports whether a payment is missing for longer than access lasts without it. */
export function isUnpaid(entitlement: Entitlement, now: Date): boolean {
  return entitlement.kind === 'subscription' && entitlement.unpaidUntil !== null && entitlement.unpaidUntil <= now;
}

/** The hold for these causes. A suspension lasts while any of them holds. */
export function heldBy(causes: readonly SuspensionCause[]): Hold {
  const isOperators = causes.includes('operator');
  if (causes.includes('payment')) {
    return { kind: 'suspended', causes: isOperators ? ['operator', 'payment'] : ['payment'] };
  }
  return isOperators ? { kind: 'suspended' } : { kind: 'none' };
}

/** The hold with one cause added or lifted. The other cause stays, and so does a revocation. */
export function withCause(hold: Hold, cause: SuspensionCause, holds: boolean): Hold {
  if (hold.kind === 'revoked') return hold;
  const others = suspensionCauses.filter((other) => other !== cause && causesOf(hold).includes(other));
  return heldBy(holds ? [...others, cause] : others);
}

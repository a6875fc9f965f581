import { day } from '../../parsing/duration.ts';
import { unpaidEnd, type Entitlement } from '../entitlement.ts';

/**
 * Why access will end: a scheduled cancellation, a trial that nobody has paid for, a period that nobody has renewed, or a
 * purchase that was for a time.
 */
export const endingReasons = ['canceled', 'trial', 'unpaid', 'fixed_term'] as const;

/** An end of access by the clock, which happens unless something changes. */
export interface Ending {
  readonly reason: (typeof endingReasons)[number];
  /** When access ends, after the grace. */
  readonly endsAt: Date;
}

/** Milliseconds before an end at which its event is due, by default. */
export const defaultEndingSoon = 3 * day;

/** The end of access by the clock. Null for what never ends by it. A suspension has no influence on it. */
export function endingOf(entitlement: Entitlement): Ending | null {
  if (entitlement.hold.kind === 'revoked') return null;
  if (entitlement.kind === 'one_time') {
    const { accessEndsAt } = entitlement;
    return accessEndsAt === null ? null : { reason: 'fixed_term', endsAt: accessEndsAt };
  }
  const { cancellation, standing } = entitlement;
  const endsAt = unpaidEnd(entitlement);
  if (cancellation !== null && cancellation.at <= endsAt) return { reason: 'canceled', endsAt: cancellation.at };
  return { reason: standing === 'trialing' ? 'trial' : 'unpaid', endsAt };
}

/**
 * The end that has no event yet after a change at one instant. An end that had its event before the change has had it, if
 * it is still the same; any other has none.
 */
export function unannouncedEndAfter(
  seen: Entitlement,
  isAnnounced: boolean,
  next: Entitlement,
  now: Date,
): Date | null {
  const endsAt = endingOf(next)?.endsAt ?? null;
  if (endsAt === null || endsAt <= now) return null;
  return isAnnounced && endingOf(seen)?.endsAt.getTime() === endsAt.getTime() ? null : endsAt;
}

/**
 * The end of access whose event is due, and since when: from `endingSoon` milliseconds before it, but not before an end
 * that is nearer was set, nor before an event that the entitlement has. Null while access is suspended, because there is
 * none that could end, and always if `endingSoon` is 0, because then it would be due at the end itself.
 */
export function dueEnding(
  entitlement: Entitlement,
  lastEventAt: Date | null,
  now: Date,
  endingSoon: number,
): { readonly at: Date; readonly ending: Ending } | null {
  const ending = endingOf(entitlement);
  if (ending === null || entitlement.unannouncedEnd === null || entitlement.hold.kind !== 'none') return null;
  const begin = new Date(ending.endsAt.getTime() - endingSoon);
  if (begin > now) return null;
  const at = [begin, entitlement.updatedAt, lastEventAt ?? begin].reduce((last, each) => (each > last ? each : last));
  return at < ending.endsAt ? { at, ending } : null;
}

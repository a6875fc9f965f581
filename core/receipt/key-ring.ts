import {
  isPublished,
  publishedKey,
  type ActiveKey,
  type NewSigningKey,
  type NextKey,
  type PublishedKeys,
  type RetiredKey,
  type RevokedKey,
  type SigningKey,
} from './signing-key.ts';

/** All signing keys of a store: one record, so that each change is one atomic write. */
export interface KeyRing {
  /** Counts the writes, from 1, so that of two writers that saw one ring only one succeeds. */
  readonly revision: number;
  readonly active: ActiveKey;
  readonly next: NextKey;
  /** The last one first. */
  readonly past: readonly (RetiredKey | RevokedKey)[];
}

/** The id of the ring where a store or a copy needs one. */
export const keyRingId = 'latchkey';

/** Returns a ring as a store has read it. Throws for a damaged one, so that nothing signs with the rest of it. */
export function wholeRing(ring: KeyRing): KeyRing {
  const { active, next, past } = ring as Partial<KeyRing>;
  if (!canSign(active) || !canSign(next) || !Array.isArray(past)) {
    throw new Error('the record of the signing keys is damaged: restore it from a backup');
  }
  return ring;
}

function canSign(key: Partial<ActiveKey | NextKey> | undefined): boolean {
  return [key?.kid, key?.x, key?.y, key?.d].every((part) => typeof part === 'string');
}

/** Makes the first ring of a store. */
export function firstRing(newKey: NewSigningKey, now: Date): KeyRing {
  return { revision: 1, active: activated(newKey(now), now), next: newKey(now), past: [] };
}

/** Reports whether nothing has happened to a ring since it was made. */
export function isFresh({ revision }: KeyRing): boolean {
  return revision === 1;
}

/** All keys: the active one, the next one, and those before, the last one first. */
export function keysIn({ active, next, past }: KeyRing): readonly SigningKey[] {
  return [active, next, ...past];
}

/** The keys that apps may trust. */
export function publishedIn(ring: KeyRing, now: Date): PublishedKeys {
  return { keys: keysIn(ring).flatMap((key) => (isPublished(key, now) ? [publishedKey(key)] : [])) };
}

/** Lets the next key sign, and makes another one. The private half of the present key is dropped. */
export function rotated(ring: KeyRing, newKey: NewSigningKey, now: Date): KeyRing {
  return {
    revision: ring.revision + 1,
    active: activated(ring.next, now),
    next: newKey(now),
    past: [retired(ring.active, now), ...ring.past],
  };
}

/**
 * Revokes a key. If it is the active one, the ring is rotated first; if it is the next one, another is made. Returns the ring
 * as it is for a key that is revoked already or unknown.
 */
export function revokedIn(ring: KeyRing, kid: string, newKey: NewSigningKey, now: Date): KeyRing {
  const { active, next, past } = ring;
  const revision = ring.revision + 1;
  if (kid === active.kid) {
    return { ...rotated(ring, newKey, now), past: [revoked(retired(active, now), now), ...past] };
  }
  if (kid === next.kid) return { ...ring, revision, next: newKey(now), past: [revoked(next, now), ...past] };
  const key = past.find((one) => one.kid === kid);
  if (key === undefined || key.state === 'revoked') return ring;
  return { ...ring, revision, past: past.map((one) => (one === key ? revoked(key, now) : one)) };
}

/** Notes that the active key signs an offline receipt which expires then. Returns the ring as it is if a later one is noted. */
export function noted(ring: KeyRing, expiresAt: Date): KeyRing {
  const last = ring.active.offlineUntil?.getTime() ?? -Infinity;
  if (last >= expiresAt.getTime()) return ring;
  return { ...ring, revision: ring.revision + 1, active: { ...ring.active, offlineUntil: expiresAt } };
}

/** Reports whether a key signs or has signed. */
export function wasActive(ring: KeyRing, kid: string): boolean {
  return keysIn(ring).some((key) => key.kid === kid && key.state !== 'next' && key.activeAt !== null);
}

function activated(key: NextKey, now: Date): ActiveKey {
  return { ...key, state: 'active', activeAt: now, offlineUntil: null };
}

function retired(key: ActiveKey, now: Date): RetiredKey {
  const { d: _, ...kept } = key;
  return { ...kept, state: 'retired', retiredAt: now };
}

function revoked(key: NextKey | RetiredKey, now: Date): RevokedKey {
  if (key.state === 'retired') return { ...key, state: 'revoked', revokedAt: now };
  const { d: _, ...kept } = key;
  return { ...kept, state: 'revoked', activeAt: null, retiredAt: null, offlineUntil: null, revokedAt: now };
}

import { wholeRing, type KeyRing } from '../../../core/receipt/key-ring.ts';
import type { SigningKey } from '../../../core/receipt/signing-key.ts';
import { table } from '../engine/table.ts';

/** The only row of `signing_keys`. `ring` is JSON, whose instants are milliseconds since 1970. */
export interface KeyRingRow {
  readonly id: string;
  readonly revision: number;
  readonly ring: string;
}

export const signingKeysTable = table<KeyRingRow>('signing_keys', { id: true, revision: true, ring: true });

const instants: ReadonlySet<string> = new Set(['createdAt', 'activeAt', 'retiredAt', 'revokedAt', 'offlineUntil']);

export function toKeyRingRow({ revision, active, next, past }: KeyRing, id: string): KeyRingRow {
  return { id, revision, ring: JSON.stringify({ active: stored(active), next: stored(next), past: past.map(stored) }) };
}

/** Throws for a damaged ring. */
export function fromKeyRingRow({ revision, ring }: KeyRingRow): KeyRing {
  const members = JSON.parse(ring, (name, value: unknown) =>
    instants.has(name) && typeof value === 'number' ? new Date(value) : value,
  ) as Omit<KeyRing, 'revision'>;
  return wholeRing({ ...members, revision });
}

function stored(key: SigningKey): object {
  return Object.fromEntries(
    Object.entries(key).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Date ? value.getTime() : value,
    ]),
  );
}

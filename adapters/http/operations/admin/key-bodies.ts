import type { LoggedChange } from '../../../../core/administration/logged-change.ts';
import { identifierRule } from '../../../../core/identifier.ts';
import type { IssuedKey } from '../../../../core/key/issue-key.ts';
import { defaultOverlap, type KeyRotation } from '../../../../core/key/rotate-key.ts';
import { durationRule } from '../../../../core/parsing/duration.ts';
import { instantRule } from '../../../../core/parsing/instant.ts';
import type { ValueRule } from '../../../../core/parsing/value-rule.ts';
import type { AdminAnswer } from './admin-operation.ts';
import { bodyReader } from './body-reader.ts';

/** The rules of the members that requests for app keys and operator keys share. */
export const keyRules = { id: identifierRule, expiresAt: instantRule };

interface RotationBody {
  readonly newId?: string;
  readonly overlap?: number;
  readonly expiresAt?: Date;
}

const readRotation = bodyReader<RotationBody>(
  { newId: identifierRule, overlap: durationRule, expiresAt: instantRule },
  [],
);

/** Reads the rotation of a key that a body asks for, whose members all have a default. */
export function rotationOf(id: string, body: unknown): KeyRotation {
  const { newId = null, overlap = defaultOverlap, expiresAt = null } = readRotation(body);
  return { id, newId, overlap, expiresAt };
}

/** The answer to an issued or rotated key, which is shown if it is new, and never again. */
export function issuedAnswer<Key>(
  { issued, key }: IssuedKey<Key>,
  view: (key: Key) => object,
  changed: LoggedChange,
): AdminAnswer {
  if (key === null) return { data: { ...view(issued), key } };
  return { status: 201, data: { ...view(issued), key }, changed };
}

/** A rule for a list of scopes, each once in the answer however often it is given. */
export function scopesRule<Scope extends string>(scopes: readonly Scope[]): ValueRule<readonly Scope[]> {
  const read = (member: unknown): readonly Scope[] | null => {
    if (!Array.isArray(member) || member.length === 0) return null;
    const given = new Set<unknown>(member);
    const known = scopes.filter((scope) => given.has(scope));
    return known.length === given.size ? known : null;
  };
  return { read, parse: () => null, rule: `must be an array of one or more of ${scopes.join(', ')}` };
}

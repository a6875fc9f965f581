import type { NewId } from '../identifier.ts';
import type { CommandRefusal, RequestRefusal } from '../refusal.ts';
import { base62, randomText, type Crc32, type Digest, type RandomBytes } from '../secret.ts';
import type { KeyTerms, StoredKey } from './stored-key.ts';

/** A kind of key: the prefix of its keys, and the codes of its refusals. */
export interface KeyKind {
  readonly prefix: string;
  /** Matches a key of the form in which they are issued. */
  readonly issuedForm: RegExp;
  readonly refusals: {
    readonly invalid: RequestRefusal;
    readonly notFound: CommandRefusal;
    readonly ended: CommandRefusal;
    readonly exists: CommandRefusal;
  };
}

const randomLength = 32;
const checksumLength = 6;

export function keyKind(prefix: string, refusals: KeyKind['refusals']): KeyKind {
  const issuedForm = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);
  return { prefix, issuedForm, refusals };
}

/** Generates a key: the prefix, 32 random base62 symbols (190 bits), and the CRC-32 of both as six base62 symbols. */
export function generateKey({ prefix }: KeyKind, randomBytes: RandomBytes, crc32: Crc32): string {
  const body = prefix + randomText(base62, randomLength, randomBytes);
  return body + checksum(body, crc32);
}

/**
 * Reports whether a presented text can be a key of a kind, so that mistyped and invented keys are refused without a
 * look-up. A text of exactly the issued form needs the right checksum; any other text with the prefix can have been
 * stored by hand.
 */
export function canBeKey({ prefix, issuedForm }: KeyKind, presented: string, crc32: Crc32): boolean {
  if (!presented.startsWith(prefix)) return false;
  if (!issuedForm.test(presented)) return true;
  return presented.slice(-checksumLength) === checksum(presented.slice(0, -checksumLength), crc32);
}

function checksum(body: string, crc32: Crc32): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < checksumLength; position += 1) {
    text = base62.charAt(rest % base62.length) + text;
    rest = Math.floor(rest / base62.length);
  }
  return text;
}

/** The facts of a new key that do not follow from its terms. */
export type KeyFacts = Omit<StoredKey, keyof KeyTerms>;

/** Makes a key, with a generated id if none is given, and the facts of it that the store keeps beside its terms. */
export type NewKey = (id: string | null, now: Date) => { readonly key: string; readonly facts: KeyFacts };

export function newKey(kind: KeyKind, newId: NewId, randomBytes: RandomBytes, crc32: Crc32, digest: Digest): NewKey {
  return (id, now) => {
    const key = generateKey(kind, randomBytes, crc32);
    const facts = { id: id ?? newId(), digest: digest(key), lastFour: key.slice(-4), createdAt: now };
    return { key, facts: { ...facts, revokedAt: null, lastUsedAt: null } };
  };
}

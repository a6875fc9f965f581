import type { IssuedKey } from '../../../../core/key/change-keys.ts';
import type { StoredKey } from '../../../../core/key/stored-key.ts';
import { details } from '../../output/table.ts';
import type { ChangeResult } from '../../run/run-command.ts';

/** What the output of commands needs to know of a kind of key. */
interface KeyKindOutput<Key extends StoredKey> {
  /** The member that only keys of this kind have. */
  readonly ownMember: keyof Key & string;
}

/** A key without its digest. */
export type KeyView = Readonly<Record<string, unknown>>;

/** The members of a key that commands show. */
export function columnsOf<Key extends StoredKey>({ ownMember }: KeyKindOutput<Key>): readonly (keyof Key & string)[] {
  return ['id', ownMember, 'lastFour', 'scopes', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'];
}

export function viewOf<Key extends StoredKey>(kind: KeyKindOutput<Key>, key: Key): KeyView {
  return Object.fromEntries(columnsOf(kind).map((member) => [member, key[member]]));
}

/** The result of a command that shows a key. */
export function keyResult<Key extends StoredKey>(kind: KeyKindOutput<Key>, key: Key): ChangeResult {
  const view = viewOf(kind, key);
  return { json: { value: view }, text: () => details<KeyView>(view, columnsOf(kind)) };
}

/** The result of a command that issues a key, unless an earlier one with the same id has done so. */
export function issuedResult<Key extends StoredKey>(
  kind: KeyKindOutput<Key>,
  { issued, key }: IssuedKey<Key>,
): ChangeResult {
  const { ownMember } = kind;
  const { id, scopes, expiresAt } = issued;
  const value: KeyView = { id, key, [ownMember]: issued[ownMember], scopes, expiresAt };
  const note = key === null ? 'The key was issued before and is not shown again.' : 'The key is shown only this once.';
  return {
    json: { value },
    text: () => `${details(value, Object.keys(value))}\n${note}\n`,
  };
}

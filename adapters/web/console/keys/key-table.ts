import { isUsable, type StoredKey } from '../../../../core/key/stored-key.ts';
import { badge } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { table, type Column } from '../../markup/table.ts';
import { instant, relativeText } from '../display/dates.ts';
import { mono } from '../display/parts.ts';

/** A table of keys, of which each is shown by its id and its last characters. */
export interface KeyTable<Key extends StoredKey> {
  readonly caption: string;
  readonly keys: readonly Key[];
  readonly now: Date;
  /** Shows the name of a key; null for keys that have none. */
  readonly name: ((key: Key) => Html) | null;
  /** Columns that only keys of this kind have. */
  readonly own?: readonly Column<Key>[];
  /** The path of a change of a key; null for those who may make none. */
  readonly changePath: ((key: Key, change: 'rotate' | 'revoke') => string) | null;
}

export function keyTable<Key extends StoredKey>({
  caption,
  keys,
  now,
  name,
  own = [],
  changePath,
}: KeyTable<Key>): Html {
  const columns: Column<Key>[] = [
    {
      heading: 'Key',
      cell: (key) =>
        html`<span id="key-${key.id}"
          >${
            name === null
              ? html`${mono(key.id)}<span class="sub mono">…${key.lastFour}</span>`
              : html`${name(key)}<span class="sub mono">${key.id} …${key.lastFour}</span>`
          }</span
        >`,
    },
    { heading: 'State', cell: (key) => keyState(key, now) },
    ...own,
    { heading: 'Scopes', cell: ({ scopes }) => html`<span class="mono small">${scopes.join(', ')}</span>` },
    {
      heading: 'Last used',
      isMuted: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null
          ? 'Never'
          : html`${instant(lastUsedAt)}<span class="sub">${relativeText(lastUsedAt, now)}</span>`,
    },
  ];
  if (changePath !== null) columns.push({ heading: '', atEnd: true, cell: (key) => changes(key, now, changePath) });
  return table(caption, columns, keys);
}

/** Whether a key works, and until when. */
function keyState(key: StoredKey, now: Date): Html {
  const { revokedAt, expiresAt } = key;
  if (revokedAt !== null) return html`${badge('bad', 'Revoked')}<span class="sub">${instant(revokedAt)}</span>`;
  if (expiresAt === null) return badge('ok', 'Works');
  const ends = html`<span class="sub">${instant(expiresAt)}, ${relativeText(expiresAt, now)}</span>`;
  return isUsable(key, now) ? html`${badge('info', 'Ends')}${ends}` : html`${badge('plain', 'Expired')}${ends}`;
}

function changes<Key extends StoredKey>(
  key: Key,
  now: Date,
  path: (key: Key, change: 'rotate' | 'revoke') => string,
): Html | string {
  if (!isUsable(key, now)) return '';
  const label = (change: 'rotate' | 'revoke'): Html =>
    html` id="${change}-${key.id}" aria-labelledby="${change}-${key.id} key-${key.id}"`;
  return html`<div class="buttons">
    <a class="button" href="${path(key, 'rotate')}" ${label('rotate')}>Rotate</a
    ><a class="button" href="${path(key, 'revoke')}" ${label('revoke')}>Revoke</a>
  </div>`;
}

/** The facts on the pages about one key. `owner` stands behind the id. */
export function keyFacts(
  { id, scopes, expiresAt }: StoredKey,
  owner: readonly (readonly [name: string, value: Html | string])[],
): readonly (readonly [name: string, value: Html | string])[] {
  return [
    ['Id', mono(id)],
    ...owner,
    ['Scopes', html`${scopes.map((scope, index) => html`${index === 0 ? '' : ', '}${mono(scope)}`)}`],
    ['Expires', expiresAt === null ? 'Never' : instant(expiresAt)],
  ];
}

import type { StoredKey } from '../../../../core/key/stored-key.ts';
import { html, type Html } from '../../markup/html.ts';
import { instant } from '../display/dates.ts';
import { mono } from '../display/parts.ts';

/** What the pages about one key say of it. `owner` stands behind the id. */
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

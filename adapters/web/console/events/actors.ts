import type { Administration } from '../../../../core/administration/administration.ts';
import type { Actor } from '../../../../core/call.ts';
import { maxPageSize } from '../../../../core/paging/page.ts';
import { html, type Html } from '../../markup/html.ts';
import { mono, written } from '../display/parts.ts';
import type { ConsoleRequest } from '../frame/console-page.ts';

/** The names of operator keys, by id. */
export type OperatorNames = ReadonlyMap<string, string>;

/**
 * Finds the names of the operators among those who have made changes, with one look-up: of the first hundred operator keys.
 * Only those who may read the keys get them.
 */
export async function operatorNames(
  { listOperatorKeys }: Pick<Administration, 'listOperatorKeys'>,
  actors: readonly Actor[],
  { call, view }: Pick<ConsoleRequest, 'call' | 'view'>,
): Promise<OperatorNames> {
  if (!view.may('admin:read') || actors.every((by) => !by.startsWith('operator:'))) return new Map();
  const { items } = await listOperatorKeys({ after: null, limit: maxPageSize }, call);
  return new Map(items.map(({ id, name }) => [id, name]));
}

/** Names who has made a change: "app key key_shop", "operator Ada opk_1", "the app", "the clock", "Stripe". */
export function actorElement(by: Actor, names: OperatorNames): Html {
  if (by === 'stripe') return html`Stripe`;
  const [kind = '', ...rest] = by.split(':');
  // A license acts through the app that has its key.
  if (rest.length === 0) return html`the ${kind === 'license' ? 'app' : kind}`;
  const id = rest.join(':');
  const name = kind === 'operator' ? names.get(id) : undefined;
  const named = name === undefined ? null : html`${written(name)} `;
  return html`${kind.replace('-', ' ')} ${named}${mono(id)}`;
}

import { listOf, type List } from '../objects/stored.ts';
import { integerOf, textOf, type Parameters } from './parameters.ts';
import { refusals } from './refusals.ts';

export const pagingParameters = ['limit', 'starting_after', 'ending_before'] as const;

/** Cuts a page out of a list that has the order in which Stripe lists. */
export function pageOf<T extends { readonly id: string }>(
  url: string,
  all: readonly T[],
  parameters: Parameters,
): List<T> {
  const limit = integerOf(parameters, 'limit') ?? 10;
  if (limit < 1 || limit > 100) throw refusals.notInteger('limit', String(limit));
  const before = textOf(parameters, 'ending_before');
  if (before !== undefined) {
    const until = indexOf(all, before, 'ending_before');
    return listOf(url, all.slice(Math.max(0, until - limit), until), until > limit);
  }
  const after = textOf(parameters, 'starting_after');
  const from = after === undefined ? 0 : indexOf(all, after, 'starting_after') + 1;
  return listOf(url, all.slice(from, from + limit), all.length > from + limit);
}

function indexOf(all: readonly { readonly id: string }[], id: string, param: string): number {
  const index = all.findIndex((each) => each.id === id);
  if (index < 0) throw refusals.notFound('object', id, param);
  return index;
}

import type { Administration } from '../../../../core/administration/administration.ts';
import type { Call } from '../../../../core/call.ts';
import { maxPageSize } from '../../../../core/paging/page.ts';
import { countOf, countText } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import { affiliatesPath } from '../state/affiliate-paths.ts';
import type { Todo } from './todo-list.ts';

/** The affiliates that wait for an approval. */
export async function affiliatesToDo({ listPromotions }: Administration, call: Call): Promise<readonly Todo[]> {
  const asked = { handle: null, slug: null, productId: null, state: 'asked' } as const;
  const { items, next } = await listPromotions(asked, { limit: maxPageSize, after: null }, call);
  const count = new Set(items.map(({ handle }) => handle)).size;
  if (count === 0) return [];
  const who = next === null ? countOf(count, 'affiliate') : `${countText(count, true)} affiliates`;
  return [
    {
      icon: 'person',
      tone: 'warn',
      says: html`${who} ${count === 1 && next === null ? 'asks' : 'ask'} to promote a product`,
      more: html`Nothing is sold by them until it is approved.`,
      link: { href: `${affiliatesPath}?state=asks`, text: 'Look at it' },
    },
  ];
}

import type { OperatorKey } from '../../../../core/key/operator/operator-key.ts';
import type { Page } from '../../../../core/paging/page.ts';
import { html, type Html } from '../../markup/html.ts';
import { headedPage, primaryLink } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { mono, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { idSegment } from '../frame/id-segment.ts';
import { keyTable } from '../keys/key-table.ts';

export const operatorsPath = '/console/operators';
export const issueOperatorPath = `${operatorsPath}/issue`;

/** The texts of the list after a change. */
export const operatorDone = { revoked: 'The operator key was revoked.' };

/** The path of a change of an operator key. */
export function operatorPath(id: string, change: 'rotate' | 'revoke'): string {
  return `${operatorsPath}/${idSegment(id)}/${change}`;
}

/** The products that a key is limited to. */
export function productsOf({ products }: Pick<OperatorKey, 'products'>): Html | string {
  return products === null ? 'All' : html`${products.map((id, index) => html`${index === 0 ? '' : ', '}${mono(id)}`)}`;
}

/** The list of operator keys. It is never empty: a key has opened it. */
export function operatorListPage(
  view: PageView,
  { items, next }: Page<OperatorKey>,
  after: string | null,
  done: Html | null,
): PageContent {
  const mayChange = view.may('admin:access');
  return headedPage(
    {
      title: 'Operators',
      beside: mayChange ? primaryLink({ href: issueOperatorPath, text: 'Issue operator key' }) : null,
      says: 'An operator key is for a person or a system that runs the shop, here and over HTTP.',
    },
    html`${done}
    ${keyTable({
      caption: 'Operator keys, the oldest first',
      keys: items,
      now: view.now,
      name: ({ name }) => written(name),
      own: [{ heading: 'Products', cell: (key) => html`<span class="small">${productsOf(key)}</span>` }],
      changePath: mayChange ? ({ id }, change) => operatorPath(id, change) : null,
    })}
    ${pageLinks(operatorsPath, new URLSearchParams(), after, next)}`,
  );
}

import { defaultPageSize, type PageRequest } from '../../../../core/paging/page.ts';
import { html, type Html } from '../../markup/html.ts';

/** Links through a list: to its first page, and to the next one. */
export function pageLinks(
  path: string,
  filters: URLSearchParams,
  after: string | null,
  next: string | null,
  style: 'pages' | 'buttons' = 'pages',
): Html | null {
  if (after === null && next === null) return null;
  const href = (cursor: string | null): string => {
    const query = new URLSearchParams(filters);
    if (cursor !== null) query.set('after', cursor);
    const text = query.toString();
    return text === '' ? path : `${path}?${text}`;
  };
  return html`<nav class="${style}" aria-label="Pages">
    ${after === null ? null : html`<a class="button" href="${href(null)}">First page</a>`}
    ${next === null ? null : html`<a class="button" rel="next" href="${href(next)}">Next page</a>`}
  </nav>`;
}

/** The page of a list that a query or a form asks for. */
export function pageIn(from: string | URLSearchParams): PageRequest {
  return { limit: defaultPageSize, after: new URLSearchParams(from).get('after') };
}

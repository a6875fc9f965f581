import { defaultPageSize, type PageRequest } from '../../../../core/paging/page.ts';

/** The page of a list that a query or a form asks for. */
export function pageIn(from: string | URLSearchParams): PageRequest {
  return { limit: defaultPageSize, after: new URLSearchParams(from).get('after') };
}

import type { Page, PageRequest } from '../../../../core/paging/page.ts';
import { noStore } from '../../answer.ts';
import type { OperatorOperation, OperatorRequest } from '../operation.ts';
import type { AdminDocs } from './docs/admin-docs.ts';

/** The answer of a row of the table. */
export interface AdminAnswer {
  /** 201 where the request has added something. Default: 200. */
  readonly status?: 200 | 201;
  /** Plain JSON values. */
  readonly data: unknown;
  readonly meta?: { readonly limit: number; readonly hasMore: boolean; readonly next: string | null };
  /** The entitlement that the request was about, for the log. */
  readonly entitlementId?: string;
}

/** A row of the table of the administration: what sets an operation apart from the others. */
export interface AdminRow extends Pick<
  OperatorOperation,
  'id' | 'method' | 'path' | 'access' | 'bodyLimit' | 'extraTime'
> {
  /** Default: the content is ignored. */
  readonly body?: OperatorOperation['body'];
  readonly docs: AdminDocs;
  readonly answer: (request: OperatorRequest) => Promise<AdminAnswer>;
}

/** Makes an operation of a row: the answer is JSON that no cache may store. */
export function adminOperation({ answer, ...row }: AdminRow): OperatorOperation {
  return {
    body: 'ignored',
    ...row,
    caller: 'operator',
    crossOrigin: false,
    errors: 'standard',
    handle: async (request) => {
      const { status = 200, data, meta, entitlementId } = await answer(request);
      const { correlationId } = request.call;
      const body = JSON.stringify({ success: true, data, ...(meta && { meta }), correlationId });
      return { status, body, cacheControl: noStore, ...(entitlementId !== undefined && { entitlementId }) };
    },
  };
}

/** The answer of a list. */
export function listAnswer<Item>(
  { limit }: PageRequest,
  { items, next }: Page<Item>,
  view: (item: Item) => unknown,
): AdminAnswer {
  return { data: items.map(view), meta: { limit, hasMore: next !== null, next } };
}

import type { LoggedChange } from '../../../../core/administration/platform.ts';
import type { Actor } from '../../../../core/call.ts';
import type { Page, PageRequest } from '../../../../core/paging/page.ts';
import { noStore } from '../../answer.ts';
import type { OperatorOperation, OperatorRequest } from '../operation.ts';
import type { AdminDocs } from './docs/admin-docs.ts';

/** What a row of the table answers. */
export interface AdminAnswer {
  /** 201 where the request has added something. Default: 200. */
  readonly status?: 200 | 201;
  /** Plain JSON values. */
  readonly data: unknown;
  readonly meta?: { readonly limit: number; readonly hasMore: boolean; readonly next: string | null };
  /** The change that the request made, or the message that it sent, for the log. Null or absent if it did neither. */
  readonly changed?: LoggedChange | null;
  /** The entitlement that the request was about, for the log. */
  readonly entitlementId?: string;
}

/** A row of the table of the administration: what sets an operation apart from the others. */
export interface AdminRow extends Pick<OperatorOperation, 'id' | 'method' | 'path' | 'access'> {
  /** Default: the content is ignored. */
  readonly body?: OperatorOperation['body'];
  readonly docs: AdminDocs;
  readonly answer: (request: OperatorRequest) => Promise<AdminAnswer>;
}

/** Writes a change to the log, with who made it and in which request. */
export type LogChange = (change: LoggedChange & { readonly by: Actor; readonly correlationId: string }) => void;

/** Makes an operation of a row: the answer is JSON that no cache may store, and a change leaves its line in the log. */
export function adminOperation({ answer, ...row }: AdminRow, logChange: LogChange): OperatorOperation {
  return {
    body: 'ignored',
    ...row,
    caller: 'operator',
    crossOrigin: false,
    errors: 'standard',
    handle: async (request) => {
      const { status = 200, data, meta, changed = null, entitlementId } = await answer(request);
      const { by, correlationId } = request.call;
      if (changed !== null) logChange({ ...changed, by, correlationId });
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

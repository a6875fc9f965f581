import type { OperatorKey, OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import type { RequestRefusal } from '../../../../core/refusal.ts';
import type { FileLines, PageError, PageRequest } from '../../page/page.ts';
import type { PageContent, PageView } from '../display/view.ts';

/** A request of a signed-in operator, after the checks of the transport: its session, its scope and the token of its form. */
export interface ConsoleRequest extends PageRequest {
  readonly operatorKey: OperatorKey;
  readonly view: PageView;
}

/** Why a page could not do what it was asked for. Refusals of use cases may be thrown instead. */
export type ConsoleError =
  | PageError
  | Extract<RequestRefusal, 'invalid_parameter' | 'invalid_operator_key'>
  | 'changed_meanwhile'
  | 'mail_unavailable'
  | 'managed_by_stripe'
  | 'insecure_connection';

/** The answer of a page of the console. */
export type ConsoleAnswer =
  | (PageContent & {
      readonly kind: 'page';
      /** 200 if absent. */
      readonly status?: number;
      readonly error?: ConsoleError;
      /** The entitlement that it is about, for the log. */
      readonly entitlementId?: string;
    })
  /** After a change: the browser goes on to a page, so that nothing is sent twice. */
  | { readonly kind: 'redirect'; readonly location: string; readonly entitlementId?: string }
  /** Lines to be saved as a file, with their ends. */
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly contentType: string;
      readonly lines: FileLines;
    };

/** A row of the table of the console's pages. */
export interface ConsoleRoute {
  /** Names the page in logs, metrics and rate limits. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** A pattern of find-my-way, below `/console`. */
  readonly path: string;
  /** The scope that its key needs; null for any key. */
  readonly access: OperatorScope | null;
  /** The scope that this key needs, where that depends on the key. */
  readonly accessOf?: (key: OperatorKey) => OperatorScope;
  /** Bytes that its form may have; absent for 16 KiB. */
  readonly bodyLimit?: number;
  /** Milliseconds that it may wait for something that is no store. */
  readonly extraTime?: number;
  readonly handle: (request: ConsoleRequest) => Promise<ConsoleAnswer>;
}

/** Shows a page. */
export function shown(content: PageContent): ConsoleAnswer {
  return { kind: 'page', ...content };
}

/** Leads to a page after a change: `done` names the text of that page about the change. */
export function goTo(location: string, done: string | null = null): ConsoleAnswer {
  return { kind: 'redirect', location: done === null ? location : `${location}?done=${done}` };
}

/** Shows a form again, with the mistakes. */
export function wrongForm(content: PageContent, error: ConsoleError = 'invalid_body'): ConsoleAnswer {
  return { kind: 'page', status: 400, error, ...content };
}

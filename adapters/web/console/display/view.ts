import type { OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import { html, type Html } from '../../markup/html.ts';

/** Who looks at a page, and when. */
export interface PageView {
  /** Shows that a form comes from a page of this session. */
  readonly token: string;
  readonly now: Date;
  readonly may: (scope: OperatorScope) => boolean;
  /** Whether the key is limited to products. */
  readonly isLimited: boolean;
  /** Whether the key drafts listings, which another publishes. */
  readonly isDrafter: boolean;
  /** Whether the server asks Stripe for the e-mail addresses of buyers. */
  readonly findsBuyers: boolean;
}

/** The content of a page, which the console frames. */
export interface PageContent {
  readonly title: string;
  readonly main: Html;
}

/** A form that changes something. */
export function postForm({ token }: Pick<PageView, 'token'>, action: string, content: Html): Html {
  return html`<form method="post" action="${action}">
    <input type="hidden" name="token" value="${token}" />${content}
  </form>`;
}

/** A value that a form carries and does not show. */
export function hidden(name: string, value: string | Html): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** The longest text that can be found: what people paste is longer than any key, reference or address only by mistake. */
export const maxFindLength = 254;

/** Names what can be found. Without Stripe only those who may read the waitlist find an address, on that. */
export function findableText({ may, findsBuyers }: Pick<PageView, 'may' | 'findsBuyers'>): string {
  if (findsBuyers) return 'License key, its last four, entitlement, trial, reference or e-mail';
  const last = may('admin:waitlist') ? ', reference or e-mail' : ' or reference';
  return `License key, its last four, entitlement, trial${last}`;
}

/** The field that takes what is to be found. `more` has further attributes. */
export function findInput(id: string, more: Html | null = null): Html {
  return html`<input
    id="${id}"
    name="what"
    type="search"
    autocomplete="off"
    spellcheck="false"
    maxlength="${maxFindLength}"
    required
    ${more}
  />`;
}

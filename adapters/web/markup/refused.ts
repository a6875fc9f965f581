import { noStore, type PageAnswer, type PageError, type Refused } from '../page/page.ts';
import { html } from './html.ts';
import type { Layout } from './layout.ts';

/** A refusal of the transport, to be shown as a page. */
export interface RefusalToShow {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly correlationId: string;
  /** The pattern of the path that was asked for; null where none has it. */
  readonly asked: string | null;
}

const messages: Readonly<Record<PageError, readonly [status: number, message: string]>> = {
  not_found: [404, 'There is nothing at this address.'],
  listing_not_found: [404, 'There is no listing at this address. It may have been removed.'],
  invalid_email: [400, 'The e-mail address is not valid.'],
  invalid_body: [400, 'The form could not be read.'],
  foreign_origin: [403, 'The form was sent from another site. Open the page here and send it again.'],
};

const titles: Readonly<Record<number, string>> = {
  404: 'Page not found',
  403: 'Not allowed',
  429: 'Too many requests',
  500: 'Something went wrong',
};

/** The heading of a refusal with this status. */
export function titleOf(status: number): string {
  return titles[status] ?? 'The request was refused';
}

/** Answers refusals of pages. */
export function refuseWith(layout: Layout): Refused {
  return (error, { call: { correlationId } }) => {
    const [status, message] = messages[error];
    return { status, error, ...refusalPage(layout, { status, code: error, message, correlationId, asked: null }) };
  };
}

/** Renders a refusal as a page. */
export function refusalPage(
  layout: Layout,
  { status, code, message, correlationId }: RefusalToShow,
): Omit<PageAnswer, 'status'> & { readonly content: string } {
  const title = titleOf(status);
  const said = code === 'not_found' ? messages[code][1] : message;
  const { isForBuyers } = layout;
  const more = isForBuyers
    ? null
    : html`<div class="buttons"><a class="button primary" href="${layout.href('/')}">Go to the marketplace</a></div>`;
  const content = layout.render({
    title,
    description: said,
    canonical: null,
    main: html`<div class="wrap">
      <div class="stop">
        <span class="badge plain">${status}</span>
        <h1>${title}</h1>
        <p>${said}</p>
        ${more}
        <p class="code-line">
          Error <span class="mono">${code}</span> · request <span class="mono">${correlationId}</span>
        </p>
      </div>
    </div>`,
  });
  return { content, contentType: 'text/html; charset=utf-8', cacheControl: noStore };
}

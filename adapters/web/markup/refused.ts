import { noStore, type PageAnswer, type PageError, type Refused } from '../page/page.ts';
import { html } from './html.ts';
import type { Layout, Page } from './layout.ts';

/** A refusal of the transport, to be shown as a page. */
export interface RefusalToShow {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly correlationId: string;
  /** The pattern of the path that was asked for; null where none has it. */
  readonly asked: string | null;
  /** The path as it was sent, known or not; null where it could not be read. */
  readonly path: string | null;
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

/** Answers refusals of pages, each with the page that `pageOf` makes. */
export function refuseWith(layout: Layout, pageOf: (refusal: RefusalToShow) => Page): Refused {
  return (error, { call: { correlationId } }) => {
    const [status, message] = messages[error];
    const page = pageOf({ status, code: error, message, correlationId, asked: null, path: null });
    return { status, error, ...refusalAnswer(layout, page) };
  };
}

/** The answer of a refusal, which nobody may keep. */
export function refusalAnswer(layout: Layout, page: Page): Omit<PageAnswer, 'status'> & { readonly content: string } {
  return { content: layout.render(page), contentType: 'text/html; charset=utf-8', cacheControl: noStore };
}

/** The page of a refusal for visitors of the marketplace. */
export function refusalPage(layout: Layout, { status, code, message, correlationId }: RefusalToShow): Page {
  const title = titles[status] ?? 'The request was refused';
  const said = code === 'not_found' ? messages[code][1] : message;
  return {
    title,
    description: said,
    canonical: null,
    main: html`<div class="wrap">
      <div class="stop">
        <span class="badge plain">${status}</span>
        <h1>${title}</h1>
        <p>${said}</p>
        <div class="buttons"><a class="button primary" href="${layout.href('/')}">Go to the marketplace</a></div>
        <p class="code-line">
          Error <span class="mono">${code}</span> · request <span class="mono">${correlationId}</span>
        </p>
      </div>
    </div>`,
  };
}

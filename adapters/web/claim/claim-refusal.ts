import { html } from '../markup/html.ts';
import type { Layout } from '../markup/layout.ts';
import { titleOf, type RefusalToShow } from '../markup/refused.ts';
import { noStore, type PageAnswer } from '../page/page.ts';
import { buyerPage, helpAside, lookAgain } from './buyer-parts.ts';

/** The codes of what is no purchase, as far as anybody can know. */
const unknown: ReadonlySet<string> = new Set(['checkout_session_not_found', 'malformed_checkout_session']);

/** Renders a refusal of the page after a purchase. */
export function claimRefusal(
  layout: Layout,
  refusal: RefusalToShow,
): Omit<PageAnswer, 'status'> & { readonly content: string } {
  const { status, code, message, correlationId } = refusal;
  const isUnknown = unknown.has(code);
  const title = isUnknown ? 'No such purchase' : titleOf(status);
  const said = isUnknown
    ? 'The address of this page is not complete, or it is not from our checkout. Open the link again that you came from.'
    : message;
  const page = buyerPage(
    title,
    html`<header>
        <h1>${title}</h1>
        <p>${said}</p>
      </header>
      ${isUnknown ? null : lookAgain}
      ${helpAside('You have paid?', layout.site.help, ', with the receipt of your payment')}
      <p class="muted small">${status} ${code} · <span class="mono">${correlationId}</span></p>`,
  );
  return { content: layout.render(page), contentType: 'text/html; charset=utf-8', cacheControl: noStore };
}

import { buyersPage, type BuyersSite } from '../buyers/parts.ts';
import { refusalTexts } from '../buyers/refusal-page.ts';
import { html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import type { RefusalToShow } from '../markup/refused.ts';
import { askingAside, lookAgain } from './buyer-parts.ts';

/** The codes of sessions that are no purchase, as far as anybody can know. */
const unknown: ReadonlySet<string> = new Set(['checkout_session_not_found', 'malformed_checkout_session']);

/** The page of a refusal of the page after a purchase. */
export function claimRefusal(site: BuyersSite, { status, code, correlationId }: RefusalToShow): Page {
  const { words } = site;
  const isUnknown = unknown.has(code);
  const [title, says] = isUnknown ? (['noPurchaseTitle', 'noPurchaseSays'] as const) : refusalTexts(status);
  return buyersPage(
    site,
    words.plain(title),
    html`<header>
        <h1>${words.of(title)}</h1>
        <p>${words.of(says)}</p>
      </header>
      ${isUnknown ? null : lookAgain(words)} ${askingAside(site, 'paidAsk')}
      <p class="muted small">${status} ${code} · <span class="mono">${correlationId}</span></p>`,
  );
}

import type { TextName } from '../markup/buyer-texts.ts';
import { html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import type { RefusalToShow } from '../markup/refused.ts';
import { buyersPage, errorLine, type BuyersSite } from './parts.ts';

/** The page of a refusal that no page for buyers shows itself. `lookUp` is whether it leads to the page of a license. */
export function buyersRefusalPage(
  site: BuyersSite,
  refusal: Pick<RefusalToShow, 'status' | 'code' | 'correlationId'>,
  lookUp: boolean,
): Page {
  const { words, href } = site;
  const [title, says] = refusalTexts(refusal.status);
  return buyersPage(
    site,
    words.plain(title),
    html`<header>
        <h1>${words.of(title)}</h1>
        <p>${words.of(says)}</p>
      </header>
      ${lookUp ? html`<div class="buttons"><a class="button primary" href="${href('/license')}">${words.of('lookUpAnother')}</a></div>` : null}
      ${errorLine(words, refusal.code, refusal.correlationId)}`,
  );
}

/** The texts for a buyer about a refusal with this status. */
export function refusalTexts(status: number): readonly [title: TextName, says: TextName] {
  if (status === 429) return ['tooManyTitle', 'tooManySays'];
  if (status === 404) return ['notFoundTitle', 'notFoundSays'];
  return status >= 500 ? ['failedTitle', 'failedSays'] : ['refusedTitle', 'refusedSays'];
}

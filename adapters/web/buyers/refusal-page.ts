import type { TextName } from '../markup/buyer-texts.ts';
import { html } from '../markup/html.ts';
import type { Page } from '../markup/layout.ts';
import type { RefusalToShow } from '../markup/refused.ts';
import { buyersPage, errorLine, type BuyersSite } from './parts.ts';

/** The page of a refusal that no page of a license shows itself. */
export function licenseRefusalPage(site: BuyersSite, refusal: RefusalToShow): Page {
  const { words, href } = site;
  const [title, says] = textsOf(refusal.status);
  return buyersPage(
    site,
    words.plain(title),
    html`<header>
        <h1>${words.of(title)}</h1>
        <p>${words.of(says)}</p>
      </header>
      <div class="buttons"><a class="button primary" href="${href('/license')}">${words.of('lookUpAnother')}</a></div>
      ${errorLine(words, refusal.code, refusal.correlationId)}`,
  );
}

function textsOf(status: number): readonly [title: TextName, says: TextName] {
  if (status === 429) return ['tooManyTitle', 'tooManySays'];
  if (status === 404) return ['notFoundTitle', 'notFoundSays'];
  return status >= 500 ? ['failedTitle', 'failedSays'] : ['refusedTitle', 'refusedSays'];
}

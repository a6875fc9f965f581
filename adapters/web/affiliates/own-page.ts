import type { Promotion } from '../../../core/affiliate/promotion.ts';
import { shownPromotion } from '../../../core/affiliate/storefront.ts';
import { note, section as sectionOf, withoutScheme } from '../buyers/parts.ts';
import { fullDayText } from '../markup/figures.ts';
import { html, type Html } from '../markup/html.ts';
import type { Layout, Page } from '../markup/layout.ts';
import { askPath, helpOf, page } from './ask-pages.ts';
import { detailsForm } from './details-form.ts';
import { earningsSection, salesSection, statementsSection } from './earnings-section.ts';
import type { OwnPage } from './own-view.ts';
import { productSection } from './product-section.ts';
import { storefrontPath } from './storefront-page.ts';

/** Describes the own page of an affiliate. */
export function ownPage(own: OwnPage): Page {
  const { affiliate, layout, link } = own;
  return page(
    affiliate.name,
    html`<header>
        <h1 dir="auto">${affiliate.name}</h1>
        <p>${storefrontLine(own)} This page is for you alone: its address is your key.</p>
      </header>
      ${own.note} ${earningsSection(own)} ${sectionOf('products', html`Your products`, productSection(own))}
      ${sectionOf('statements', html`Statements`, statementsSection(own))}
      ${own.earnings.sales.length === 0 ? null : sectionOf('sales', html`Latest sales`, salesSection(own))}
      ${sectionOf('details', html`Your details`, detailsForm(`${own.path}/details`, own.details))}
      <p class="aside muted small">
        This link works until ${fullDayText(link.expiresAt)}. Dates are in UTC.
        ${own.isMailed ? html`<a href="${layout.href(askPath)}">Mail me another</a>` : null}
      </p>`,
    ' affiliate',
  );
}

/** The address of the storefront, which opens with the first live promotion. */
function storefrontLine({ affiliate: { handle }, layout, promotions, findLive }: OwnPage): Html {
  const path = storefrontPath(handle);
  const shown = withoutScheme(layout.url(path));
  return promotions.some((each) => shownPromotion(each, findLive(each.slug)) !== null)
    ? html`Your storefront is <a href="${layout.href(path)}">${shown}</a>.`
    : html`Your storefront will be <span class="mono">${shown}</span>, as soon as a promotion of yours is live.`;
}

/** A note about a change that was made. */
export function doneNote(title: Html, says: Html): Html {
  return note({ tone: 'ok', role: 'status', title, says });
}

/** Says why nothing was done. */
export function notDoneNote(says: string): Html {
  return note({ tone: 'bad', role: 'alert', title: html`Nothing was changed`, says: html`${says}` });
}

/** Asks whether to end a promotion. */
export function endPage(own: Pick<OwnPage, 'path'>, { slug, state, codes }: Promotion, name: string): Page {
  const keeps =
    state === 'asked'
      ? 'Nobody is asked for an approval any more.'
      : 'What begins from now on earns you nothing. What you have sold before keeps its terms.';
  const link = 'Your link leads on to the sale, without your name.';
  return page(
    'End a promotion',
    html`<header>
        <h1>End <bdi>${name}</bdi>?</h1>
      </header>
      <ul class="plain">
        <li>${keeps}</li>
        ${state === 'asked' ? null : html`<li>${link}</li>`}
        ${codes.length === 0 ? null : html`<li>Your promotion codes still work for buyers, and no longer count.</li>`}
        <li>You can ask for it again.</li>
      </ul>
      <form method="post" action="${own.path}/promotions/${encodeURIComponent(slug)}/end" class="buttons">
        <button class="button primary">End it</button><a class="button" href="${own.path}">Keep it</a>
      </form>`,
    ' affiliate',
  );
}

/** The page of a link that is unknown or has ended. */
export function endedPage(layout: Layout, isMailed: boolean, correlationId: string): Page {
  const another = isMailed
    ? 'Have another one mailed to the address that you gave.'
    : 'This site sends no mail: ask the operator for another one.';
  return page(
    'This link has ended',
    html`<header>
        <h1>This link has ended</h1>
        <p>Links work for a limited time. ${another}</p>
      </header>
      ${
        isMailed
          ? html`<div class="buttons">
              <a class="button primary" href="${layout.href(askPath)}">Get another link</a>
            </div>`
          : helpOf(layout)
      }
      <p class="aside code-line muted small">
        Error <span class="mono">link_not_found</span> · request <span class="mono">${correlationId}</span>
      </p>`,
  );
}

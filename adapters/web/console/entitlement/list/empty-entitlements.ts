import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../display/icons.ts';
import { listPath } from '../state/names.ts';
import { stateNames } from '../state/state-badge.ts';
import { filterQuery } from './entitlement-filter.ts';
import type { EntitlementList } from './entitlement-list.ts';

/** What stands in the place of a list without entitlements: what it is for, and the next step. */
export function emptyEntitlements(list: EntitlementList): Html {
  const isFiltered = filterQuery(list.form, null) !== '';
  if (isFiltered) return nothingFound(list, listPath);
  return html`<div class="empty">
    ${icon('key')}
    <h2>No purchase yet</h2>
    <p>
      An entitlement is what a buyer has bought: which tier of which product, until when. Your shop grants it after each
      payment, and the license key opens the product.
    </p>
    ${
      list.mayGrant
        ? html`<div class="buttons">
            <a class="button primary" href="${listPath}/grant">Grant</a>
          </div>`
        : null
    }
    <p class="small">or on the server</p>
    <pre
      class="code"
    ><code>latchkey entitlement grant --product sketchpad --tier pro --tier-name Pro --interval month</code></pre>
  </div>`;
}

function nothingFound({ form, products }: EntitlementList, all: string): Html {
  const { product = '', status = '', reference = '', endsBefore = '' } = form.given;
  const name = product === '' ? null : (products.find(({ id }) => id === product)?.name ?? product);
  const state = new Map<string, string>(Object.entries(stateNames)).get(status)?.toLowerCase();
  const isStateOnly = state !== undefined && reference === '' && endsBefore === '';
  const of = name === null ? null : html` of <bdi>${name}</bdi>`;
  return html`<div class="empty">
    ${icon('key')}
    <h2>${isStateOnly ? 'No purchase has this state' : 'No purchase matches this filter'}</h2>
    <p>
      ${
        isStateOnly
          ? html`Nothing${of} is
            ${state}.${ends.has(status) ? null : html` Purchases that the clock ended are under Expired and Canceled.`}`
          : html`Nothing${of} matches all of it. Leave out a part of the filter, or find a purchase by its license key
            above.`
      }
    </p>
    <div class="buttons"><a class="button" href="${all}">Show all entitlements</a></div>
  </div>`;
}

const ends: ReadonlySet<string> = new Set(['canceled', 'expired', 'revoked']);

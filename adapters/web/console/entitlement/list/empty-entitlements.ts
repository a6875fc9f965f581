import type { Product } from '../../../../../core/product/products.port.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { empty } from '../../display/parts.ts';
import type { PageView } from '../../display/view.ts';
import { listPath } from '../../state/names.ts';
import { stateNames } from '../../state/state-badge.ts';

/** The page of a list without entitlements: its purpose, and the next step. */
export function emptyEntitlements(filter: URLSearchParams, products: readonly Product[], view: PageView): Html {
  if (filter.size > 0) return nothingFound(filter, products);
  return empty(
    view,
    'key',
    'No purchase yet',
    'An entitlement is what a buyer has bought: which tier of which product, until when. Your shop grants it after each payment, and the license key opens the product.',
    {
      link: view.may('admin:entitlements') ? { href: `${listPath}/grant`, text: 'Grant' } : null,
      command: 'latchkey entitlement grant --product sketchpad --tier pro --tier-name Pro --interval month',
    },
  );
}

function nothingFound(filter: URLSearchParams, products: readonly Product[]): Html {
  const product = filter.get('product');
  const status = filter.get('status') ?? '';
  const name = products.find(({ id }) => id === product)?.name ?? product;
  const state = new Map<string, string>(Object.entries(stateNames)).get(status)?.toLowerCase();
  const isStateOnly =
    status !== '' && [...filter.keys()].every((member) => member === 'status' || member === 'product');
  const of = name === null ? null : html` of <bdi>${name}</bdi>`;
  return html`<div class="empty">
    ${icon('key')}
    <h2>${isStateOnly ? 'No purchase has this state' : 'No purchase matches this filter'}</h2>
    <p>
      ${
        isStateOnly
          ? state === undefined
            ? html`Nothing${of} has ended.`
            : html`Nothing${of} is
              ${state}.${ends.has(status) ? null : html` Purchases that the clock ended are under Ended.`}`
          : html`Nothing${of} matches all of it. Leave out a part of the filter, or find a purchase by its license key
            above.`
      }
    </p>
    <div class="buttons"><a class="button" href="${listPath}">Show all entitlements</a></div>
  </div>`;
}

const ends: ReadonlySet<string> = new Set(['canceled', 'expired', 'revoked']);

import type { OperatorScope } from '../../../../core/key/operator/operator-key.ts';
import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { icon, type Icon } from '../../markup/icons.ts';
import type { PageView } from '../display/view.ts';

/** The address of the console. */
export const consolePath = '/console';

const webhooks = '/console/webhooks';

interface NavItem {
  readonly path: string;
  readonly text: string;
  readonly icon: Icon;
  readonly access: OperatorScope;
  /** Whether it is about the owner's account, which no key that is limited to products sees. */
  readonly isOwners?: boolean;
}

const read = (path: string, text: string, name: Icon): NavItem => ({ path, text, icon: name, access: 'admin:read' });

const groups: readonly { readonly heading: string | null; readonly items: readonly NavItem[] }[] = [
  { heading: null, items: [read(consolePath, 'Overview', 'overview')] },
  {
    heading: 'Customers',
    items: [
      read('/console/entitlements', 'Entitlements', 'key'),
      read('/console/events', 'Events', 'events'),
      { ...read('/console/stripe', 'Sales that need a person', 'card'), isOwners: true },
    ],
  },
  {
    heading: 'Catalog',
    items: [
      read('/console/listings', 'Listings', 'listings'),
      { path: '/console/waitlist', text: 'Waitlist', icon: 'mail', access: 'admin:waitlist' },
      { path: '/console/affiliates', text: 'Affiliates', icon: 'person', access: 'admin:affiliates' },
      { path: '/console/statements', text: 'Statements', icon: 'card', access: 'admin:affiliates' },
    ],
  },
  {
    heading: 'Access',
    items: [
      read('/console/products', 'Products and app keys', 'product'),
      read(webhooks, 'Webhooks', 'webhook'),
      read('/console/operators', 'Operators', 'person'),
    ],
  },
];

/** The pages that a key may see, by their groups. */
function allowedTo({ may, isLimited }: Pick<PageView, 'may' | 'isLimited'>): typeof groups {
  const mayOpen = ({ access, isOwners = false }: NavItem): boolean => may(access) && !(isOwners && isLimited);
  return groups
    .map(({ heading, items }) => ({ heading, items: items.filter(mayOpen) }))
    .filter(({ items }) => items.length > 0);
}

/** The first page that a key may see: the overview, if it may read. Null if it may see none. */
export function firstPage(view: Pick<PageView, 'may' | 'isLimited'>): string | null {
  return allowedTo(view)[0]?.items[0]?.path ?? null;
}

/** Links to the pages that a key may see. `path` is that of the page that shows them. */
export function navigation(path: string, view: Pick<PageView, 'may' | 'isLimited'>, failingWebhooks: number): Html {
  const allowed = allowedTo(view);
  return html`<nav aria-label="Console">
    ${allowed.map(({ heading, items }, index) => group(heading, `nav-${index}`, items, { path, failingWebhooks }))}
  </nav>`;
}

/** The page that shows the navigation, and the number in its badge. */
interface Shown {
  readonly path: string;
  readonly failingWebhooks: number;
}

function group(heading: string | null, id: string, items: readonly NavItem[], shown: Shown): Html {
  const links = items.map((item) => html`<li>${link(item, shown)}</li>`);
  if (heading === null)
    return html`<div>
      <ul>
        ${links}
      </ul>
    </div>`;
  return html`<div>
    <h2 id="${id}">${heading}</h2>
    <ul aria-labelledby="${id}">
      ${links}
    </ul>
  </div>`;
}

function link(item: NavItem, { path, failingWebhooks }: Shown): Html {
  const isCurrent = item.path === path;
  const isAbove = item.path !== consolePath && path.startsWith(`${item.path}/`);
  const current = isCurrent || isAbove ? html` aria-current="${isCurrent ? 'page' : 'true'}"` : null;
  return html`<a href="${item.path}" ${current}
    >${icon(item.icon)}${item.text}${item.path === webhooks ? failingBadge(failingWebhooks) : null}</a
  >`;
}

function failingBadge(count: number): Html | null {
  return count === 0
    ? null
    : html`<span class="badge plain warn">${countText(count)}<span class="hidden"> failing or disabled</span></span>`;
}

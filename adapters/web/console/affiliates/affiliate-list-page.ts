import type { Affiliate } from '../../../../core/affiliate/affiliate.ts';
import type { Promotion } from '../../../../core/affiliate/promotion.ts';
import { defaultPageSize } from '../../../../core/paging/page.ts';
import { badge } from '../../markup/badge.ts';
import { countOf } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { datedCell } from '../display/dates.ts';
import { headedPage } from '../display/headed-page.ts';
import { pageLinks } from '../display/paging.ts';
import { empty, written } from '../display/parts.ts';
import type { PageContent, PageView } from '../display/view.ts';
import { proposed } from '../form/form-reading.ts';
import { filterForm, listHref, listPage, viewsOf } from '../list/list-page.ts';
import { addAffiliatePath, affiliatePath, affiliatesPath } from '../state/affiliate-paths.ts';

/** An affiliate in the list, with every promotion that the operator sees. */
export interface AffiliateRow {
  readonly affiliate: Affiliate;
  readonly promotions: readonly Promotion[];
}

/** A part of the list of affiliates. */
export interface AffiliateListPart {
  readonly rows: readonly AffiliateRow[];
  readonly after: string | null;
  readonly next: string | null;
  /** The state and the handle that are asked for. */
  readonly filter: URLSearchParams;
}

const states = [
  [null, 'All'],
  ['asks', 'Asks'],
  ['active', 'Active'],
  ['ended', 'Ended'],
] as const;

/** Who invites affiliates: operators of the whole service. */
export function mayInvite(view: PageView): boolean {
  return view.may('admin:affiliates') && !view.isLimited;
}

/** The list of affiliates, with what waits for an approval. */
export function affiliateListPage(view: PageView, part: AffiliateListPart): PageContent {
  const { rows, after, next, filter } = part;
  if (rows.length === 0 && next === null && after === null && filter.size === 0) return emptyPage(view);
  const handle = filter.get('handle') ?? '';
  const state = filter.get('state');
  const onlyState = new URLSearchParams(state === null ? {} : { state });
  return listPage({
    title: 'Affiliates',
    number: null,
    beside: inviteButton(view),
    views: { label: 'State', items: viewsOf(affiliatesPath, filter, 'state', states) },
    filter: filterForm({
      path: affiliatesPath,
      fields: [{ name: 'handle', label: 'Handle' }],
      state: proposed({ handle }),
      kept: { state },
      button: 'Filter',
      clear: handle === '' ? null : listHref(affiliatesPath, onlyState),
    }),
    content: rows.length === 0 ? nothingFound(next) : affiliateTable(rows, view.now),
    foot: `By handle. ${defaultPageSize} on a page.`,
    pages: pageLinks(affiliatesPath, filter, after, next, 'buttons'),
  });
}

function inviteButton(view: PageView): Html | null {
  if (!mayInvite(view)) return null;
  return html`<div class="buttons"><a class="button primary" href="${addAffiliatePath}">Invite</a></div>`;
}

function emptyPage(view: PageView): PageContent {
  return headedPage(
    { title: 'Affiliates' },
    empty(view, 'person', 'No affiliate yet', 'Affiliates sell listed products for a commission, under a handle.', {
      link: mayInvite(view) ? { href: addAffiliatePath, text: 'Invite' } : null,
      command: 'latchkey affiliate add --email ada@example.com --handle ada',
    }),
  );
}

function nothingFound(next: string | null): Html {
  return next === null
    ? html`<p class="muted">No affiliate matches all of it.</p>`
    : html`<p class="muted">Nothing on this page. The list goes on with the next one.</p>`;
}

function affiliateTable(rows: readonly AffiliateRow[], now: Date): Html {
  return table(
    'Affiliates, by handle',
    [
      {
        heading: 'Affiliate',
        cell: ({ affiliate: { handle, name } }) =>
          html`<a class="row" href="${affiliatePath(handle)}">${written(name)}</a
            ><span class="sub mono">@${handle}</span>`,
      },
      { heading: 'Promotes', cell: ({ promotions }) => promotesCell(promotions) },
      { heading: 'State', cell: ({ affiliate }) => affiliateBadge(affiliate) },
      {
        heading: 'Invited',
        isMuted: true,
        style: 'num',
        cell: ({ affiliate: { createdAt } }) => datedCell(createdAt, now),
      },
    ],
    rows,
  );
}

function promotesCell(promotions: readonly Promotion[]): Html {
  const count = (state: Promotion['state']): number => promotions.filter((each) => each.state === state).length;
  const [live, asked] = [count('live'), count('asked')];
  const waits = html`<span class="sub">${badge('warn', `${asked} to approve`)}</span>`;
  return html`${live === 0 ? 'none' : countOf(live, 'product')}${asked === 0 ? null : waits}`;
}

/** A badge that says the state of an affiliate. */
export function affiliateBadge({ state, email }: Affiliate): Html {
  if (state === 'active') return badge('ok', 'Active');
  return badge('over', email === null ? 'Erased' : 'Ended');
}

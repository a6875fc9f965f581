import type { StripeCase } from '../../../../core/billing/stripe-cases.port.ts';
import type { Page } from '../../../../core/paging/page.ts';
import { countText } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { relativeText, shortFullDayText, timeElement } from '../display/dates.ts';
import { pageIn, pageLinks } from '../display/paging.ts';
import { mono } from '../display/parts.ts';
import type { PageContent } from '../display/view.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { entitlementPath } from '../state/names.ts';
import { caseDetail, caseNames, changeNames, shownCases } from './case-texts.ts';

export const stripePath = '/console/stripe';

/** The page of the sales that need a person. */
export function stripeRoutes({ administration, stripePage }: ConsoleParts): readonly ConsoleRoute[] {
  return [
    {
      id: 'consoleStripe',
      method: 'GET',
      path: stripePath,
      access: 'admin:read',
      handle: async ({ call, query, view }) => {
        const request = pageIn(new URLSearchParams(query));
        const page = await administration.listStripeCases(request, call);
        const counts = await administration.countStripeCases(call);
        const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
        return shown(casesPage(page, { total, after: request.after, stripePage, now: view.now }));
      },
    },
  ];
}

interface Shown {
  readonly total: number;
  readonly after: string | null;
  readonly stripePage: ConsoleParts['stripePage'];
  readonly now: Date;
}

function casesPage(page: Page<StripeCase>, { total, after, stripePage, now }: Shown): PageContent {
  const rows = shownCases(page.items);
  // A refusal is a part of what it has left, as far as both are on one page.
  const count = total - (page.items.length - rows.length);
  const content =
    rows.length === 0
      ? html`<p class="muted">Nothing needs you.</p>`
      : html`${table(
          'Sales that need a person, the oldest first',
          [
            { heading: 'Sale', cell: ({ found }) => mono(found.id) },
            {
              heading: 'What',
              cell: ({ found, isRefused }) => {
                const detail = caseDetail(found, isRefused, now);
                return html`${nameOf(found)}${detail === null ? null : html`<span class="sub">${detail}</span>`}`;
              },
            },
            {
              heading: 'Since',
              cell: ({ found: { since } }) =>
                html`${timeElement(since, shortFullDayText(since))}<span class="sub"
                    >${relativeText(since, now)}</span
                  >`,
            },
            { heading: 'Do', atEnd: true, cell: ({ found }) => caseLink(found, stripePage) },
          ],
          rows,
        )}${pageLinks(stripePath, new URLSearchParams(), after, page.next)}`;
  return {
    title: 'Sales that need a person',
    main: html`<div class="page">
      <div class="title">
        <div class="line">
          <h1>Sales that need a person <span class="num">${countText(count)}</span></h1>
        </div>
        <p>
          What Stripe and Latchkey do not agree on, and cannot settle by themselves. A row goes when the next look finds
          it settled; <span class="mono">latchkey stripe reconcile</span> looks at every sale.
        </p>
      </div>
      ${content}
    </div>`,
  };
}

function nameOf({ kind, change }: StripeCase): string {
  if (change === null) return caseNames[kind];
  const name = changeNames[change];
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${kind === 'not_sent' ? 'parked' : 'refused by Stripe'}`;
}

/** A sale that was never granted has no page here. */
function caseLink({ id, kind }: StripeCase, stripePage: ConsoleParts['stripePage']): Html {
  const isGranted = kind !== 'unmapped_price' && kind !== 'grant_refused';
  if (isGranted) return html`<a class="button" href="${entitlementPath(id)}">Look at it</a>`;
  return html`<a class="button" href="${stripePage(id)}" rel="noopener noreferrer">Open at Stripe</a>`;
}

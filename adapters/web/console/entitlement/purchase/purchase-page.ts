import type { Device } from '../../../../../core/device/device.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import type { StripeSale } from '../../../../../core/purchase/stripe-sale.ts';
import type { ShownTrial } from '../../../../../core/trial/trial.ts';
import { fullDayText } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { soldBySection, type Brought } from '../../affiliates/sales-section.ts';
import { instantText, periodText, relativeText } from '../../display/dates.ts';
import { actionList, crumbs, facts, mono, written } from '../../display/parts.ts';
import type { PageContent, PageView } from '../../display/view.ts';
import type { OperatorNames } from '../../events/actors.ts';
import { productPath } from '../../products/product-pages.ts';
import { entitlementPath, listPath, productText } from '../../state/names.ts';
import { entitlementBadges } from '../../state/state-badge.ts';
import { stateLine } from '../../state/state-line.ts';
import { termsText } from '../../state/terms.ts';
import { featuresSection } from '../../tiers/tier-sections.ts';
import { trialPath } from '../../trials/trial-paths.ts';
import { actions, changeLinks, licenseButtons, type ActionName } from '../actions/actions.ts';
import { devicesSection } from '../devices/devices-section.ts';
import { soldSection, stripeLinks } from './sold-section.ts';
import { timelineSection, type StripePage } from './timeline-section.ts';
import { writePanel, type Writing } from './write-panel.ts';

type Fact = readonly [name: string, value: Html | string];

/** The content of the page besides the purchase itself. */
export interface Shown {
  /** Those that were not seen for the longest time. */
  readonly devices: readonly Device[];
  /** Null for what Stripe does not sell, and for those who do not reach the account there. */
  readonly sale: StripeSale | null;
  readonly stripePage: StripePage | null;
  /** The trial that became the entitlement first; null for none. */
  readonly trial: ShownTrial | null;
  /** The sale of an affiliate; null where none can be, and for those who may not read it. */
  readonly brought: Brought | null;
  /** The mails and links that the server sends to buyers; null for those who may send nothing. */
  readonly writing: Writing | null;
}

/** The page of one entitlement. `possible` are the actions that the operator may take now. */
export function purchasePage(
  purchase: Purchase,
  sold: Shown,
  possible: readonly ActionName[],
  names: OperatorNames,
  status: Html | null,
  view: PageView,
): PageContent {
  const { now } = view;
  const { entitlement, timeline, product } = purchase;
  const name = `${productText(product, entitlement.productId)} ${entitlement.tierName}`;
  const main = html`<div class="page">
    ${status}
    <div class="title">
      ${crumbs([{ href: listPath, text: 'Entitlements' }], entitlement.id)}
      <div class="line">
        <h1 dir="auto">${name}</h1>
        ${entitlementBadges(entitlement, now)}
      </div>
      <p class="says">${stateLine(purchase, now)}</p>
    </div>
    <div class="split">
      <div>
        ${sold.sale === null ? null : soldSection(purchase, sold.sale, possible, now)}
        ${timelineSection(timeline, names, sold.stripePage, now)}
        ${devicesSection(entitlement, sold.devices, possible.length > 0, view)} ${featuresSection(entitlement)}
        <section class="section">
          <h2>Purchase</h2>
          ${facts(purchaseFacts(purchase, now), 'boxed')} ${sold.trial === null ? null : cameFrom(sold.trial)}
        </section>
        ${sold.brought === null ? null : soldBySection(entitlement.id, sold.brought)}
      </div>
      <div class="aside">
        ${sold.writing === null ? null : writePanel(purchase, possible, sold.writing, now)}${changePanel(purchase, sold.sale, possible, now)}${licensePanel(entitlement, possible)}
      </div>
    </div>
  </div>`;
  return { title: entitlement.id, main };
}

function cameFrom({ id, startedAt }: ShownTrial): Html {
  return html`<p class="muted">
    Came from a <a href="${trialPath(id)}">trial</a> that started on ${fullDayText(startedAt)}.
  </p>`;
}

function purchaseFacts({ entitlement, product }: Purchase, now: Date): readonly Fact[] {
  const { id, reference, productId, tierId, tierName, createdAt } = entitlement;
  const { currentPeriodStart: start, currentPeriodEnd: end, updatesUntil } = entitlement;
  const productLink = html`<a href="${productPath(productId)}">${written(productText(product, productId))}</a>`;
  return [
    ['Entitlement', mono(id)],
    [
      'Reference',
      reference === null ? html`<span class="muted">None</span>` : html`<bdi class="mono">${reference}</bdi>`,
    ],
    ['Product', html`${productLink} <span class="muted mono">${productId}</span>`],
    ['Tier', html`${written(tierName)} <span class="muted mono">${tierId}</span>, ${termsText(entitlement)}`],
    ...(end === null ? [] : [['Current period', periodText(start, end)] as const]),
    endFact(entitlement, now),
    ...(updatesUntil === null ? [] : [['Updates until', dated(updatesUntil, now)] as const]),
    ['Granted', dated(createdAt, now)],
  ];
}

function endFact(entitlement: FullSnapshot, now: Date): Fact {
  const { endedAt, accessEndsAt, cancelAt, status, currentPeriodEnd, graceUntil } = entitlement;
  if (endedAt !== null) return ['Access ended', dated(endedAt, now)];
  if (accessEndsAt !== null) return ['Access ends', dated(accessEndsAt, now)];
  if (currentPeriodEnd === null) return ['Access ends', html`Never <span class="muted">one-time purchase</span>`];
  if (cancelAt !== null) return ['Access ends', dated(cancelAt, now)];
  const isOver = status === 'past_due' || currentPeriodEnd <= now;
  return isOver && graceUntil !== null
    ? ['Access ends', dated(graceUntil, now)]
    : ['Renews', dated(currentPeriodEnd, now)];
}

function dated(at: Date, now: Date): Html {
  return html`${instantText(at)} <span class="muted">${relativeText(at, now)}</span>`;
}

function changePanel(
  purchase: Purchase,
  sale: StripeSale | null,
  possible: readonly ActionName[],
  now: Date,
): Html | null {
  const links = [
    ...changeLinks(purchase, possible, now),
    ...(sale === null ? [] : stripeLinks(purchase, sale, possible)),
  ];
  if (links.length === 0) return null;
  return html`<section class="panel" aria-labelledby="actions">
    <h2 id="actions">Change it</h2>
    ${actionList(links)}
  </section>`;
}

function licensePanel({ id, license, active }: FullSnapshot, possible: readonly ActionName[]): Html {
  const buttons = licenseButtons(possible).map(
    (name) => html`<a class="button" href="${entitlementPath(id)}/${name}">${actions[name].title}</a>`,
  );
  const shown =
    license === null
      ? html`<p class="muted">This purchase has no license key.</p>`
      : facts(
          [
            ['Key', license.lastFour === null ? 'a short one' : html`ends in ${mono(license.lastFour)}`],
            ['Issued', fullDayText(license.createdAt)],
            ['State', licenseState(license.revokedAt, active)],
          ],
          'tight',
        );
  return html`<section class="panel" aria-labelledby="license">
    <h2 id="license">License</h2>
    ${shown}${buttons.length === 0 ? null : html`<div class="buttons">${buttons}</div>`}
  </section>`;
}

function licenseState(revokedAt: Date | null, active: boolean): string {
  if (revokedAt !== null) return `Revoked on ${fullDayText(revokedAt)}`;
  return active ? 'Works' : 'Does not work';
}

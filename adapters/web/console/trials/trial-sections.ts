import type { Page } from '../../../../core/paging/page.ts';
import type { ShownTrial } from '../../../../core/trial/trial.ts';
import { badge, type Tone } from '../../markup/badge.ts';
import { html, type Html } from '../../markup/html.ts';
import { table } from '../../markup/table.ts';
import { datedCell, instantText, relativeText } from '../display/dates.ts';
import { mono } from '../display/parts.ts';
import type { PageView } from '../display/view.ts';
import { entitlementPath } from '../state/names.ts';
import { trialPath, trialsPath } from './trial-paths.ts';

const states: Readonly<Record<ShownTrial['status'], readonly [tone: Tone, text: string]>> = {
  running: ['info', 'Running'],
  ended: ['over', 'Ended'],
  converted: ['ok', 'Bought'],
};

type Fact = readonly [name: string, value: Html | string];

/** The newest trials on the page of a product. Null without any. */
export function trialsSection(productId: string, { items, next }: Page<ShownTrial>, view: PageView): Html | null {
  if (items.length === 0) return null;
  return html`<section class="section" aria-labelledby="trials">
    <div class="line">
      <h2 id="trials">Trials</h2>
      ${next === null ? null : html`<a class="button" href="${trialsPath(productId)}">All trials</a>`}
    </div>
    ${trialTable(items, view)}
  </section>`;
}

/** Trials, the newest first. */
export function trialTable(trials: readonly ShownTrial[], view: PageView): Html {
  const { now } = view;
  const mayChange = view.may('admin:entitlements');
  return table(
    'Trials, the newest first',
    [
      { heading: 'Trial', cell: ({ id }) => html`<a class="row mono" href="${trialPath(id)}">${id}</a>` },
      { heading: 'State', cell: trialBadge },
      { heading: 'Tier', cell: ({ tierId }) => mono(tierId) },
      { heading: 'Started', isMuted: true, cell: ({ startedAt }) => datedCell(startedAt, now) },
      { heading: 'Ends', cell: ({ endsAt }) => datedCell(endsAt, now) },
      ...(mayChange ? [{ heading: '', atEnd: true, cell: (trial: ShownTrial) => trialButtons(trial, now) }] : []),
    ],
    trials,
  );
}

/** A badge that says the state of a trial. */
export function trialBadge({ status }: ShownTrial): Html {
  return badge(...states[status]);
}

/** The changes of a trial. */
export function trialButtons({ id, endsAt }: ShownTrial, now: Date): Html {
  const end = html`<a class="button" href="${trialPath(id, 'end')}" aria-label="End now ${id}">End now</a>`;
  return html`<div class="buttons">
    <a class="button" href="${trialPath(id, 'extend')}" aria-label="Extend ${id}">Extend</a>${endsAt > now ? end : null}
  </div>`;
}

/** The facts of a trial on its pages. */
export function trialFacts({ id, tierId, startedAt, endsAt, converted }: ShownTrial, now: Date): readonly Fact[] {
  return [
    ['Trial', mono(id)],
    ['Tier', mono(tierId)],
    ['Started', dated(startedAt, now)],
    [endsAt > now ? 'Ends' : 'Ended', dated(endsAt, now)],
    ...(converted === null
      ? []
      : [
          ['Bought', dated(converted.at, now)] as const,
          [
            'Entitlement',
            html`<a class="mono" href="${entitlementPath(converted.entitlementId)}">${converted.entitlementId}</a>`,
          ] as const,
        ]),
  ];
}

function dated(at: Date, now: Date): Html {
  return html`${instantText(at)} <span class="muted">${relativeText(at, now)}</span>`;
}

import { extensionSpans, type ExtensionSpan } from '../../../../../core/entitlement/administration/extension.ts';
import type { FullSnapshot } from '../../../../../core/entitlement/administration/show-entitlement.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { countOf, fullDayText } from '../../../markup/figures.ts';
import { html, type Html } from '../../../markup/html.ts';
import { icon } from '../../../markup/icons.ts';
import { dayText, instantText, relativeText, timeElement } from '../../display/dates.ts';
import { crumbs, facts } from '../../display/parts.ts';
import { hidden, postForm, type PageContent, type PageView } from '../../display/view.ts';
import type { FormState } from '../../form/fields.ts';
import { localForm } from '../../form/local-instants.ts';
import { crumbsTo, entitlementPath } from '../../state/names.ts';
import { actions } from '../actions/actions.ts';
import { notified, opens } from '../actions/purchase-texts.ts';
import { purchaseFacts } from '../change/change-page.ts';

/** When the period, or the access of a purchase, ends as it is. */
export function presentEnd({ currentPeriodEnd, accessEndsAt }: FullSnapshot): Date | null {
  return currentPeriodEnd ?? accessEndsAt;
}

/** The page that asks for how long an entitlement is extended. */
export function extendPage(purchase: Purchase, form: FormState, view: PageView): PageContent {
  const { id } = purchase.entitlement;
  const { now } = view;
  return askingPage('Extend this entitlement?', purchase, now, null, [
    postForm(
      view,
      extendPath(id),
      html`${choices(purchase, form)}
        <div class="note">
          ${icon('alert')}
          <div><p>${effects(purchase)}</p></div>
        </div>
        <div class="buttons">
          <button class="button primary">Extend entitlement</button
          ><a class="button" href="${entitlementPath(id)}">Leave it as it is</a>
        </div>`,
    ),
  ]);
}

/** The form's fields and their subject. */
function choices(purchase: Purchase, { typed, mistakes }: FormState): Html {
  const offered = purchase.extensions(null);
  const { version } = purchase.entitlement;
  const ends = [...(offered?.ends ?? [])];
  const month = offered?.ends.get('1m')?.toISOString() ?? '';
  const chosen = typed('by') === '' ? '1m' : typed('by');
  const until = typed('until') === '' ? month : typed('until');
  const wrong = mistakes.get('by');
  return html`${hidden('version', String(version))}${offered === null ? null : hidden('from', offered.from.toISOString())}
    <fieldset>
      <legend class="hidden">For how long</legend>
      ${wrong === undefined ? null : html`<p class="error">${wrong}</p>`}
      <ul class="choices">
        ${ends.map(
          ([span, end]) =>
            html`<li>
              ${radio(span, chosen)}<label for="by-${span}">${spanText(span, purchase.entitlement)}</label
              ><span class="num">until ${fullDayText(end)}</span>
            </li>`,
        )}
        <li>
          ${radio('until', chosen)}<label for="by-until">To a date, in UTC</label><span class="num"></span>
          ${untilField(until, mistakes.get('until'))}
        </li>
      </ul>
    </fieldset>`;
}

function radio(by: string, chosen: string): Html {
  return html`<input type="radio" id="by-${by}" name="by" value="${by}" ${by === chosen ? html` checked` : null} />`;
}

/** The field of the new end, whose label is seen where it stands alone. */
function untilField(value: string, mistake?: string, isAlone = false): Html {
  const wrong = mistake !== undefined;
  return html`<div class="field">
    <label for="until" ${isAlone ? null : html` class="hidden"`}>New end, in UTC</label>
    ${wrong ? html`<p class="error" id="until-error">${mistake}</p>` : null}
    <input
      type="datetime-local"
      id="until"
      name="until"
      value="${localForm(value)}"
      step="any"
      ${wrong ? html` aria-describedby="until-error" aria-invalid="true"` : null}
    />
  </div>`;
}

/** "7 more days", "1 more year", "3 more months". */
function spanText(span: ExtensionSpan, { billingInterval, billingIntervalCount }: FullSnapshot): string {
  const [days, month] = extensionSpans;
  if (span === days) return '7 more days';
  if (span === month) return '1 more month';
  return `${billingIntervalCount} more ${billingInterval}${billingIntervalCount === 1 ? '' : 's'}`;
}

function effects(purchase: Purchase): Html {
  const { status, kind } = purchase.entitlement;
  const until = kind === 'one_time' ? 'the new end' : 'the new end, and the grace after it';
  const access =
    status === 'suspended'
      ? html`The entitlement stays suspended: reinstate it to give access again.`
      : html`${opens(purchase)} for this buyer until ${until}.`;
  return html`${access} Nobody is charged. ${notified(purchase, 'entitlement.renewed')}`;
}

export function extendPath(id: string): string {
  return `${entitlementPath(id)}/extend`;
}

/** A page about the end of an entitlement: what asks for care, which one it is, and the form. */
function askingPage(
  question: string,
  purchase: Purchase,
  now: Date,
  warning: Html | null,
  form: readonly Html[],
): PageContent {
  const { entitlement } = purchase;
  return {
    title: `${actions.extend.title} · ${entitlement.id}`,
    main: html`<div class="confirm">
      ${crumbs(crumbsTo(entitlement.id), actions.extend.title)}
      <h1>${question}</h1>
      ${warning} ${facts([...purchaseFacts(purchase, now), ...endFact(entitlement, now)], 'boxed')} ${form}
    </div>`,
  };
}

function endFact(entitlement: FullSnapshot, now: Date): readonly (readonly [name: string, value: Html])[] {
  const end = presentEnd(entitlement);
  if (end === null) return [];
  const value = html`${timeElement(end, instantText(end))} <span class="muted">${relativeText(end, now)}</span>`;
  return [[end > now ? 'Ends now' : 'Ended', value]];
}

/** The new end that is farther than three periods away, or earlier than the present one. */
export type SecondLook = 'far' | 'shorter';

/** Asks once more about an end that may be a typing mistake. Its form is sure of that end, and of no other. */
export function secondLookPage(look: SecondLook, purchase: Purchase, end: Date, view: PageView): PageContent {
  const { entitlement } = purchase;
  const { id, version } = entitlement;
  const { now } = view;
  const present = presentEnd(entitlement) ?? now;
  const [question, heading, says, verb] =
    look === 'far'
      ? [
          `Extend it by ${distanceText(present > now ? present : now, end)}?`,
          entitlement.kind === 'one_time'
            ? 'The new end is more than three months away.'
            : 'The new end is more than three periods away.',
          html`It would end on ${fullDayText(end)}, ${relativeText(end, now)}. ${periodText(entitlement)}Is the year
          right?`,
          'Extend',
        ]
      : [
          'Shorten this entitlement?',
          'The new end is earlier than now’s.',
          html`Access ends on ${fullDayText(end)}, ${distanceText(end, present)} before ${dayText(present, end)}.
          Returns no money.`,
          'Shorten',
        ];
  const warning = html`<div class="note warn">
    ${icon('warning')}
    <div>
      <h2>${heading}</h2>
      <p>${says}</p>
    </div>
  </div>`;
  return askingPage(question, purchase, now, warning, [
    postForm(
      view,
      extendPath(id),
      html`${hidden('version', String(version))}${hidden('by', 'until')}${hidden('sure', end.toISOString())}
        ${untilField(end.toISOString(), undefined, true)}
        <div class="buttons">
          <button class="button danger">${verb} to ${fullDayText(end)}</button
          ><a class="button" href="${extendPath(id)}">Choose again</a>
        </div>`,
    ),
  ]);
}

/** "701 years". */
function distanceText(from: Date, to: Date): string {
  return relativeText(to, from).replace(/^in /, '');
}

/** "A period of this entitlement is one month. " */
function periodText({ billingInterval, billingIntervalCount: count, kind }: FullSnapshot): string {
  if (kind === 'one_time') return '';
  const period = count === 1 ? `one ${billingInterval}` : countOf(count, billingInterval);
  return `A period of this entitlement is ${period}. `;
}

import type { MailDelivery } from '../../../../../core/purchase/deliveries.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { html, type Html } from '../../../markup/html.ts';
import { dueText } from '../../display/dates.ts';
import { actionList } from '../../display/parts.ts';
import { entitlementPath } from '../../state/names.ts';
import { momentElement } from '../../state/state-line.ts';
import { actions, whyNoKey, writeNames, type ActionName, type WriteAction } from '../actions/actions.ts';
import { unmailed } from './delivery-items.ts';

/** The mails and links that a server can send to buyers. */
export interface Writing {
  readonly sendsMail: boolean;
  /** Whether there are pages that links lead to. */
  readonly hasPages: boolean;
}

/** The actions that need mail, pages for buyers, or both. */
export function writesOf({ sendsMail, hasPages }: Writing): readonly WriteAction[] {
  return [
    ...(sendsMail ? (['mail-key'] as const) : []),
    ...(sendsMail && hasPages ? (['mail-link'] as const) : []),
    ...(hasPages ? (['link'] as const) : []),
  ];
}

/** The panel of mails to the buyer: the actions, the last mail with the key, and why something cannot be sent. */
export function writePanel(purchase: Purchase, possible: readonly ActionName[], writing: Writing, now: Date): Html {
  const { id } = purchase.entitlement;
  const offered = writeNames.filter((name) => possible.includes(name));
  const links = offered.map((name) => ({
    href: `${entitlementPath(id)}/${name}`,
    name: actions[name].title,
    effect: effects[name](purchase, now),
  }));
  const reasons = missing(purchase, writing);
  return html`<section class="panel" aria-labelledby="write">
    <h2 id="write">Write to the buyer</h2>
    ${links.length === 0 ? null : actionList(links)}
    ${reasons.length === 0 ? null : html`<p class="muted small">${reasons.join(' ')}</p>`}
  </section>`;
}

const effects: Readonly<Record<WriteAction, (purchase: Purchase, now: Date) => Html | string>> = {
  'mail-key': ({ timeline }, now) => {
    const last = timeline.find(({ byMail }) => byMail?.kind === 'grant')?.byMail ?? null;
    return last === null ? 'To the address that Stripe has' : lastSent(last, now);
  },
  'mail-link': () => 'Works 24 hours: cancel, new key, devices',
  link: () => 'To paste into your answer',
};

/** The outcome of the mail with the key. */
function lastSent({ state, attempt, nextAt }: MailDelivery, now: Date): Html | string {
  if (state === 'waiting')
    return nextAt === null ? 'Not sent yet' : `Not sent yet: next attempt ${dueText(nextAt, now)}`;
  if (state === 'parked') return 'Not sent: all attempts have failed';
  if (state !== 'sent') return `Not sent: ${unmailed[state]}`;
  return attempt === null
    ? 'Sent; taken by the server'
    : html`Sent ${momentElement(attempt.at, now)}; taken by the server`;
}

function missing(purchase: Purchase, { sendsMail, hasPages }: Writing): readonly string[] {
  const noKey = sendsMail ? whyNoKey(purchase) : null;
  return [
    ...(sendsMail ? [] : ['This server sends no mail.']),
    ...(noKey === null ? [] : [noKey]),
    ...(hasPages ? [] : ['BUYER_PAGES is off, so there is no page to link to.']),
  ];
}

import type { Purchase } from '../../../../core/purchase/show-purchase.ts';
import { html } from '../../markup/html.ts';
import { confirmationPage } from '../display/confirmation.ts';
import { mono, written } from '../display/parts.ts';
import { hidden, type PageContent, type PageView } from '../display/view.ts';
import { crumbsTo, entitlementPath, productText } from '../state/names.ts';
import { stateBadge } from '../state/state-badge.ts';

/** The page that mails the buyer of a sale every key. */
export function mailKeysPath(id: string): string {
  return `${entitlementPath(id)}/mail-keys`;
}

/** Asks before the keys are mailed. Its form carries the id of the mail, and no address. */
export function mailKeysPage({ entitlement, product }: Purchase, mailId: string, view: PageView): PageContent {
  const { id, productId, status } = entitlement;
  return confirmationPage(view, {
    path: crumbsTo(id),
    here: 'Mail the keys',
    question: 'Mail the keys to this buyer?',
    effects: {
      heading: null,
      isFinal: false,
      list: [
        html`One mail names every key that works, and has a link of 24 hours to manage each.`,
        html`It goes to the address as Stripe has it. An address gets at most three of these mails in an hour.`,
      ],
    },
    facts: [
      ['Entitlement', mono(id)],
      ['Product', written(productText(product, productId))],
      ['State', stateBadge(status)],
    ],
    milder: null,
    action: mailKeysPath(id),
    fields: hidden('id', mailId),
    button: 'Mail the keys',
    back: { href: entitlementPath(id), text: 'Keep it' },
  });
}

import { isIdAtStripe } from '../../../../../core/billing/sold-by-stripe.ts';
import type { Purchase } from '../../../../../core/purchase/show-purchase.ts';
import { html, type Html } from '../../../markup/html.ts';
import type { Field } from '../../form/fields.ts';
import type { AskedAction } from './action.ts';
import { licenseName, productName } from './purchase-texts.ts';

const address = { name: 'to', maxLength: 254 } as const;

/** The field for another address than that of the buyer at Stripe. */
const otherAddress: Field = { ...address, label: 'Another address', hint: 'Empty: the one that Stripe has.' };

/** The text about the pages that a link opens. */
function opensPages(purchase: Purchase): Html {
  return html`Who has it sees this license of ${productName(purchase)} and its devices, and can cancel, resume and
  replace the key.`;
}

/** The actions that send something to the buyer, or make it to be sent. They change nothing of the entitlement. */
export const writeActions: Readonly<Record<'mail-key' | 'mail-link' | 'link', AskedAction>> = {
  'mail-key': {
    title: 'Mail the key again',
    page: 'MailKey',
    done: 'The mail server has taken the mail.',
    texts: (purchase) => ({
      question: 'Mail the key?',
      button: 'Mail the key',
      back: 'Go back',
      consequences: [
        html`${licenseName(purchase.entitlement.license?.lastFour ?? null)} of ${productName(purchase)} goes to the
        buyer, at the address that Stripe has or at another one. Nothing is kept of the address.`,
      ],
    }),
    form: { fields: () => [otherAddress] },
  },
  'mail-link': {
    title: 'Mail a link',
    page: 'MailLink',
    done: 'The mail server has taken the mail.',
    texts: (purchase) => ({
      question: 'Mail a link to the buyer?',
      button: 'Mail the link',
      back: 'Go back',
      consequences: [
        html`${opensPages(purchase)} Be sure that the address is that of the buyer. Nothing is kept of it.`,
        html`It works for 24 hours, and more than once.`,
      ],
    }),
    form: {
      fields: ({ id }) => [isIdAtStripe(id) ? otherAddress : { ...address, label: 'E-mail address', required: true }],
    },
  },
  link: {
    title: 'Copy a link',
    page: 'MakeBuyerLink',
    texts: (purchase) => ({
      question: 'Make a link for the buyer?',
      button: 'Make link',
      back: 'Go back',
      consequences: [
        html`${opensPages(purchase)} Be sure that you talk to the buyer.`,
        html`It works more than once, until its time is over. It is shown once, on the next page.`,
      ],
    }),
    form: {
      fields: () => [{ name: 'expires', label: 'Works for', input: 'code', hint: 'From 5m to 24h. Empty: 1h.' }],
    },
  },
};

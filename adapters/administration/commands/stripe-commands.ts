import { caseKinds, type StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import type { Payment } from '../../../core/purchase/stripe-sale.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { subject } from '../declaration/member.ts';
import {
  count,
  described,
  enumOf,
  flag,
  instant,
  named,
  nullableInstant,
  nullableText,
  objectOf,
  orNull,
  text,
} from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

const kind = enumOf(caseKinds);
const amount = orNull({ type: 'integer' });

const cases = list({
  verb: null,
  does: '',
  operation: {
    id: 'listStripeCases',
    route: 'GET /admin/stripe/cases',
    access: 'admin:read',
    summary: 'List the sales at Stripe that need a person.',
    description:
      'The oldest first. A sale has at most one row of a kind. A row goes when the next look at the sale finds it settled; `latchkey stripe reconcile` looks at every sale.',
    answer: { schema: 'StripeCasePage', description: 'A page of cases.' },
    refusals: ['limited_key'],
  },
  members: {},
  page: ({ listStripeCases }, _all, page, call) => listStripeCases(page, call),
  view: caseView,
});

/** Both sides of an entitlement that Stripe sells. */
export const saleCommand = command({
  verb: null,
  does: '',
  operation: {
    id: 'showStripeSale',
    route: 'GET /admin/entitlements/:id/stripe',
    access: 'admin:read',
    summary: 'Read what Stripe says of an entitlement.',
    description:
      'Asks Stripe, for two seconds at most. Without an answer, and in a process without `STRIPE_API_KEY`, the members from `status` to `currency` and `lastPayment` are null.',
    answer: { schema: 'StripeSaleAnswer', description: 'Both sides of the sale.' },
    refusals: ['entitlement_not_found', 'not_sold_by_stripe', 'limited_key'],
  },
  members: { id: subject('<id>', 'the id of the entitlement') },
  run: async ({ showStripeSale }, { id }, call) => {
    const sale = await showStripeSale(id, call);
    return { data: { ...only(sale, shown), lastPayment: paymentView(sale.lastPayment) }, entitlementId: id };
  },
});

function paymentView(payment: Payment | null): object | null {
  return payment && { ...only(payment, ['amount', 'currency', 'refunded', 'dispute']), at: payment.at.toISOString() };
}

const shown = [
  'url',
  'livemode',
  'status',
  'next',
  'nextAt',
  'amount',
  'currency',
  'sent',
  'refusal',
  'difference',
] as const;

/** The schemas of its answers. */
export const saleSchemas = {
  StripeSale: objectOf({
    url: described("The sale on Stripe's dashboard.", text),
    livemode: flag,
    status: described('As Stripe names it; for a purchase, of its payment.', nullableText),
    next: described('What Stripe does next by itself.', orNull(enumOf(['charge', 'end', 'none']))),
    nextAt: nullableInstant,
    amount: described('In minor units. Null also if the prices do not say it.', amount),
    currency: nullableText,
    sent: described('Whether Stripe has what was changed here.', enumOf(['agreed', 'pending', 'parked', 'refused'])),
    refusal: described('The words of Stripe.', nullableText),
    difference: described('The most pressing case.', orNull(kind)),
    lastPayment: described(
      'What the buyer has paid for the period, or for the purchase. Null if nothing was paid.',
      orNull(named('StripePayment')),
    ),
  }),
  StripePayment: objectOf({
    at: instant,
    amount: described('In minor units.', count),
    currency: text,
    refunded: described('What was returned to the buyer, in minor units. A refund that failed does not count.', count),
    dispute: described('An inquiry and a dispute that was won do not count.', orNull(enumOf(['open', 'lost']))),
  }),
} satisfies CommandGroup['schemas'];

/** The sales at Stripe that need a person. */
export const caseCommands: CommandGroup = {
  name: 'stripe cases',
  tag: { name: 'Cases', description: 'Sales at Stripe that need a person.' },
  schemas: {
    StripeCase: objectOf({
      id: described('Of the subscription or the checkout session.', text),
      kind: described('Why it needs a person.', kind),
      since: instant,
      detail: described('The prices, the words of Stripe, a code or the next payment.', nullableText),
    }),
  },
  commands: [cases],
};

function caseView({ detail, charge, ...found }: StripeCase): object {
  return { ...only(found, ['id', 'kind', 'since']), detail: detail ?? chargeText(charge) };
}

/** The next payment, such as `900 usd on 2026-12-25T10:12:00.000Z`: in minor units. */
function chargeText(charge: StripeCase['charge']): string | null {
  if (charge === null) return null;
  const { amount: minor, currency, at } = charge;
  return `${minor === null ? 'charged' : `${minor} ${currency}`} on ${at.toISOString()}`;
}

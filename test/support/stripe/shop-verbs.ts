import type { FakeStripe } from '../../../testing/index.ts';

/** The changes of a subscription at Stripe. A verb that does not fit its state does nothing. */
const verbs = {
  renew: (shop, id) => shop.renew(id),
  'fail payment': (shop, id) => shop.failPayment(id),
  pay: (shop, id) => shop.pay(id),
  unpaid: (shop, id) => shop.stopRetries(id, 'unpaid'),
  'cancel in the portal': (shop, id) => shop.cancel(id),
  'cancel by the flag': (shop, id) => shop.cancelAtPeriodEnd(id),
  undo: (shop, id) => shop.undoCancellation(id),
  pause: (shop, id) => shop.pause(id),
  resume: (shop, id) => shop.resume(id),
  'pause collection': (shop, id) => shop.pauseCollection(id),
  'resume collection': (shop, id) => shop.resumeCollection(id),
  'to team': (shop, id) => shop.changePrice(id, 'price_team'),
  'to pro': (shop, id) => shop.changePrice(id, 'price_pro'),
  upgrade: async (shop, id) => void (await shop.billInTheMiddle(id)),
  'fail an upgrade': async (shop, id) => void (await shop.billInTheMiddle(id, { payment: 'fails' })),
  'refund a period': (shop, id) => shop.refund(firstInvoiceOf(shop, id)),
  quantity: (shop, id) => shop.changeQuantity(id, 3),
  'refund a part': (shop, id) => shop.refund(id, 100),
  refund: (shop, id) => shop.refund(id),
  dispute: (shop, id) => shop.dispute(id),
  inquiry: (shop, id) => shop.dispute(id, 'inquiry'),
  won: (shop, id) => shop.closeDispute(id, 'won'),
  lost: (shop, id) => shop.closeDispute(id, 'lost'),
  end: (shop, id) => shop.end(id),
} as const satisfies Readonly<Record<string, (shop: FakeStripe, id: string) => Promise<void>>>;

export type ShopVerb = keyof typeof verbs;

export const shopVerbs = Object.keys(verbs) as readonly ShopVerb[];

/** The invoice of the first period of a subscription. */
function firstInvoiceOf(shop: FakeStripe, id: string): string {
  const created = shop.events.find(({ data }) => data.object['id'] === id);
  return String(created?.data.object['latest_invoice']);
}

/** Has something happen to a subscription at Stripe. */
export async function happen(shop: FakeStripe, id: string, verb: ShopVerb): Promise<void> {
  try {
    await verbs[verb](shop, id);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

import { outgoing } from '../billing/outgoing-stream.ts';
import type { PriceMap } from '../billing/price-map.port.ts';
import { isIdAtStripe, isSoldByStripe, readStripes } from '../billing/sold-by-stripe.ts';
import type { Call } from '../call.ts';
import type { AllEntitlements, EntitlementHistory } from '../entitlement/administration/all-entitlements.port.ts';
import { allowedChanges, offeredChanges, type OfferedChange } from '../entitlement/administration/allowed-changes.ts';
import { extensionsOf, type Extensions } from '../entitlement/administration/extension.ts';
import { existing, fullSnapshotAt, type FullSnapshot } from '../entitlement/administration/show-entitlement.ts';
import { graceOf, type Entitlement } from '../entitlement/entitlement.ts';
import { decisionCall } from '../entitlement/event/change-record.ts';
import type { AddInterval } from '../entitlement/period-end.ts';
import { whyOf, type Why } from '../entitlement/why/why.ts';
import type { Events } from '../feed/events.port.ts';
import { recentEvents } from '../feed/recent-events.ts';
import { mailing } from '../mail/mailing.ts';
import type { Product, Products } from '../product/products.port.ts';
import { withoutTiers, type AllowanceParts } from '../tier/allowance.ts';
import { everyWebhook } from '../webhook/show-webhooks.ts';
import { streamName } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { isForProduct } from '../webhook/webhook-endpoint.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';
import type { Receiver } from './deliveries.ts';
import { timelineOf, type TimelineEvent } from './timeline.ts';

/** An entitlement with everything that an operator who looks after it needs to see. */
export interface Purchase {
  readonly entitlement: FullSnapshot;
  /** Why the buyer has no access. */
  readonly why: Why;
  readonly product: Product | null;
  /** The changes that are possible now, without those that Stripe decides. */
  readonly changes: readonly OfferedChange[];
  /** The changes that Stripe decides. */
  readonly stripesChanges: readonly OfferedChange[];
  /** Whether Stripe sells it. */
  readonly isSoldByStripe: boolean;
  /** The ends that it can be extended to, counted from an instant, or from its present end; null if it never ends. */
  readonly extensions: (from: Date | null) => Extensions | null;
  /** The grace, in milliseconds; null for a purchase. */
  readonly grace: number | null;
  /** The history, the newest first. */
  readonly timeline: readonly TimelineEvent[];
  /** The endpoints that get the events of the product. */
  readonly receivers: readonly Receiver[];
}

/** Shows an entitlement of any product with its history and deliveries. Refuses with `entitlement_not_found`. */
export type ShowPurchase = (id: string, call: Call) => Promise<Purchase>;

export interface PurchasePorts {
  readonly allEntitlements: Pick<AllEntitlements, 'find'>;
  readonly entitlementHistory: EntitlementHistory;
  readonly products: Pick<Products, 'find'>;
  readonly events: Pick<Events, 'page' | 'lastPosition'>;
  readonly webhookEndpoints: Pick<WebhookEndpoints, 'page'>;
  readonly deliveryStreams: Pick<DeliveryStreams, 'find'>;
  readonly priceMap: Pick<PriceMap, 'page'>;
}

export function showPurchase(
  ports: PurchasePorts,
  addInterval: AddInterval,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): ShowPurchase {
  return async (id, call) => {
    // The history first: an entry that is missing is of a change that the entitlement has not shown yet either.
    const history = await ports.entitlementHistory.list(id, call);
    const entitlement = await existing(ports.allEntitlements, id, call);
    const { productId } = entitlement;
    const [product, events, receivers, toStripe, byMail, isSold] = await Promise.all([
      ports.products.find(productId, call),
      recentEvents(ports.events, entitlement, call),
      receiversOf(ports, entitlement, call),
      id.startsWith('sub_') ? ports.deliveryStreams.find(streamName(outgoing, productId), call, [id]) : null,
      isIdAtStripe(id) ? ports.deliveryStreams.find(streamName(mailing.endpoint, productId), call, [id]) : null,
      isSoldByStripe(ports.priceMap)(id, call),
    ]);
    const { now } = decisionCall(entitlement, call);
    const stripesChanges = await stripesOf(ports.priceMap, entitlement, call);
    return {
      entitlement: fullSnapshotAt(entitlement, now, await knownTiers(call)),
      why: whyOf(entitlement, history, now),
      product,
      changes: allowedChanges(entitlement, now).filter((kind) => !stripesChanges.includes(kind)),
      stripesChanges,
      isSoldByStripe: isSold,
      extensions: (from) => extensionsOf(entitlement, from, now, addInterval),
      grace: entitlement.kind === 'subscription' ? graceOf(entitlement) : null,
      timeline: timelineOf(history, events, receivers, { toStripe, byMail }),
      receivers,
    };
  };
}

/** The changes that are Stripe's. */
async function stripesOf(
  prices: Pick<PriceMap, 'page'>,
  entitlement: Entitlement,
  call: Call,
): Promise<readonly OfferedChange[]> {
  const read = readStripes(prices);
  const stripes = await Promise.all(offeredChanges.map((kind) => read(entitlement.id, kind, call)));
  return offeredChanges.filter((_kind, index) => stripes[index]?.(entitlement) === true);
}

async function receiversOf(
  ports: PurchasePorts,
  { id, productId }: Entitlement,
  call: Call,
): Promise<readonly Receiver[]> {
  const endpoints = await Array.fromAsync(everyWebhook(ports.webhookEndpoints)(() => call));
  const own = endpoints.filter((endpoint) => isForProduct(endpoint, productId));
  return Promise.all(
    own.map(async (endpoint) => ({
      endpoint,
      stream: await ports.deliveryStreams.find(streamName(endpoint, productId), call, [id]),
    })),
  );
}

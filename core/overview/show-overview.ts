import type { Call } from '../call.ts';
import type { AllEntitlements } from '../entitlement/administration/all-entitlements.port.ts';
import { unpaidEnd, type Entitlement } from '../entitlement/entitlement.ts';
import { statusAt } from '../entitlement/status.ts';
import { ofEntitlements, type Events, type PlacedEvent } from '../feed/events.port.ts';
import { firstProducts } from '../feed/find-events.ts';
import { newestEvents } from '../feed/newest-events.ts';
import type { LastBackup, Maintenance } from '../maintenance/maintenance.port.ts';
import { walk } from '../paging/walk.ts';
import { day } from '../parsing/duration.ts';
import { everyProduct } from '../product/list-products.ts';
import type { Products } from '../product/products.port.ts';
import { everySignUp } from '../waitlist/waitlist-entries.ts';
import type { Waitlist } from '../waitlist/waitlist.port.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import type { WebhookEndpoints } from '../webhook/webhook-endpoints.port.ts';
import { findTroubledEndpoints, type TroubledEndpoint } from './troubled-endpoints.ts';

/** The days that the overview counts, today included. */
export const countedDays = 14;
/** Events, sign-ups and entitlements that are looked at: about 100 ms of the process's time each. */
const maxExamined = 10_000;
/** From this number on a count is only a minimum. */
const maxCount = 1000;
const sliceSize = 500;
const shownChanges = 10;

/** The number of each day (UTC), the oldest day first; null where not all could be looked at. */
export type DailyCounts = readonly number[] | null;

/** The facts that somebody who runs the shop wants first. A limited caller gets neither the backup nor the sign-ups. */
export interface Overview {
  readonly endpoints: readonly TroubledEndpoint[];
  readonly backup: LastBackup;
  /** Entitlements that are past due: at most `maxCount`. `firstEnd` is when the first of them loses access. */
  readonly pastDue: { readonly count: number; readonly isMinimum: boolean; readonly firstEnd: Date | null };
  readonly grants: DailyCounts;
  readonly cancellations: DailyCounts;
  readonly signUps: DailyCounts;
  /** The last changes of all products, the newest first, without those of devices, which apps make every day. */
  readonly changes: readonly PlacedEvent[];
}

/** Reads the overview. It costs too much for each request: callers keep it for a minute. */
export type ShowOverview = (call: Call) => Promise<Overview>;

export interface OverviewPorts {
  readonly allEntitlements: AllEntitlements;
  readonly deliveryStreams: Pick<DeliveryStreams, 'page'>;
  readonly events: Pick<Events, 'page' | 'lastPosition' | 'lastPositions'>;
  readonly maintenance: Pick<Maintenance, 'lastBackup'>;
  readonly products: Products;
  readonly waitlist: Waitlist;
  readonly webhookEndpoints: Pick<WebhookEndpoints, 'page'>;
}

export function showOverview(ports: OverviewPorts): ShowOverview {
  return async (call) => {
    const { events, isWhole } = await latestEvents(ports, call);
    const ofType = (type: PlacedEvent['event']['type']): DailyCounts =>
      isWhole
        ? perDay(
            events.filter(({ event }) => event.type === type).map(({ event }) => event.at),
            call.now,
          )
        : null;
    return {
      endpoints: await findTroubledEndpoints(ports, call),
      backup: call.products === null ? await ports.maintenance.lastBackup(call) : { kind: 'unknown' },
      pastDue: await countPastDue(ports, call),
      grants: ofType('entitlement.granted'),
      cancellations: ofType('entitlement.cancellation_scheduled'),
      signUps: call.products === null ? await countSignUps(ports, call) : null,
      changes: await latestChanges(ports, call),
    };
  };
}

async function latestChanges({ events, products }: OverviewPorts, call: Call): Promise<readonly PlacedEvent[]> {
  const wanted = {
    productIds: await firstProducts(products, call),
    matches: ({ event }: PlacedEvent) => !event.type.startsWith('device.'),
    limit: shownChanges,
    maxRead: maxExamined,
  };
  return (await newestEvents(events, wanted, new Map(), call)).items;
}

function firstDay(now: Date): number {
  return Math.floor(now.getTime() / day) - countedDays + 1;
}

function perDay(instants: readonly Date[], now: Date): readonly number[] {
  const counts = Array.from({ length: countedDays }, () => 0);
  for (const at of instants) {
    const index = Math.floor(at.getTime() / day) - firstDay(now);
    const count = counts[index];
    if (count !== undefined) counts[index] = count + 1;
  }
  return counts;
}

/** Reads the events of every product, from the newest on, until they are older than the counted days. */
async function latestEvents(
  { events, products }: OverviewPorts,
  call: Call,
): Promise<{ readonly events: readonly PlacedEvent[]; readonly isWhole: boolean }> {
  const found: PlacedEvent[] = [];
  const oldest = new Date(firstDay(call.now) * day);
  for await (const { id } of everyProduct(products)(() => call)) {
    let end = await events.lastPosition(id, call);
    while (end > 0) {
      if (found.length >= maxExamined) return { events: found, isWhole: false };
      const start = Math.max(0, end - sliceSize);
      const page = await events.page(id, start, end - start, call);
      found.push(...ofEntitlements(page.events));
      // Events of the clock have the instant at which a status changed, which may be long past.
      if (page.first > start || page.events.some(({ event }) => event.by !== 'clock' && event.at < oldest)) break;
      end = start;
    }
  }
  return { events: found, isWhole: true };
}

async function countSignUps({ waitlist }: OverviewPorts, call: Call): Promise<DailyCounts> {
  const instants: Date[] = [];
  for await (const { at } of everySignUp(waitlist)(() => call)) {
    if (instants.length === maxExamined) return null;
    instants.push(at);
  }
  return perDay(instants, call.now);
}

async function countPastDue({ allEntitlements }: OverviewPorts, call: Call): Promise<Overview['pastDue']> {
  let [examined, count] = [0, 0];
  let firstEnd: Date | null = null;
  const all = walk<Entitlement>(
    (from, limit) => allEntitlements.page({ productId: null, reference: null, after: from?.id ?? null, limit }, call),
    () => call,
  );
  for await (const entitlement of all) {
    if (examined === maxExamined || count === maxCount) return { count, isMinimum: true, firstEnd };
    examined += 1;
    if (entitlement.kind === 'one_time' || statusAt(entitlement, call.now) !== 'past_due') continue;
    count += 1;
    const end = unpaidEnd(entitlement);
    if (firstEnd === null || end < firstEnd) firstEnd = end;
  }
  return { count, isMinimum: false, firstEnd };
}

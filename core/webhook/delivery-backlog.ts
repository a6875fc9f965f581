import type { Call } from '../call.ts';
import type { Events } from '../feed/events.port.ts';
import { earliest, healthOf } from './endpoint-health.ts';
import { everyBacklog, type WebhookBacklog } from './show-webhook-backlog.ts';
import type { DeliveryStream } from './stream/delivery-stream.ts';
import type { DeliveryStreams } from './stream/delivery-streams.port.ts';
import type { DisablingReason, WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookEndpoints } from './webhook-endpoints.port.ts';

/** The deliveries that webhook endpoints have not received, and the endpoints by their state. */
export interface DeliveryBacklog {
  /** The number of endpoints that are enabled, and of those that are disabled for each reason. */
  readonly endpoints: Readonly<Record<'enabled' | DisablingReason, number>>;
  /** Deliveries that are due or wait for their next attempt; those of disabled endpoints included. */
  readonly pending: number;
  /** Deliveries that wait for a manual retry. */
  readonly parked: number;
  /** The instant of the oldest event that is pending for an enabled endpoint; null if none is. */
  readonly oldest: Date | null;
}

export type ReadDeliveryBacklog = (call: Call) => Promise<DeliveryBacklog>;

interface Ports {
  readonly endpoints: Pick<WebhookEndpoints, 'page'>;
  readonly streams: Pick<DeliveryStreams, 'page' | 'find'>;
  readonly events: Pick<Events, 'page' | 'lastPositions'>;
}

export function readDeliveryBacklog(ports: Ports): ReadDeliveryBacklog {
  return async (call) => {
    const backlogs = await everyBacklog(ports, call);
    const { waiting: pending, parked } = healthOf(backlogs.flatMap(({ streams }) => streams));
    const oldest = await oldestOf(ports, backlogs, call);
    return { endpoints: countOf(backlogs.map(({ endpoint }) => endpoint)), pending, parked, oldest };
  };
}

/** The instant of the oldest event that an enabled endpoint waits for. */
async function oldestOf(ports: Ports, backlogs: readonly WebhookBacklog[], call: Call): Promise<Date | null> {
  const waiting = backlogs
    .filter(({ endpoint }) => endpoint.state === 'enabled')
    .flatMap(({ streams }) => streams.filter((stream) => stream.waiting > 0))
    .map(({ stream }) => stream);
  const instants: (Date | null)[] = [];
  for (const [productId, own] of Map.groupBy(waiting, (stream) => stream.productId)) {
    const positions = await Promise.all(own.map((stream) => firstPending(ports, stream, call)));
    instants.push(await instantOf(ports, productId, Math.min(...positions), call));
  }
  return earliest(instants);
}

function countOf(endpoints: Iterable<WebhookEndpoint>): DeliveryBacklog['endpoints'] {
  const count = { enabled: 0, requested: 0, gone: 0, failing: 0 };
  for (const { reason } of endpoints) count[reason ?? 'enabled'] += 1;
  return count;
}

/** The first position that is to be delivered without a manual retry. */
async function firstPending({ streams }: Ports, stream: DeliveryStream, call: Call): Promise<number> {
  const whole = stream.aside.waiting > 0 ? await streams.find(stream, call, 'all') : stream;
  const { cursor, pending } = whole ?? stream;
  const positions = [...pending.values()].flatMap(({ positions: own, at }) => (at === null ? [] : own));
  return Math.min(cursor + 1, ...positions);
}

async function instantOf({ events }: Ports, productId: string, position: number, call: Call): Promise<Date | null> {
  const [placed] = (await events.page(productId, position - 1, 1, call)).events;
  return placed?.event.at ?? null;
}

import type { Call, NewCall } from '../call.ts';
import type { ClockMarks } from '../clock/clock-marks.port.ts';
import { maxLead, type Served } from '../clock/clock-state.ts';
import { untilStored } from '../compare-and-set.ts';
import type { Events } from '../feed/events.port.ts';
import type { LoggedEvent } from '../feed/logged-event.ts';
import { everyStream } from '../webhook/stored-streams.ts';
import type { DeliveryStream, PendingEvents } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { afterCommand } from '../webhook/stream/set-aside.ts';
import type { OwnReceiver } from './own-receiver.ts';
import { withUnread } from './unread-events.ts';

interface Ports {
  readonly clockMarks: Pick<ClockMarks, 'restoredAt' | 'noteRestore'>;
  readonly deliveryStreams: Pick<DeliveryStreams, 'page' | 'find' | 'replace'>;
  readonly events: Pick<Events, 'page'>;
}

/**
 * Parks the deliveries that wait for receivers where a server returns to a store that was restored, or served long ago
 * and may be a backup as well: since then they were sent, or something else was asked for. An entitlement that was
 * changed after that is left alone, because its current state is sent. Returns the number of entitlements that are
 * parked for each receiver.
 */
export type ParkOld = (served: Served, newCall: NewCall) => Promise<readonly Parked[]>;

export interface Parked {
  readonly receiver: OwnReceiver;
  readonly entitlements: number;
}

export function parkOld(receivers: readonly OwnReceiver[], ports: Ports): ParkOld {
  return async (served, newCall) => {
    const restoredAt = await ports.clockMarks.restoredAt(newCall());
    if (!served.isLongAgo && restoredAt === null) return [];
    const until = oldUntil(served, restoredAt, newCall().now);
    const all: Parked[] = [];
    for (const receiver of receivers) {
      let entitlements = 0;
      for await (const stream of everyStream(ports.deliveryStreams, receiver.endpoint.id, newCall)) {
        entitlements += await parkStream({ ...ports, receiver }, stream, until, newCall());
      }
      all.push({ receiver, entitlements });
    }
    if (restoredAt !== null) await ports.clockMarks.noteRestore(null, newCall());
    return all;
  };
}

/**
 * The instant up to which a request counts as old. A request that waits in a backup was made before it was restored,
 * and before it was served, if the clock of the restore was wrong.
 */
function oldUntil({ at, isLongAgo }: Served, restoredAt: Date | null, now: Date): Date {
  const longAgo = at === null ? now.getTime() - maxLead : at.getTime() + maxLead;
  const restored = restoredAt === null ? -Infinity : Math.max(restoredAt.getTime(), at?.getTime() ?? -Infinity);
  return new Date(Math.max(restored, isLongAgo ? longAgo : -Infinity));
}

interface Parts extends Ports {
  readonly receiver: OwnReceiver;
}

/** An event counts as old until this long after the store was served: everything that is newer was asked of this server. */
async function parkStream(parts: Parts, seen: DeliveryStream, until: Date, call: Call): Promise<number> {
  const find = (): Promise<DeliveryStream | null> => parts.deliveryStreams.find(seen, call, 'all');
  let stored: DeliveryStream | null = await find();
  return untilStored(call, async () => {
    if (stored === null) return 0;
    const { stream, ids } = await withParked(parts, stored, until, call);
    if (ids.length === 0) return 0;
    const written = afterCommand(stream, stored.pending.keys(), call.now);
    const next = { ...written.stream, fence: stored.fence + 1 };
    const outcome = await parts.deliveryStreams.replace(next, call, written.changes);
    if (outcome.kind === 'replaced') return ids.length;
    stored = await find();
    return outcome.kind;
  });
}

async function withParked(
  { events, deliveryStreams, receiver }: Parts,
  stored: DeliveryStream,
  until: Date,
  call: Call,
): Promise<{ readonly stream: DeliveryStream; readonly ids: readonly string[] }> {
  const { stream, taken } = await withUnread({ events, deliveryStreams }, receiver, stored, call);
  const known = new Map<number, LoggedEvent>(taken.map(({ position, event }) => [position, event]));
  for (const { positions } of stored.pending.values()) {
    for (const position of positions) {
      const [placed] = (await events.page(stored.productId, position - 1, 1, call)).events;
      if (placed?.position === position) known.set(position, placed.event);
    }
  }
  const isOld = ({ at, positions }: PendingEvents): boolean => {
    const found = positions.flatMap((position) => known.get(position) ?? []);
    return at !== null && found.some(receiver.wants) && found.every((event) => event.at <= until);
  };
  const ids = [...stream.pending].flatMap(([id, pending]) => (isOld(pending) ? [id] : []));
  const pending = new Map([...stream.pending].map(([id, one]) => [id, ids.includes(id) ? { ...one, at: null } : one]));
  return { stream: { ...stream, pending }, ids };
}

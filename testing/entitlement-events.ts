import type { createContainer } from '../app/service/container.ts';
import { tokens } from '../app/service/tokens.ts';
import type { Event, LatchkeyClient } from '../client/index.ts';
import type { Call } from '../core/call.ts';
import { sweepDelay } from '../core/entitlement/event/record-clock-events.ts';

type Container = ReturnType<typeof createContainer>;

/** Stores the events of everything that the clock has done up to now, without the delay of a serving process. */
export async function storeClockEvents(container: Container, newCall: () => Call): Promise<void> {
  await container.get(tokens.recordClockEvents)(() => {
    const call = newCall();
    return { ...call, now: new Date(call.now.getTime() + sweepDelay), by: 'clock' };
  });
}

/** Reads all events of a client's product. */
export async function eventsOf({ events }: LatchkeyClient): Promise<readonly Event[]> {
  const all: Event[] = [];
  let after: string | undefined;
  for (;;) {
    const { data, meta } = await events.list({ after, limit: 100 });
    all.push(...data);
    if (!meta.hasMore) return all;
    after = meta.next;
  }
}

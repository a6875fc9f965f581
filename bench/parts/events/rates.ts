import { createContainer } from '../../../app/service/container.ts';
import { newCall } from '../../../app/service/process.ts';
import { tokens } from '../../../app/service/tokens.ts';
import { openStore } from '../../../app/stores/open-store.ts';
import type { Call } from '../../../core/call.ts';
import { defaultTtl, retentionFor } from '../../../core/entitlement/idempotency/retention.ts';
import type { CpuMeter } from '../../servers/process.ts';

/** The cost of storing many events. */
export interface EventRate {
  readonly events: number;
  readonly perSecond: number;
  /** Microseconds of CPU for one event, here and in the server of the store. */
  readonly cpu: number;
  readonly storeCpu: number;
}

export interface EventRates {
  /** Events of ends of periods. */
  readonly sweep: EventRate;
  /** Events moved to the logs of products; null on a store that needs no relay. */
  readonly relay: EventRate | null;
}

/** Until every period of the seeded data has ended, in milliseconds. */
const afterEveryPeriod = 20.5 * 86_400_000;

const begin = (now = new Date()): Call => newCall(now, 600_000, 'clock');

/** Lets every period of a store end at once, and moves the events. Nothing else may have the store open. */
export async function storeEvents(url: string, server: CpuMeter | null): Promise<EventRates> {
  const store = await openStore(url, { create: false }, retentionFor(defaultTtl), begin());
  try {
    const recordClockEvents = createContainer(store.ports).get(tokens.recordClockEvents);
    const later = new Date(Date.now() + afterEveryPeriod);
    const sweep = await rateOf(() => recordClockEvents(() => begin(later)), server);
    if (server === null) return { sweep, relay: null };
    const relay = await rateOf(async () => {
      while ((await store.archive?.moveEvents(begin())) === false);
      return sweep.events;
    }, server);
    return { sweep, relay };
  } finally {
    await store.close();
  }
}

async function rateOf(work: () => Promise<number>, server: CpuMeter | null): Promise<EventRate> {
  const storeBefore = (await server?.cpu()) ?? 0;
  const [before, start] = [process.cpuUsage(), performance.now()];
  const events = await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const storeCpu = ((await server?.cpu()) ?? 0) - storeBefore;
  return { events, perSecond: events / seconds, cpu: (user + system) / events, storeCpu: storeCpu / events };
}

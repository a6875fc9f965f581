import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from '../load/load.ts';
import { mixedRequests } from '../load/mixed-workload.ts';
import { openLoop } from '../load/open-loop.ts';
import type { Effort } from '../comparisons/rounds.ts';
import { quantile } from '../comparisons/spread.ts';
import { onEachStore, type OnStore } from './stores.ts';

/** How `--only` names this measurement. It takes too long to be part of the others. */
export const soakName = 'soak';

/** One sixtieth of a soak: ten seconds of ten minutes. */
export interface SoakSample {
  /** Seconds from the start to the end of the sample. */
  readonly second: number;
  /** Bytes of resident memory. */
  readonly rss: number;
  /** Milliseconds from the time a request was due. */
  readonly p99: number;
  readonly requests: number;
  readonly errors: number;
}

export interface StoreSoak {
  readonly store: string;
  /** Requests a second. */
  readonly rate: number;
  readonly samples: readonly SoakSample[];
}

export interface SoakResults {
  readonly seconds: number;
  readonly stores: readonly StoreSoak[];
}

const licenses = 100_000;
const connections = 256;
const shareOfSaturation = 0.7;
const sampleCount = 60;

/** Sends mixed traffic at 70 % of saturation for some seconds to each store. */
export async function measureSoak(folder: string, effort: Effort, seconds: number): Promise<SoakResults> {
  const own = await mkdtemp(join(folder, 'soak-'));
  const stores = await onEachStore(own, licenses, '/dev/null', (on) => soak(on, effort, seconds));
  return { seconds, stores };
}

async function soak({ store, data, latchkey, poll }: OnStore, effort: Effort, seconds: number): Promise<StoreSoak> {
  const { port } = latchkey;
  const next = mixedRequests(data);
  const closed = { port, connections: effort.connections, next, status: 200, poll };
  await load({ ...closed, seconds: effort.warmUpSeconds });
  const full = await load({ ...closed, seconds: effort.seconds * effort.rounds });
  const rate = (shareOfSaturation * full.requests) / full.seconds;
  const samples: SoakSample[] = [];
  for (let index = 1; index <= sampleCount; index += 1) {
    const latencies: number[] = [];
    let errors = 0;
    const schedule = { port, connections, rate, seconds: seconds / sampleCount, next, poll };
    await openLoop(schedule, (latency, isExpected) => {
      latencies.push(latency);
      if (!isExpected) errors += 1;
    });
    const p99 = quantile(Float64Array.from(latencies).toSorted(), 0.99);
    const rss = await latchkey.rss();
    samples.push({ second: (index * seconds) / sampleCount, rss, p99, requests: latencies.length, errors });
  }
  return { store, rate, samples };
}

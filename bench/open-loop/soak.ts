import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Effort } from '../comparisons/rounds.ts';
import { quantile } from '../comparisons/spread.ts';
import { mixedRequests } from '../load/mixed-workload.ts';
import { saturationOf, sendBySchedule } from './load-on-store.ts';
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
const shareOfSaturation = 0.7;
const sampleCount = 60;

/** Sends mixed traffic at 70 % of saturation for some seconds to each store. */
export async function measureSoak(folder: string, effort: Effort, seconds: number): Promise<SoakResults> {
  const own = await mkdtemp(join(folder, 'soak-'));
  const stores = await onEachStore(own, licenses, '/dev/null', (on) => soak(on, effort, seconds));
  return { seconds, stores };
}

async function soak(on: OnStore, effort: Effort, seconds: number): Promise<StoreSoak> {
  const next = mixedRequests(on.data);
  const saturation = await saturationOf(on, next, { ...effort, seconds: effort.seconds * effort.rounds });
  const rate = shareOfSaturation * saturation;
  const samples: SoakSample[] = [];
  for (let index = 1; index <= sampleCount; index += 1) {
    const { latencies, errors } = await sendBySchedule(on, next, rate, seconds / sampleCount);
    const rss = await on.latchkey.rss();
    const second = (index * seconds) / sampleCount;
    samples.push({ second, rss, p99: quantile(latencies, 0.99), requests: latencies.length, errors });
  }
  return { store: on.store, rate, samples };
}

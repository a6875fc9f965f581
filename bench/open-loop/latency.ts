import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Effort } from '../comparisons/rounds.ts';
import { quantile } from '../comparisons/spread.ts';
import { entitlementWorkloads, type Workload } from '../load/workloads.ts';
import { saturationOf, sendBySchedule } from './load-on-store.ts';
import { onEachStore, type OnStore } from './stores.ts';

/** How `--only` names this measurement. */
export const latencyName = 'latency';

/** Latency at one rate of the schedule. */
export interface LatencyPoint {
  /** Requests a second: due, and answered. */
  readonly rate: number;
  readonly answered: number;
  /** Milliseconds from the time a request was due. */
  readonly p50: number;
  readonly p99: number;
}

export interface LatencyCurve {
  readonly store: string;
  readonly operation: string;
  /** Answers a second with 32 requests always in flight. */
  readonly saturation: number;
  readonly points: readonly LatencyPoint[];
}

export interface LatencyResults {
  readonly curves: readonly LatencyCurve[];
}

const licenses = 100_000;
const operations = ['verification', 'durable cancel'];
const sharesOfSaturation = [0.1, 0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.95, 1];

/** Measures latency over the rate of an open loop, up to saturation, on each store. */
export async function measureLatency(folder: string, effort: Effort): Promise<LatencyResults> {
  const own = await mkdtemp(join(folder, 'latency-'));
  const curves = await onEachStore(own, licenses, join(own, 'latency.log'), async (on) => {
    const workloads = entitlementWorkloads(on.data).filter(({ name }) => operations.includes(name));
    const measured: LatencyCurve[] = [];
    for (const workload of workloads) measured.push(await curveOf(on, workload, effort));
    return measured;
  });
  return { curves: curves.flat() };
}

async function curveOf(on: OnStore, workload: Workload, effort: Effort): Promise<LatencyCurve> {
  let number = 0;
  const next = (): string => workload.request(number++);
  const saturation = await saturationOf(on, next, { ...effort, seconds: effort.seconds * 2 });
  const seconds = (effort.seconds * effort.rounds) / 2;
  const points: LatencyPoint[] = [];
  for (const share of sharesOfSaturation) {
    const rate = share * saturation;
    const { perSecond, latencies, errors } = await sendBySchedule(on, next, rate, seconds);
    if (errors > 0) throw new Error(`${workload.name}: ${errors} unexpected answers`);
    points.push({ rate, answered: perSecond, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) });
  }
  return { store: on.store, operation: workload.name, saturation, points };
}

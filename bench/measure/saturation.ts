import { closedLoop, type OpenLoad } from '../load/load.ts';
import type { Server, StoreKind } from '../servers/site.ts';
import type { Effort } from './rounds.ts';

/** Where the requests of a schedule go, on at most so many connections. */
export type Target = Omit<OpenLoad, 'rate' | 'seconds'>;

/** Latchkey over a store. The generator polls if nothing else needs its core. */
export function targetOf({ mongod }: StoreKind, { port }: Server, next: () => string): Target {
  return { ports: [port], connections: 256, next, poll: mongod === null };
}

/** Measures the answers a second with all connections of the effort always in use, after a warm-up. */
export async function saturationOf(target: Target, effort: Effort, seconds: number): Promise<number> {
  const load = { ...target, connections: effort.connections, status: 200 };
  await closedLoop({ ...load, seconds: effort.warmUpSeconds });
  return (await closedLoop({ ...load, seconds })).perSecond;
}

import { ask } from '../load/load.ts';
import type { Workload } from '../load/workloads.ts';
import type { Server, Site } from '../servers/site.ts';
import { medianOf, roundsOf, type Comparison } from './figures.ts';
import { measure, type Contender, type Effort } from './rounds.ts';

export const ceilingNames = { ceiling: 'ceiling', again: 'ceiling again', latchkey: 'Latchkey' } as const;

/**
 * Compares Latchkey, and peers, with the ceiling: a bare server that answers a constant of the same size. It is measured
 * as two processes, whose difference is noise.
 */
export async function besideCeiling(
  site: Site,
  [operation, workload]: readonly [string, Workload],
  latchkey: Server,
  peers: Readonly<Record<string, Server>>,
  effort: Effort,
): Promise<Comparison & { readonly bytes: number }> {
  const { length: bytes } = await ask(latchkey.port, workload.request(0));
  const constant = ['bench/peers/ceiling.ts', String(bytes)];
  const [ceiling, again] = [await site.start(constant), await site.start(constant)];
  const servers = { [ceilingNames.ceiling]: ceiling, [ceilingNames.again]: again, [ceilingNames.latchkey]: latchkey };
  const contenders = Object.entries({ ...servers, ...peers }).map(([name, server]): Contender => {
    return { name, server, workload };
  });
  const comparison = { operation, bytes, contenders: await measure(contenders, effort) };
  await Promise.all([ceiling.stop(), again.stop()]);
  console.log(`${operation}: ${shareOfCeiling(comparison)} of the ceiling`);
  return comparison;
}

/** The ceiling's CPU per request, both times it was measured, divided by Latchkey's. */
export function shareOfCeiling({ contenders }: Comparison): string {
  const ceiling = [...roundsOf(contenders, ceilingNames.ceiling), ...roundsOf(contenders, ceilingNames.again)];
  return (medianOf(ceiling, 'cpu') / medianOf(roundsOf(contenders, ceilingNames.latchkey), 'cpu')).toFixed(2);
}

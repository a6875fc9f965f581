import { join } from 'node:path';
import { seedStore } from '../data/seed-store.ts';
import { Dribble } from '../load/dribble.ts';
import { entitlementWorkloads } from '../load/workloads.ts';
import { startProcess } from '../processes/measured-process.ts';
import { measure, type Effort, type Measured } from './rounds.ts';

/** How `--only` names this measurement. */
export const slowClientsName = 'slow-clients';

/** The effect of 500 slow clients on one that is not slow. */
export interface SlowClientsResults {
  readonly contenders: readonly Measured[];
}

/** Names of contenders, as tables show them. */
export const slowClientsNames = { quiet: 'alone', beside: 'beside 500 slow clients' } as const;

/** The aim: beside the slow clients, the 99th percentile is less than this many times as long. */
export const slowClientsAim = 5;

const slowClients = 500;

/** Short, so that in every round clients time out and others take their place. */
const clientTimeout = '1s';
const licenses = 10_000;

/** Measures one client that verifies licenses one after another, alone and beside 500 that never finish a request. */
export async function measureSlowClients(folder: string, effort: Effort): Promise<SlowClientsResults> {
  const store = `sqlite:${join(folder, 'slow-clients.db')}`;
  const [workload] = entitlementWorkloads(await seedStore(store, licenses));
  const process = await startProcess([
    'bench/processes/latchkey.ts',
    join(folder, 'slow-clients.log'),
    store,
    `headersTimeout=${clientTimeout}`,
    `requestTimeout=${clientTimeout}`,
  ]);
  const beside = async (): Promise<() => void> => {
    const dribble = await Dribble.begin(process.port, slowClients);
    return () => dribble.end();
  };
  const contenders = await measure(
    {
      workload,
      firstRequest: 0,
      store: null,
      contenders: [
        { name: slowClientsNames.quiet, process },
        { name: slowClientsNames.beside, process, beside },
      ],
    },
    effort,
  );
  await process.stop();
  return { contenders };
}

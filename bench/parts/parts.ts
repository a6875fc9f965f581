import type { Part } from '../report/part.ts';
import { administration } from './administration.ts';
import { commands } from './commands.ts';
import { devices } from './devices.ts';
import { events } from './events/events.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { mongo } from './mongo.ts';
import { pages } from './pages.ts';
import { receipts } from './receipts.ts';
import { sizes } from './sizes.ts';
import { slowClients } from './slow-clients.ts';
import { soak } from './soak.ts';
import { sqlite } from './sqlite.ts';
import { trials } from './trials.ts';
import { workers } from './workers.ts';

/** The two comparisons of operations, by store. */
export const operations: readonly Part[] = [sqlite, mongo];

/** Every part, in the order in which they run. */
export const parts: readonly Part[] = [
  commands,
  pages,
  slowClients,
  administration,
  receipts,
  devices,
  trials,
  events,
  memory,
  workers,
  latency,
  sizes,
  soak,
  ...operations,
];

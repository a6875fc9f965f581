import { setTimeout as sleep } from 'node:timers/promises';
import type { RelayDatabase } from '../../../adapters/mongo/event/event-batches.ts';
import { InjectedFault } from '../failing.ts';
import type { SeededRandom } from '../random.ts';

/** A command of the relay: a `find` or a write. */
type Send = () => Promise<unknown>;

/** Counts what a faulty database has done. */
export interface FaultCounts {
  deaths: number;
  late: number;
  stalls: number;
}

/** Maximum milliseconds by which a command stalls or arrives late. */
const maxDelay = 60;

/**
 * A database in which one command of `rarity` fails: the process dies before it is sent, or after it was applied, or it
 * stalls with it, or it dies and the command arrives later. `late` collects the ends of those.
 */
export function faultyDatabase(database: RelayDatabase, { random, rarity, counts, late }: Faults): RelayDatabase {
  const send = async (command: Send): Promise<unknown> => {
    if (random.below(rarity) > 0) return command();
    const delay = random.below(maxDelay);
    switch (random.pick(['before', 'after', 'late', 'stall'] as const)) {
      case 'before':
        counts.deaths += 1;
        throw new InjectedFault();
      case 'after':
        counts.deaths += 1;
        await command();
        throw new InjectedFault();
      case 'late':
        counts.late += 1;
        late.push(sleep(delay).then(command));
        throw new InjectedFault();
      case 'stall':
        counts.stalls += 1;
        await sleep(delay);
        return command();
    }
  };
  return {
    findOnce: (...query) => send(() => database.findOnce(...query)) as ReturnType<RelayDatabase['findOnce']> as never,
    writeCommand: (command) => send(() => database.writeCommand(command)) as Promise<never>,
  };
}

export interface Faults {
  readonly random: SeededRandom;
  readonly rarity: number;
  readonly counts: FaultCounts;
  readonly late: Promise<unknown>[];
}

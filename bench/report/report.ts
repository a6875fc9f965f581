import type { AdministrationResults } from '../comparisons/administration.ts';
import type { CommandsResults } from '../comparisons/commands.ts';
import type { EventsResults } from '../comparisons/events.ts';
import type { MemoryResults } from '../comparisons/memory.ts';
import { mongoNames, type MongoComparison, type MongoResults } from '../comparisons/mongo-comparison.ts';
import type { PagesResults } from '../comparisons/pages.ts';
import type { Effort, Round } from '../comparisons/rounds.ts';
import type { SizesResults } from '../comparisons/sizes.ts';
import { slowClientsAim, slowClientsNames, type SlowClientsResults } from '../comparisons/slow-clients.ts';
import { medianOf } from '../comparisons/spread.ts';
import { sqliteNames, type SqliteComparison, type SqliteResults } from '../comparisons/sqlite-comparison.ts';
import type { WorkersResults } from '../comparisons/workers.ts';
import type { LatencyResults } from '../open-loop/latency.ts';
import type { SoakResults } from '../open-loop/soak.ts';
import { cpu, roundsOf, spread, table } from './table.ts';

/** When, where and with which effort something was measured. */
export interface Run {
  readonly date: string;
  readonly machine: string;
  readonly effort: Effort;
}

/** The figures of a run by part. Each part is kept on its own. */
export interface Results {
  readonly sqlite?: SqliteResults;
  readonly pages?: PagesResults;
  readonly mongo?: MongoResults;
  readonly slowClients?: SlowClientsResults;
  readonly commands?: CommandsResults;
  readonly memory?: MemoryResults;
  readonly administration?: AdministrationResults;
  readonly events?: EventsResults;
  readonly workers?: WorkersResults;
  readonly sizes?: SizesResults;
  readonly latency?: LatencyResults;
  readonly soak?: SoakResults;
}

/** The table of the comparison on SQLite. */
export function sqliteTable({ comparisons }: Pick<SqliteResults, 'comparisons'>): string {
  return table(
    ['operation', 'ceiling', 'ceiling again', 'Latchkey', 'share of the ceiling', 'aim', 'answers/s', 'p99', 'Express'],
    comparisons.map((comparison) => {
      const of = (name: string): readonly Round[] => roundsOf(comparison.contenders, name);
      const latchkey = of(sqliteNames.latchkey);
      return [
        comparison.operation,
        cpu(of(sqliteNames.ceiling)),
        cpu(of(sqliteNames.ceilingAgain)),
        cpu(latchkey),
        shareOfCeiling(comparison).toFixed(2),
        comparison.target?.toFixed(2) ?? '',
        medianOf(latchkey, 'requestsPerSecond').toFixed(0),
        `${medianOf(latchkey, 'p99').toFixed(1)} ms`,
        cpu(of(sqliteNames.express)),
      ];
    }),
  );
}

/** The table of the pages. */
export function pagesTable({ comparisons }: PagesResults): string {
  return table(
    ['page', 'bytes', 'ceiling', 'ceiling again', 'Latchkey', 'share of the ceiling', 'aim'],
    comparisons.map((comparison) => {
      const of = (name: string): string => cpu(roundsOf(comparison.contenders, name));
      return [
        comparison.operation,
        String(comparison.bytes),
        of(sqliteNames.ceiling),
        of(sqliteNames.ceilingAgain),
        of(sqliteNames.latchkey),
        shareOfCeiling(comparison).toFixed(2),
        comparison.target?.toFixed(2) ?? '',
      ];
    }),
  );
}

/** The ceiling's CPU per request, both times it was measured, divided by Latchkey's. */
export function shareOfCeiling({ contenders }: SqliteComparison): number {
  const ceiling = [...roundsOf(contenders, sqliteNames.ceiling), ...roundsOf(contenders, sqliteNames.ceilingAgain)];
  return medianOf(ceiling, 'cpu') / medianOf(roundsOf(contenders, sqliteNames.latchkey), 'cpu');
}

/** The table of the comparison on MongoDB: H is the hand-written peer, X is Express with mongoose. */
export function mongoTable({ comparisons }: Pick<MongoResults, 'comparisons'>): string {
  return table(
    [
      'operation',
      'Latchkey',
      'H',
      'X',
      'H ÷ Latchkey',
      'aim',
      'X ÷ Latchkey',
      'aim',
      'mongod for each',
      'alone',
      'aim',
    ],
    comparisons.map((comparison) => {
      const [latchkey, driver, mongoose] = contendersOf(comparison);
      const times = (rounds: readonly Round[]): string =>
        (medianOf(rounds, 'cpu') / medianOf(latchkey, 'cpu')).toFixed(1);
      return [
        comparison.operation,
        cpu(latchkey),
        cpu(driver),
        cpu(mongoose),
        times(driver),
        comparison.aims.driver.toFixed(1),
        times(mongoose),
        comparison.aims.mongoose.toFixed(1),
        [latchkey, driver, mongoose].map((rounds) => medianOf(rounds, 'storeCpu').toFixed(0)).join(', '),
        shareAlone(comparison).toFixed(2),
        comparison.aims.alone.toFixed(2),
      ];
    }),
  );
}

/** The table of one client, alone and beside slow ones. */
export function slowClientsTable({ contenders }: SlowClientsResults): string {
  const p99Alone = medianOf(roundsOf(contenders, slowClientsNames.quiet), 'p99');
  return table(
    ['one client', 'p50', 'p99', 'times', 'aim'],
    contenders.map(({ name, rounds }) => {
      const isAlone = name === slowClientsNames.quiet;
      const p99s = rounds.map(({ p99 }) => p99);
      return [
        name,
        `${medianOf(rounds, 'p50').toFixed(2)} ms`,
        spread(p99s, ' ms', 2),
        isAlone ? '' : (medianOf(rounds, 'p99') / p99Alone).toFixed(1),
        isAlone ? '' : `< ${slowClientsAim}`,
      ];
    }),
  );
}

function contendersOf({ together }: MongoComparison): readonly [readonly Round[], readonly Round[], readonly Round[]] {
  const of = (name: string): readonly Round[] => roundsOf(together, name);
  return [of(mongoNames.latchkey), of(mongoNames.driver), of(mongoNames.mongoose)];
}

/** What Latchkey answers one request at a time, as a share of what the hand-written peer answers. */
function shareAlone({ alone }: MongoComparison): number {
  const rate = (name: string): number => medianOf(roundsOf(alone, name), 'requestsPerSecond');
  return rate(mongoNames.latchkey) / rate(mongoNames.driver);
}

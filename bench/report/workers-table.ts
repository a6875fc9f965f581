import { spreadOf } from '../comparisons/spread.ts';
import { workersAim, type MeasuredWorkers, type WorkersResults, type WorkersRound } from '../comparisons/workers.ts';
import { spread, table } from './table.ts';

/** The table of what a verification costs one process and two workers. */
export function workersTable({ servers }: WorkersResults): string {
  return table(
    ['server', 'primary', 'workers', 'together', 'times on two cores', 'aim', 'answers/s beside the generator'],
    servers.map((server) => {
      const { workers, limited, rounds } = server;
      const one = servers.find((other) => other.workers === 1 && other.limited === limited);
      return [
        `${workers === 1 ? 'one process' : `${workers} workers`}${limited ? ', limited' : ''}`,
        workers === 1 ? '' : spread(rounds.map(({ primary }) => primary)),
        workers === 1 ? '' : spread(rounds.map((round) => round.workers)),
        spread(rounds.map(together)),
        workers === 1 ? '' : timesOn(server, one).toFixed(2),
        workers === 1 ? '' : `≥ ${workersAim}`,
        spread(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
      ];
    }),
  );
}

/** How many times the requests of one process fit into as many cores: the median of the ratios of the rounds. */
function timesOn({ workers, rounds }: MeasuredWorkers, one: MeasuredWorkers | undefined): number {
  const ratios = rounds.map((round, turn) => {
    const ofOne = one?.rounds[turn];
    return ofOne === undefined ? Number.NaN : (workers * together(ofOne)) / together(round);
  });
  return spreadOf(ratios).median;
}

function together({ primary, workers }: WorkersRound): number {
  return primary + workers;
}

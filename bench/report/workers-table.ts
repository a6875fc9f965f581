import { spreadOf } from '../comparisons/spread.ts';
import { workersAim, type MeasuredWorkers, type WorkersResults, type WorkersRound } from '../comparisons/workers.ts';
import { spread, table } from './table.ts';

/** The table of what a verification costs one process, two servers and two workers. */
export function workersTable({ servers }: WorkersResults): string {
  return table(
    ['server', 'primary', 'workers', 'together', 'times on two cores', 'aim', 'answers/s beside the generator'],
    servers.map((server) => {
      const { name, workers, limited, rounds } = server;
      const one = servers.find((other) => other.servers * other.workers === 1 && other.limited === limited);
      const times = one === server ? '' : timesOn(server, one).toFixed(2);
      const shared = workers > 1;
      return [
        `${name}${limited ? ', limited' : ''}`,
        shared ? spread(rounds.map(({ primary }) => primary)) : '',
        shared ? spread(rounds.map((round) => round.workers)) : '',
        spread(rounds.map(together)),
        times,
        shared ? `≥ ${workersAim}` : '',
        spread(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
      ];
    }),
  );
}

/** How many times the requests of one process fit into two cores: the median of the ratios of the rounds. */
function timesOn({ rounds }: MeasuredWorkers, one: MeasuredWorkers | undefined): number {
  const ratios = rounds.map((round, turn) => {
    const ofOne = one?.rounds[turn];
    return ofOne === undefined ? Number.NaN : (2 * together(ofOne)) / together(round);
  });
  return spreadOf(ratios).median;
}

function together({ primary, workers }: WorkersRound): number {
  return primary + workers;
}

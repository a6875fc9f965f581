import { dribble } from '../load/dribble.ts';
import { publicWorkloads } from '../load/workloads.ts';
import { medianOf, roundsOf, type Measured } from '../measure/figures.ts';
import { measure } from '../measure/rounds.ts';
import { part } from '../report/part.ts';
import { ms, spread, table } from '../report/table.ts';

const quiet = 'alone';

/** The aim: beside the slow clients, the 99th percentile is less than this many times as long. */
const aim = 5;

/** One client that verifies licenses one after another, alone and beside 500 that never finish a request. */
export const slowClients = part({
  name: 'slow-clients',
  about: 'milliseconds until the answer',
  async measure(site, { effort }) {
    // Short, so that in every round clients time out and others take their place.
    const flags = ['--headers-timeout', '1s', '--request-timeout', '1s'];
    const { data, server } = await site.seeded(site.sqlite('slow-clients'), 10_000, { flags });
    const contender = { server, workload: publicWorkloads(data).verification };
    const contenders = [
      { ...contender, name: quiet },
      { ...contender, name: 'beside 500 slow clients', beside: () => dribble(server.port, 500) },
    ];
    return { contenders: await measure(contenders, { ...effort, connections: 1 }) };
  },
  table: ({ contenders }) =>
    table(contenders, [
      ['one client', ({ name }) => name],
      ['p50', ({ rounds }) => ms(medianOf(rounds, 'p50'), 2)],
      [
        'p99',
        ({ rounds }) =>
          spread(
            rounds.map(({ p99 }) => p99),
            ' ms',
            2,
          ),
      ],
      ['times', ({ name, rounds }) => (name === quiet ? '' : times(rounds, roundsOf(contenders, quiet)))],
      ['aim', ({ name }) => (name === quiet ? '' : `< ${aim}`)],
    ]),
  length: ({ rounds, seconds }) => `; ${rounds} rounds of ${seconds} s`,
});

function times(rounds: Measured['rounds'], others: Measured['rounds']): string {
  return (medianOf(rounds, 'p99') / medianOf(others, 'p99')).toFixed(1);
}

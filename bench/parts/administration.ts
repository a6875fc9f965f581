import { adminWorkloads, publicWorkloads } from '../load/workloads.ts';
import { medianOf, roundsOf, type Measured } from '../measure/figures.ts';
import { measure } from '../measure/rounds.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { cpu, ms, rate, table } from '../report/table.ts';

const [smallPage, largePage] = ['page of 50 of the small list', 'page of 50 of the large list'];

/** The operation with which each is compared, and the aim: its CPU per request, divided by that of the other. */
const aims: Readonly<Record<string, readonly [other: string, times: number]>> = {
  grant: ['durable cancel', 1.3],
  renew: ['durable cancel', 1.1],
  'show by id': ['entitlement read', 1.1],
  [largePage]: [smallPage, 3],
};

/**
 * Operations of an operator beside public ones, in one process on SQLite; and a page of the list of entitlements on two
 * files: with a tenth of the licenses, and with ten times as many.
 */
export const administration = part({
  name: 'administration',
  about: cpuOfRequests,
  async measure(site, { licenses, effort }) {
    const served = async (name: string, count: number) => {
      const { data, server } = await site.seeded(site.sqlite(name), count, { hasAdmin: true });
      return { server, open: publicWorkloads(data), admin: adminWorkloads(data) };
    };
    const { server, open, admin } = await served('administration', licenses);
    const small = await served('small', Math.ceil(licenses / 10));
    const large = await served('large', licenses * 10);
    const contenders = [
      { name: 'durable cancel', server, workload: open['durable cancel'] },
      { name: 'grant', server, workload: admin.grant },
      { name: 'renew', server, workload: admin.renew },
      { name: 'entitlement read', server, workload: open['entitlement read'] },
      { name: 'show by id', server, workload: admin.show },
      { name: smallPage, server: small.server, workload: small.admin.page },
      { name: largePage, server: large.server, workload: large.admin.page },
    ];
    return { licenses, contenders: await measure(contenders, effort) };
  },
  table: ({ contenders }) =>
    table(contenders, [
      ['operation', ({ name }) => name],
      ['CPU', ({ rounds }) => cpu(rounds)],
      ['compared with', ({ name }) => aims[name]?.[0] ?? ''],
      ['times', ({ name, rounds }) => times(rounds, contenders, aims[name]?.[0])],
      ['aim', ({ name }) => (aims[name] === undefined ? '' : `≤ ${aims[name][1]}`)],
      ['answers/s', ({ rounds }) => rate(rounds)],
      ['p99', ({ rounds }) => ms(medianOf(rounds, 'p99'))],
    ]),
});

function times(rounds: Measured['rounds'], contenders: readonly Measured[], other: string | undefined): string {
  return other === undefined ? '' : (medianOf(rounds, 'cpu') / medianOf(roundsOf(contenders, other), 'cpu')).toFixed(2);
}

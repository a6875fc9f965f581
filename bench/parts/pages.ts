import { pageWorkloads } from '../load/workloads.ts';
import { besideCeiling } from '../measure/ceiling.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { ceilingColumns, table } from '../report/table.ts';

/** Pages of 10,000 listings on SQLite, beside the ceiling with as many bytes. */
export const pages = part({
  name: 'pages',
  about: cpuOfRequests,
  async measure(site, { effort }) {
    const { data, server } = await site.seeded(site.sqlite('pages'), 1000);
    const comparisons = [];
    for (const page of Object.entries(pageWorkloads(data))) {
      comparisons.push(await besideCeiling(site, page, server, {}, effort));
    }
    return { comparisons };
  },
  table: ({ comparisons }) =>
    table(comparisons, [
      ['page', ({ operation }) => operation],
      ['bytes', ({ bytes }) => String(bytes)],
      ...ceilingColumns({ marketplace: 0.35, listing: 0.35 }),
    ]),
});

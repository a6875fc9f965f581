import { deviceWorkloads } from '../load/workloads.ts';
import { medianOf } from '../measure/figures.ts';
import { measure, type Contender } from '../measure/rounds.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { cpu, ms, rate, table } from '../report/table.ts';

/** Activations of devices on SQLite and MongoDB: of one that has its seat, and of one that gets it. */
export const devices = part({
  name: 'devices',
  about: cpuOfRequests,
  async measure(site, { licenses, effort }) {
    const mongod = await site.mongod();
    const urls = { SQLite: site.sqlite('devices'), ...(mongod !== null && { MongoDB: mongod.url('devices') }) };
    const contenders: Contender[] = [];
    for (const [store, url] of Object.entries(urls)) {
      const { data, server } = await site.seeded(url, licenses);
      for (const [name, workload] of Object.entries(deviceWorkloads(data)))
        contenders.push({ name: `${name}, ${store}`, server, workload, store: store === 'MongoDB' ? mongod : null });
    }
    return { licenses, contenders: await measure(contenders, effort) };
  },
  table: ({ contenders }) =>
    table(contenders, [
      ['operation', ({ name }) => name],
      ['CPU', ({ rounds }) => cpu(rounds)],
      ['answers/s', ({ rounds }) => rate(rounds)],
      ['p99', ({ rounds }) => ms(medianOf(rounds, 'p99'))],
    ]),
});

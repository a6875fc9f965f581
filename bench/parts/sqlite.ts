import { copyFile } from 'node:fs/promises';
import { barChart } from '../charts/bars.ts';
import { publicWorkloads } from '../load/workloads.ts';
import { besideCeiling, ceilingNames } from '../measure/ceiling.ts';
import { medianOf, roundsOf, type Comparison, type Round } from '../measure/figures.ts';
import { cpuOfRequests, part } from '../report/part.ts';
import { ceilingColumns, cpuColumn, ms, rate, table } from '../report/table.ts';

const express = 'Express + better-sqlite3';

/** The shares of the ceiling that are aimed at. */
const aims = {
  verification: 0.55,
  'entitlement read': 0.5,
  'durable cancel': 0.2,
  slug: 0.75,
  'first page': 0.75,
  'search, one of 1,000': 0.22,
  'search, a new one each time': 0.28,
  waitlist: 0.42,
};

/** The public operations on SQLite, beside the ceiling and Express. */
export const sqlite = part({
  name: 'sqlite',
  about: cpuOfRequests,
  async measure(site, { licenses, effort, only }) {
    const { data, server } = await site.seeded(site.sqlite('latchkey'), licenses);
    const copy = site.file('express.db');
    await copyFile(site.file('latchkey.db'), copy);
    const peer = await site.start(['bench/peers/express-sqlite.ts', copy]);
    const comparisons = [];
    for (const operation of Object.entries(publicWorkloads(data)).filter(([name]) => name.includes(only))) {
      comparisons.push(await besideCeiling(site, operation, server, { [express]: peer }, effort));
    }
    return { licenses, comparisons };
  },
  table: ({ comparisons }) =>
    table(comparisons, [
      ['operation', ({ operation }) => operation],
      ...ceilingColumns(aims),
      ['answers/s', (comparison) => rate(latchkey(comparison))],
      ['p99', (comparison) => ms(medianOf(latchkey(comparison), 'p99'))],
      cpuColumn(express, 'Express'),
    ]),
  chart: ({ comparisons }) =>
    barChart({
      name: 'sqlite',
      title: 'CPU per request on SQLite',
      alternative: 'Bars: CPU per request of Latchkey, a bare server and Express on SQLite, by operation',
      comparisons,
      bars: [
        { contender: ceilingNames.ceiling, label: 'bare node:http, a constant', color: 1 },
        { contender: ceilingNames.latchkey, label: 'Latchkey', color: 0 },
        { contender: express, label: express, color: 2 },
      ],
    }),
});

function latchkey({ contenders }: Comparison): readonly Round[] {
  return roundsOf(contenders, ceilingNames.latchkey);
}

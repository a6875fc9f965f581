import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seedStore } from '../data/seed-store.ts';
import { ask } from '../load/load.ts';
import { catalogWorkloads, entitlementWorkloads, type Workload } from '../load/workloads.ts';
import { startProcess, type MeasuredProcess } from '../processes/measured-process.ts';
import { measure, type Effort, type Measured } from './rounds.ts';

/** One operation: Latchkey, the ceiling (measured twice) and, where one has it, a peer. */
export interface SqliteComparison {
  readonly operation: string;
  /** The share of the ceiling that is aimed at: its CPU per request divided by Latchkey's. */
  readonly target: number | null;
  readonly contenders: readonly Measured[];
}

export interface SqliteResults {
  readonly licenses: number;
  readonly comparisons: readonly SqliteComparison[];
}

/** Names of contenders, as tables show them. */
export const sqliteNames = {
  ceiling: 'ceiling',
  ceilingAgain: 'ceiling again',
  latchkey: 'Latchkey',
  express: 'Express + better-sqlite3',
} as const;

/**
 * Measures the operations whose name contains `only`, on a SQLite file with 10,000 listings and `licenses` licenses.
 */
export async function compareOnSqlite(
  folder: string,
  licenses: number,
  effort: Effort,
  only: string,
  report: (comparison: SqliteComparison) => void,
): Promise<SqliteResults> {
  const file = join(folder, 'latchkey.db');
  const data = await seedStore(`sqlite:${file}`, licenses);
  await copyFile(file, join(folder, 'express.db'));
  const workloads = [...entitlementWorkloads(data), ...catalogWorkloads(data)] as const;
  const latchkey = await startProcess(['bench/processes/latchkey.ts', join(folder, 'latchkey.log'), `sqlite:${file}`]);
  const express = await startProcess([
    'bench/peers/express-sqlite/main.ts',
    join(folder, 'express.log'),
    join(folder, 'express.db'),
  ]);
  const comparisons: SqliteComparison[] = [];
  for (const workload of workloads.filter(({ name }) => name.includes(only))) {
    const comparison = await compare(workload, { latchkey, express }, folder, effort);
    report(comparison);
    comparisons.push(comparison);
  }
  await Promise.all([latchkey.stop(), express.stop()]);
  return { licenses, comparisons };
}

/** Compares Latchkey with a constant of the same size and, unless it is null, with the peer. */
export async function compare(
  workload: Workload,
  { latchkey, express }: { readonly latchkey: MeasuredProcess; readonly express: MeasuredProcess | null },
  folder: string,
  effort: Effort,
): Promise<SqliteComparison> {
  const { length } = await ask(latchkey.port, workload.request(0), 200);
  const startCeiling = (log: string): Promise<MeasuredProcess> =>
    startProcess(['bench/peers/ceiling.ts', join(folder, log), String(length)]);
  const [ceiling, ceilingAgain] = [await startCeiling('ceiling.log'), await startCeiling('ceiling-again.log')];
  const contenders = await measure(
    {
      workload,
      firstRequest: 0,
      store: null,
      contenders: [
        { name: sqliteNames.ceiling, process: ceiling },
        { name: sqliteNames.ceilingAgain, process: ceilingAgain },
        { name: sqliteNames.latchkey, process: latchkey },
        ...(express === null ? [] : [{ name: sqliteNames.express, process: express }]),
      ],
    },
    effort,
  );
  await Promise.all([ceiling.stop(), ceilingAgain.stop()]);
  return { operation: workload.name, target: workload.target, contenders };
}

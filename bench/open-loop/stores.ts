import { join } from 'node:path';
import { seedStore, type Data } from '../data/seed-store.ts';
import { startProcess, type MeasuredProcess } from '../processes/measured-process.ts';
import { startMongod } from '../processes/mongod.ts';

/** Latchkey on a seeded store. */
export interface OnStore {
  readonly store: string;
  readonly data: Data;
  readonly latchkey: MeasuredProcess;
  /** Whether the load generator may poll: nothing else needs its core. */
  readonly poll: boolean;
}

/** Measures Latchkey on SQLite and then, where there is a `mongod` on the PATH, on MongoDB. */
export async function onEachStore<T>(
  folder: string,
  licenses: number,
  log: string,
  measure: (on: OnStore) => Promise<T>,
): Promise<readonly T[]> {
  const on = async (store: string, url: string): Promise<T> => {
    const data = await seedStore(url, licenses);
    const latchkey = await startProcess(['bench/processes/latchkey.ts', log, url]);
    const measured = await measure({ store, data, latchkey, poll: store === 'SQLite' });
    await latchkey.stop();
    return measured;
  };
  const onSqlite = await on('SQLite', `sqlite:${join(folder, 'each-store.db')}`);
  const mongod = await startMongod(folder);
  if (mongod === null) return [onSqlite];
  try {
    return [onSqlite, await on('MongoDB', mongod.url('each_store'))];
  } finally {
    await mongod.stop();
  }
}

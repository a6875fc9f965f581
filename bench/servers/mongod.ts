import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { freePort, Process } from './process.ts';

/** A replica set of one, on the core of the load generator. */
export interface Mongod extends Pick<Process, 'cpu' | 'stop'> {
  url(database: string): string;
}

/** Starts the `mongod` on the PATH with its files in a folder. Returns null if there is no `mongod`. */
export async function startMongod(folder: string): Promise<Mongod | null> {
  const exists = await promisify(execFile)('mongod', ['--version']).then(
    () => true,
    () => false,
  );
  if (!exists) return null;
  const files = join(folder, 'mongod');
  await mkdir(files);
  const port = await freePort();
  const place = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', files, '--quiet'];
  const options = ['--replSet', 'bench', '--wiredTigerCacheSizeGB', '1', '--logpath', `${files}.log`];
  const mongod = new Process('0', ['mongod', ...place, ...options], `${files}.err`);
  await initiate(port);
  return {
    url: (database) => `mongodb://127.0.0.1:${port}/${database}?directConnection=true`,
    cpu: () => mongod.cpu(),
    stop: () => mongod.stop(),
  };
}

/** Copies a whole database, its indexes included, inside the server. */
export async function copyDatabase(mongod: Mongod, from: string, to: string): Promise<void> {
  const client = await new MongoClient(mongod.url(from)).connect();
  try {
    for (const collection of await client.db().collections()) {
      const { collectionName: coll } = collection;
      await collection.aggregate([{ $out: { db: to, coll } }]).toArray();
      const own = (await collection.indexes()).filter(({ name }) => name !== '_id_');
      if (own.length > 0) await client.db(to).collection(coll).createIndexes(own);
    }
  } finally {
    await client.close();
  }
}

async function initiate(port: number): Promise<void> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/admin?directConnection=true`);
  try {
    await client.connect();
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await client.db().command({ replSetInitiate: { _id: 'bench', members } });
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if ((await client.db().command({ hello: 1 }))['isWritablePrimary'] === true) return;
      await sleep(100);
    }
    throw new Error('mongod did not become a primary in ten seconds');
  } finally {
    await client.close();
  }
}

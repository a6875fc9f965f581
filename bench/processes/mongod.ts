import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { cpuOf, type CpuMeter } from './cpu-meter.ts';

/** A replica set of one, on the core of the load generator. */
export interface Mongod extends CpuMeter {
  url(database: string): string;
  stop(): Promise<void>;
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
  const place = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', files];
  const child = spawn(
    'taskset',
    ['-c', '0', 'mongod', ...place, '--replSet', 'bench', '--wiredTigerCacheSizeGB', '1'],
    {
      stdio: 'ignore',
    },
  );
  process.once('exit', () => child.kill()); // also where a measurement fails
  await initiate(port);
  return {
    url: (database) => `mongodb://127.0.0.1:${port}/${database}?directConnection=true`,
    cpu: () => cpuOf(child),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Copies a whole database, its indexes included, inside the server. */
export async function copyDatabase(mongod: Mongod, from: string, to: string): Promise<void> {
  const client = await new MongoClient(mongod.url(from)).connect();
  try {
    for (const { collectionName: name } of await client.db().collections()) {
      const indexes = await client.db().collection(name).indexes();
      const target = client.db(to).collection(name);
      await client
        .db()
        .collection(name)
        .aggregate([{ $out: { db: to, coll: name } }])
        .toArray();
      const own = indexes.filter((index) => index.name !== '_id_');
      if (own.length > 0) await target.createIndexes(own);
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('there is no free port');
  return address.port;
}

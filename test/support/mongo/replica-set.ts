import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import type { Mongod, Servers } from './mongod.ts';

const states = { primary: 1, secondary: 2 };

export async function primaryOf(servers: Servers): Promise<Mongod> {
  const { primary } = await commandTo(servers.url('admin'), { hello: 1 });
  const node = servers.nodes.find(({ port }) => String(primary).endsWith(`:${port}`));
  if (node === undefined) throw new Error('there is no primary');
  return node;
}

/** Resolves when every member is a primary or a secondary again. */
export async function membersReady(servers: Servers): Promise<void> {
  for (;;) {
    const { members } = await commandTo(servers.url('admin'), { replSetGetStatus: 1 });
    const ready = members.every(
      ({ state, health }: { readonly state: number; readonly health: number }) =>
        health === 1 && Object.values(states).includes(state),
    );
    if (ready) return;
    await sleep(100);
  }
}

/** Makes a primary step down; it does not stand for election for a minute. */
export async function stepDown(node: Mongod): Promise<void> {
  await commandTo(directUrl(node, 'admin'), { replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
}

/** The address of a database on one member, whatever its role. */
export function directUrl({ port }: Mongod, database: string): string {
  return `mongodb://127.0.0.1:${port}/${database}?directConnection=true`;
}

export async function commandTo(url: string, command: Document): Promise<Document> {
  const client = new MongoClient(url);
  try {
    return await client.db().command(command);
  } finally {
    await client.close();
  }
}

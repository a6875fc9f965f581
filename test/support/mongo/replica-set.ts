import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Document } from 'mongodb';
import type { Mongod, Servers } from './mongod.ts';

const [primaryState, secondaryState] = [1, 2];

/** Milliseconds after which a test fails whose members do not become ready, with what they are. */
const maxReadyTime = 120_000;

interface Member {
  readonly state: number;
  readonly health: number;
  /** Its last write: `t` is the term of the primary that made it. */
  readonly optime: { readonly t: unknown };
}

export async function primaryOf(servers: Servers): Promise<Mongod> {
  const { primary } = await commandTo(servers.url('admin'), { hello: 1 });
  const node = servers.nodes.find(({ port }) => String(primary).endsWith(`:${port}`));
  if (node === undefined) throw new Error('there is no primary');
  return node;
}

/** A member that is not the primary. */
export function secondaryOf({ nodes }: Servers, primary: Mongod): Mongod {
  const secondary = nodes.find((node) => node !== primary);
  if (secondary === undefined) throw new Error('there is no secondary');
  return secondary;
}

/**
 * Resolves when every member is a primary or a secondary and has a write of the present primary. A member that has
 * just been started has not: it may still have to undo writes that no majority received.
 */
export async function membersReady(servers: Servers): Promise<void> {
  const until = performance.now() + maxReadyTime;
  const client = new MongoClient(servers.url('admin'));
  try {
    for (;;) {
      const { members, term } = await client.db().command({ replSetGetStatus: 1 });
      const isReady = ({ state, health, optime }: Member): boolean =>
        health === 1 && (state === primaryState || state === secondaryState) && Number(optime.t) === Number(term);
      if (members.every(isReady)) return;
      if (performance.now() > until) throw new Error(`not ready in term ${term}: ${JSON.stringify(members)}`);
      await sleep(100);
    }
  } finally {
    await client.close();
  }
}

/** Makes a primary step down; it does not stand for election for a minute. */
export async function stepDown(node: Mongod): Promise<void> {
  await commandTo(directUrl(node, 'admin'), { replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
}

/**
 * Keeps the secondaries of a primary from learning what a majority has, from now on: they still receive and confirm the
 * writes that come next.
 */
export async function hideCommits(primary: Mongod): Promise<void> {
  const failCommands = ['getMore', 'replSetHeartbeat'];
  const data = { failCommands, failInternalCommands: true, blockConnection: true, blockTimeMS: 60_000 };
  await commandTo(directUrl(primary, 'admin'), { configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
}

/** Keeps a secondary from receiving writes. It still votes. */
export async function stopReplication(secondary: Mongod): Promise<void> {
  await commandTo(directUrl(secondary, 'admin'), { configureFailPoint: 'stopReplProducer', mode: 'alwaysOn' });
}

export async function resumeReplication(secondary: Mongod): Promise<void> {
  await commandTo(directUrl(secondary, 'admin'), { configureFailPoint: 'stopReplProducer', mode: 'off' });
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

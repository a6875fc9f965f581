import { MongoClient } from 'mongodb';
import { freePorts } from '../free-ports.ts';
import { startContainer } from './container.ts';
import { findHost } from './find-host.ts';
import { onThisMachine, type Machine } from './machine.ts';

/** One server that can be killed, frozen and started again. */
export interface Mongod {
  readonly port: number;
  start(): Promise<void>;
  signal(name: 'KILL' | 'STOP' | 'CONT'): Promise<void>;
}

export interface Servers {
  readonly nodes: readonly Mongod[];
  /** The address of a database on them. */
  url(database: string): string;
  end(): Promise<void>;
}

/** Starts a replica set of `members` servers, or with `null` one that stands alone, and waits until it takes writes. */
export async function startServers(members: number | null): Promise<Servers> {
  const ports = await freePorts(members ?? 1);
  const machine = await findMachine(ports);
  const nodes = ports.map((port) => mongodOn(machine, port, members !== null));
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const query = members === null ? 'directConnection=true' : 'replicaSet=rs0';
  const url = (database: string): string => `mongodb://${hosts.join(',')}/${database}?${query}`;
  for (const node of nodes) await node.start();
  if (members !== null) await initiate(hosts);
  await new MongoClient(url('admin')).connect().then((client) => client.close());
  const end = async (): Promise<void> => {
    for (const node of nodes) await node.signal('KILL').catch(() => {});
    await machine.remove();
  };
  return { nodes, url, end };
}

function mongodOn(machine: Machine, port: number, inSet: boolean): Mongod {
  const files = machine.directoryOf(port);
  const parameters = ['enableTestCommands=1', 'diagnosticDataCollectionEnabled=false'];
  const start = [
    `mongod --port ${port} --bind_ip ${machine.listensOn} --dbpath ${files} --wiredTigerCacheSizeGB 0.25`,
    ...parameters.map((parameter) => `--setParameter ${parameter}`),
    ...(inSet ? ['--replSet rs0'] : []),
    `--fork --logpath ${files}/log --logappend --pidfilepath ${files}/pid`,
  ];
  return {
    port,
    start: () => machine.run(start.join(' ')),
    signal: (name) => machine.run(`kill -${name} $(cat ${files}/pid)`),
  };
}

/** Elections after a tenth of the usual timeout, so that a lost primary is replaced within two seconds. */
async function initiate(hosts: readonly string[]): Promise<void> {
  const client = new MongoClient(`mongodb://${hosts[0]}/admin?directConnection=true`);
  await client.db().command({
    replSetInitiate: {
      _id: 'rs0',
      members: hosts.map((host, _id) => ({ _id, host })),
      settings: { electionTimeoutMillis: 1000, heartbeatIntervalMillis: 200 },
    },
  });
  await client.close();
}

async function findMachine(ports: readonly number[]): Promise<Machine> {
  const host = await findHost();
  if (host === null)
    throw new Error(
      'The MongoDB tests need Docker or a mongod on the PATH: `npm test` leaves them out where both are missing.',
    );
  return host === 'container' ? startContainer(ports) : onThisMachine(ports);
}

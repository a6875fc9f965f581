import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';

const execute = promisify(execFile);

/** Where servers run: a container or this machine. Both know them by the same ports and process ids. */
interface Machine {
  /** Runs a shell command and throws when it fails. */
  run(command: string): Promise<void>;
  /** An empty directory for one server's files. */
  directoryOf(port: number): string;
  remove(): Promise<void>;
}

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

/** Starts a replica set of so many servers, or with `null` one that stands alone, and waits until it takes writes. */
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
    `mongod --port ${port} --bind_ip_all --dbpath ${files} --wiredTigerCacheSizeGB 0.25`,
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

/** Elections a tenth as patient as usual, so that a lost primary is replaced within two seconds. */
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
  const wanted = process.env['MONGODB_FROM'];
  if (wanted !== 'binary' && (await hasDocker())) return container(ports);
  if (wanted !== 'container' && (await hasMongod())) return thisMachine(ports);
  throw new Error(
    'The MongoDB tests need Docker or a mongod on the PATH: install one, name a server in MONGODB_URI, or run `npm test -- --without mongodb`.',
  );
}

function hasDocker(): Promise<boolean> {
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}

function hasMongod(): Promise<boolean> {
  return execute('mongod', ['--version']).then(
    () => true,
    () => false,
  );
}

async function container(ports: readonly number[]): Promise<Machine> {
  // What removes forgotten containers is an image of its own, which not every machine can get: this one ends by itself.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  const started = await new GenericContainer('mongo:6.0')
    .withCommand(['sleep', '1200'])
    .withExposedPorts(...ports.map((port) => ({ container: port, host: port })))
    .withTmpFs(Object.fromEntries(ports.map((port) => [`/data/${port}`, 'rw'])))
    .withWaitStrategy(Wait.forSuccessfulCommand('true'))
    .withAutoRemove(true)
    .start();
  return {
    async run(command) {
      const { exitCode, output } = await started.exec(['sh', '-c', command]);
      if (exitCode !== 0) throw new Error(`${command}: ${output}`);
    },
    directoryOf: (port) => `/data/${port}`,
    async remove() {
      await started.stop({ timeout: 0 });
    },
  };
}

async function thisMachine(ports: readonly number[]): Promise<Machine> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-mongod-'));
  for (const port of ports) await mkdir(join(directory, String(port)));
  return {
    async run(command) {
      await execute('sh', ['-c', command]);
    },
    directoryOf: (port) => join(directory, String(port)),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = server.address();
      return typeof address === 'object' ? (address?.port ?? 0) : 0;
    }),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

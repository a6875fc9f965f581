import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seedStore, type Data } from '../data/seed-store.ts';
import { startMongod, type Mongod } from './mongod.ts';
import { freePort, Process } from './process.ts';

/** A server that is measured. */
export interface Server extends Pick<Process, 'cpu' | 'cpuOfWorkers' | 'rss' | 'stop'> {
  readonly port: number;
  /** Null if it does not serve the administration. */
  readonly adminPort: number | null;
}

/** The options by which a server is started. */
export interface Start {
  /** Core 1 unless given. The load generator has core 0. */
  readonly cores?: string;
  /** A file of its own unless given. */
  readonly log?: string;
}

/** The options by which Latchkey is started. */
export interface LatchkeyStart extends Start {
  /** The program, unless it is that of these sources. */
  readonly program?: string;
  /** Of `serve`, beside the store and the port. */
  readonly flags?: readonly string[];
  readonly hasAdmin?: boolean;
}

/** A kind of store, and where its databases are. */
export interface StoreKind {
  readonly store: 'SQLite' | 'MongoDB';
  url(database: string): string;
  /** The server of the store, if it has one. */
  readonly mongod: Mongod | null;
}

/** A folder for the files of one part, and the servers that it starts there, which end with it. */
export class Site {
  readonly folder: string;
  /** Of every program that is started. Modules that are compiled are kept in the folder. */
  readonly env: NodeJS.ProcessEnv;
  readonly #started: Pick<Process, 'stop'>[] = [];

  constructor(folder: string) {
    this.folder = folder;
    this.env = { PATH: process.env['PATH'], NODE_ENV: 'production', XDG_CACHE_HOME: folder };
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  sqlite(database: string): string {
    return `sqlite:${this.file(`${database}.db`)}`;
  }

  /** Starts the `mongod` on the PATH; null if there is none. */
  async mongod(): Promise<Mongod | null> {
    const mongod = await startMongod(this.folder);
    if (mongod !== null) this.#started.unshift(mongod);
    return mongod;
  }

  /** SQLite and then, if there is a `mongod` on the PATH, MongoDB. */
  async *stores(): AsyncGenerator<StoreKind> {
    yield { store: 'SQLite', url: (database) => this.sqlite(database), mongod: null };
    const mongod = await this.mongod();
    if (mongod !== null) yield { store: 'MongoDB', url: (database) => mongod.url(database), mongod };
  }

  /** Runs a program with Node. Once it listens, it prints a line of JSON with its `address`. */
  async start(
    args: readonly string[],
    { cores = '1', log }: Start = {},
    adminPort: number | null = null,
  ): Promise<Server> {
    const file = log ?? this.file(`server-${this.#started.length}.log`);
    const server = new Process(cores, [process.execPath, ...args], file, this.env);
    this.#started.push(server);
    const line = await server.firstLine();
    if (line === undefined) throw new Error(`${args.join(' ')} ended: ${await readFile(file, 'utf8')}`);
    const { address }: { readonly address: string } = JSON.parse(line);
    return Object.assign(server, { port: Number(new URL(address).port), adminPort });
  }

  /** Serves Latchkey over a store, as its operators do. */
  async latchkey(
    store: string,
    { program = 'app/main.js', flags = [], hasAdmin, ...start }: LatchkeyStart = {},
  ): Promise<Server> {
    const adminPort = hasAdmin ? await freePort() : null;
    const admin = adminPort === null ? [] : ['--admin-port', String(adminPort)];
    return this.start(
      [program, 'serve', '--store', store, '--port', '0', '--json', ...admin, ...flags],
      start,
      adminPort,
    );
  }

  /** Creates a store with a number of licenses, and serves Latchkey over it. */
  async seeded(
    store: string,
    licenses: number,
    { listings, ...start }: LatchkeyStart & { readonly listings?: number } = {},
  ): Promise<{ readonly data: Data; readonly server: Server }> {
    const data = await seedStore(store, licenses, listings);
    return { data, server: await this.latchkey(store, start) };
  }

  /** Stops what was started, and servers of stores last. */
  async stop(): Promise<void> {
    for (const started of this.#started.toReversed()) await started.stop();
  }
}

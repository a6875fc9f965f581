import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { fillStore } from '../stores/filled-store.ts';
import type { StoreAddress } from '../stores/stores.ts';
import type { ObservedEndpoint } from '../webhooks/observed-endpoint.ts';
import type { History } from '../workload/history.ts';
import { HttpTraffic } from '../workload/http-traffic.ts';
import { startServerProcess, type ServerProcess, type ServerProcessOptions } from './server-process.ts';

const ids = ['ent_1', 'ent_2', 'ent_3'];

/** The clients and the endpoint that run beside the requests while a server is killed. */
interface Beside {
  readonly clients: readonly { run(): Promise<void>; stop(): void }[];
  readonly endpoint: ObservedEndpoint;
}

/** A server on a store of its own, which is killed and started again. */
export class KilledServer {
  readonly traffic: HttpTraffic;
  readonly #store: StoreAddress;
  readonly #options: ServerProcessOptions;
  #process: ServerProcess | null = null;

  private constructor(store: StoreAddress, appKey: string, options: ServerProcessOptions) {
    this.traffic = new HttpTraffic(appKey, ids, () => [this.url]);
    this.#store = store;
    this.#options = options;
  }

  /** Fills the store with three entitlements, `ent_1` to `ent_3`, that the app key may change. */
  static async on(store: StoreAddress, appKey: string, options: ServerProcessOptions = {}): Promise<KilledServer> {
    await fillStore(store.url, appKey, ids);
    return new KilledServer(store, appKey, options);
  }

  /** One to which no connection can be made while there is no server. */
  get url(): string {
    return this.#process?.url ?? 'http://127.0.0.1:1';
  }

  async start(): Promise<void> {
    this.#process = await startServerProcess(this.#store.url, this.#options);
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async remove(): Promise<void> {
    await this.kill();
    await this.#store.remove();
  }

  /** Kills it `times` times while it has traffic, and leaves it running. */
  async historyOf(times: number, beside: Beside | null = null): Promise<History> {
    const { traffic } = this;
    if (this.#process === null) await this.start();
    const before = await traffic.read();
    const clients = traffic.run();
    const others = Promise.all(beside?.clients.map((client) => client.run()) ?? []);
    for (let kill = 0; kill < times; kill += 1) {
      traffic.hurry(true);
      await Promise.race([traffic.progress(10 + Math.random() * 50), clients]);
      await pause(Math.random() * 10);
      await this.kill();
      traffic.hurry(false);
      await beside?.endpoint.free();
      await this.start();
    }
    // So many as a busy machine may not have got done before.
    await eventually(
      async () => beside?.endpoint.deliveries ?? Infinity,
      (deliveries) => deliveries > times,
    );
    traffic.stop();
    await clients;
    await traffic.repeatAll();
    for (const client of beside?.clients ?? []) client.stop();
    await others;
    return { before, attempts: traffic.attempts, after: await traffic.read() };
  }
}

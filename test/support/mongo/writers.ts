import { setTimeout as sleep } from 'node:timers/promises';
import { range } from '../range.ts';
import { violations } from '../workload/history.ts';
import { HttpTraffic } from '../workload/http-traffic.ts';

/** Milliseconds between two requests of a writer: what recovers beside them needs the processor. */
const writerPause = 200;

type Snapshots = Awaited<ReturnType<HttpTraffic['read']>>;

/** Instants of a request in milliseconds. */
interface Times {
  readonly url: string | undefined;
  readonly sent: number;
  /** Null until it is answered. */
  answered: number | null;
}

/** Clients that change entitlements, one request after another. Each request is repeated with its key until it succeeds. */
export class Writers {
  readonly #ids: readonly string[];
  readonly #traffic: HttpTraffic;
  #urls: readonly string[];
  #history: { readonly before: Snapshots; readonly after: Snapshots } = { before: [], after: [] };
  #running: readonly Promise<void>[] = [];
  #stopped = false;
  #abandoned = false;
  /** Those since they were sent to the present services. */
  #requests: Times[] = [];

  constructor(appKey: string, ids: readonly string[], urls: readonly string[]) {
    this.#ids = ids;
    this.#urls = urls;
    this.#traffic = new HttpTraffic(appKey, ids, () => this.#urls);
  }

  /** Resolves when all of them are writing. */
  async start(count: number): Promise<void> {
    this.#history = { before: await this.#traffic.read(), after: [] };
    this.#running = range(count).map((writer) => this.#write(writer));
    await this.moreSuccesses();
  }

  /** Sends what comes next to other services, and returns how long an answer usually takes there, in milliseconds. */
  async moveTo(urls: readonly string[]): Promise<number> {
    this.#urls = urls;
    await this.moreSuccesses();
    this.#requests = [];
    await this.moreSuccesses();
    const times = this.#requests.flatMap(({ sent, answered }) => (answered === null ? [] : [answered - sent]));
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  }

  /** Counts the requests at one of the present services that take longer, in milliseconds, answered or not. */
  longerThan(limit: number, at: string): number {
    const now = performance.now();
    return this.#requests.filter(({ url, sent, answered }) => url === at && (answered ?? now) - sent > limit).length;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Lets them end without an outcome of their last requests. */
  abandon(): void {
    this.#stopped = true;
    this.#abandoned = true;
  }

  /** Stops them, and returns where the history of their requests breaks a promise. */
  async violations(): Promise<readonly string[]> {
    await this.stop();
    this.#history = { ...this.#history, after: await this.#traffic.read() };
    return violations({ ...this.#history, attempts: this.#traffic.attempts });
  }

  /** The entitlements before the first change and after the last one. */
  get history(): { readonly before: Snapshots; readonly after: Snapshots } {
    return this.#history;
  }

  /** The number of changes. */
  get changes(): number {
    return versionsOf(this.#history.after) - versionsOf(this.#history.before);
  }

  /** Resolves when 40 more requests have succeeded. */
  moreSuccesses(): Promise<void> {
    return this.#traffic.progress(40);
  }

  async #write(writer: number): Promise<void> {
    for (let request = 0; !this.#stopped; request += 1) {
      const entitlementId = this.#ids[(writer * 5 + request * 7) % this.#ids.length] ?? '';
      const operation = (request + writer) % 3 === 0 ? 'resume' : 'cancel';
      const change = { entitlementId, operation, key: `writer-${writer}-${request}` } as const;
      for (let done = false; !done && !this.#abandoned;) {
        const url = this.#urls[(writer + request) % this.#urls.length];
        const times: Times = { url, sent: performance.now(), answered: null };
        this.#requests.push(times);
        const { outcome } = await this.#traffic.send(change, url);
        times.answered = performance.now();
        done = outcome.kind === 'success';
      }
      await sleep(writerPause);
    }
  }
}

function versionsOf(snapshots: Snapshots): number {
  return snapshots.reduce((sum, { version }) => sum + version, 0);
}

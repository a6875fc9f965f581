import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CancellationOperation } from '../../../core/entitlement/cancellation.ts';
import type { Attempt, SeenSnapshot } from './history.ts';

/** Milliseconds after which a client that gets no answer fails the test. */
const timeout = 300_000;
const clientsPerEntitlement = 3;

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

/** Milliseconds between two requests of a client: what starts or works beside them needs the processor, too. */
const interval = 200;

/** The clients of one entitlement must send fewer than the 1,000 changes that it may have recorded. */
const changesOfEachClient = 300;

interface Sent {
  readonly entitlementId: string;
  readonly operation: CancellationOperation;
  readonly key: string;
}

/**
 * HTTP clients that cancel and resume some entitlements, several clients for each. Every request has its own key, is
 * retried until its outcome is known, and sometimes once more. Keeps every attempt, for the check of the history.
 */
export class HttpTraffic {
  readonly attempts: Attempt[] = [];
  readonly #appKey: string;
  readonly #entitlementIds: readonly string[];
  /** The servers that run now. Each request goes to one of them at random. */
  readonly #urls: () => readonly string[];
  #moment = 0;
  #answers = 0;
  #stopped = false;
  #isHurried = false;

  constructor(appKey: string, entitlementIds: readonly string[], urls: () => readonly string[]) {
    this.#appKey = appKey;
    this.#entitlementIds = entitlementIds;
    this.#urls = urls;
  }

  /** Resolves when the clients have stopped and the outcome of every request is known. */
  async run(): Promise<void> {
    const clients = this.#entitlementIds.flatMap((id) =>
      Array.from({ length: clientsPerEntitlement }, () => this.#client(id)),
    );
    try {
      await Promise.all(clients);
    } finally {
      this.stop();
    }
  }

  /** Resolves when that many more requests have been answered, or the clients have stopped. */
  async progress(answers: number): Promise<void> {
    const goal = this.#answers + answers;
    while (this.#answers < goal && !this.#stopped) await pause(10);
  }

  /** Lets its clients send one request after another without a pause, so that a kill hits as many as there are. */
  hurry(isHurried: boolean): void {
    this.#isHurried = isHurried;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Sends a request, to a given server or random ones, until it succeeds. Returns the body. */
  async settle(sent: Sent, server?: string): Promise<string> {
    const until = performance.now() + timeout;
    while (performance.now() < until) {
      const attempt = await this.send(sent, server);
      if (attempt.outcome.kind === 'success') return attempt.outcome.body;
      await pause(retryInterval);
    }
    throw new Error(`${sent.key} had no outcome within ${timeout} ms`);
  }

  /** Sends a request once, to a given server or a random one. */
  async send({ entitlementId, operation, key }: Sent, server = this.#url()): Promise<Attempt> {
    const sent = this.#next();
    const outcome = await this.#outcome(`${server}/api/app-entitlements/${entitlementId}/${operation}`, key);
    const attempt = { entitlementId, operation, key, sent, outcome };
    this.attempts.push(attempt);
    return attempt;
  }

  /** Sends every request once more. */
  async repeatAll(): Promise<void> {
    for (const [, [first]] of Map.groupBy(this.attempts, ({ key }) => key)) {
      if (first !== undefined) await this.settle(first);
    }
  }

  /** Reads its entitlements, or others, from a server. */
  async read(ids = this.#entitlementIds): Promise<readonly SeenSnapshot[]> {
    return Promise.all(
      ids.map(async (id) => {
        const response = await fetch(`${this.#url()}/api/app-entitlements/${id}`, { headers: this.#credential() });
        const { data }: { readonly data: SeenSnapshot } = JSON.parse(await response.text());
        return data;
      }),
    );
  }

  async #client(entitlementId: string): Promise<void> {
    let earlier: Sent | null = null;
    for (let count = 0; count < changesOfEachClient && !this.#stopped; count += 1) {
      const operation = Math.random() < 0.5 ? 'cancel' : 'resume';
      const sent = { entitlementId, operation, key: randomUUID() } as const;
      await this.#settleBehindOpposite(sent);
      if (Math.random() < 0.2) await this.settle(earlier ?? sent);
      earlier = sent;
      if (!this.#isHurried) await pause(interval);
    }
  }

  /**
   * Repeats a request without an outcome behind the opposite one: alone, it would find its own change where only the record
   * of it was lost, and be answered as if it had been carried out once.
   */
  async #settleBehindOpposite(sent: Sent): Promise<void> {
    const { outcome } = await this.send(sent);
    if (outcome.kind === 'success') return;
    const operation = sent.operation === 'cancel' ? 'resume' : 'cancel';
    await this.settle({ ...sent, operation, key: randomUUID() });
    await this.settle(sent);
  }

  async #outcome(url: string, key: string): Promise<Attempt['outcome']> {
    let response: Response;
    let body: string;
    try {
      const headers = { ...this.#credential(), 'idempotency-key': key };
      response = await fetch(url, { method: 'POST', headers, signal: AbortSignal.timeout(timeout) });
      body = await response.text();
    } catch {
      return { kind: 'unknown' };
    }
    if (response.headers.get('error-code') === 'store_unavailable') return { kind: 'unknown' };
    if (response.status !== 200) throw new Error(`${url} was answered ${response.status} ${body}`);
    this.#answers += 1;
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { kind: 'success', answered: this.#next(), body, replayed };
  }

  #credential(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.#appKey}` };
  }

  #url(): string {
    const urls = this.#urls();
    return urls[Math.floor(Math.random() * urls.length)] ?? '';
  }

  #next(): number {
    this.#moment += 1;
    return this.#moment;
  }
}

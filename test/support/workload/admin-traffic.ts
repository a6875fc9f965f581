import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { HistoryOperation } from '../../../core/entitlement/history-entry.ts';
import { day } from '../builders.ts';
import { adminViolations, type AdminRequest, type SeenEntry } from './admin-history.ts';

/** Milliseconds after which a client that gets no answer fails the test. */
const timeout = 300_000;

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

/** Changes of one entitlement: fewer than its history keeps. */
const maxChanges = 90;

/** Later than the end that the entitlements begin with. */
const firstEnd = Date.parse('2099-01-02T00:00:00.000Z');

interface Step {
  readonly path: string;
  readonly operation: HistoryOperation;
  readonly body?: object;
}

/** HTTP clients, one for each entitlement, that renew it, change its tier, suspend it and reinstate it in turn. */
export class AdminTraffic {
  readonly #operatorKey: string;
  readonly #sent: ReadonlyMap<string, AdminRequest[]>;
  /** The servers that run now. Each attempt goes to one of them at random. */
  readonly #urls: () => readonly string[];
  /** Milliseconds that each client waits between two requests. */
  readonly #interval: number;
  #answers = 0;
  #unknown = 0;
  #stopped = false;

  constructor(operatorKey: string, entitlementIds: readonly string[], urls: () => readonly string[], interval = 0) {
    this.#operatorKey = operatorKey;
    this.#sent = new Map(entitlementIds.map((id) => [id, []]));
    this.#urls = urls;
    this.#interval = interval;
  }

  /** Attempts without an answer that tells their outcome. */
  get unknown(): number {
    return this.#unknown;
  }

  /** Resolves when the clients have stopped and the outcome of every request is known. */
  async run(): Promise<void> {
    try {
      await Promise.all([...this.#sent].map(([id, requests]) => this.#client(id, requests)));
    } finally {
      this.stop();
    }
  }

  /** Resolves when that many more requests have been answered. Throws if the clients have stopped before. */
  async progress(answers: number): Promise<void> {
    const goal = this.#answers + answers;
    while (this.#answers < goal) {
      if (this.#stopped) throw new Error('the clients have no changes left');
      await pause(10);
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Finds where the histories that the service shows break a promise, after `run` has resolved. */
  async violations(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [id, requests] of this.#sent) {
      const path = `/admin/entitlements/${id}`;
      const { version } = await this.#read<{ readonly version: number }>(path);
      const entries = await this.#read<readonly SeenEntry[]>(`${path}/history`);
      found.push(...adminViolations({ requests, entries, version }).map((violation) => `${id}: ${violation}`));
    }
    return found;
  }

  async #client(entitlementId: string, requests: AdminRequest[]): Promise<void> {
    for (let count = 0; count < maxChanges && !this.#stopped; count += 1) {
      const step = stepOf(count);
      const id = randomUUID();
      const acknowledged = await this.#settle(`/admin/entitlements/${entitlementId}/${step.path}`, id, step.body);
      requests.push({ id, operation: step.operation, acknowledged });
      this.#answers += 1;
      await pause(this.#interval);
      // Once more in one of five: the answer shows the same version.
      if (Math.random() < 0.2) {
        const repeated = await this.#settle(`/admin/entitlements/${entitlementId}/${step.path}`, id, step.body);
        requests.push({ id, operation: step.operation, acknowledged: repeated });
      }
    }
  }

  /** Repeats a request until its outcome is known, and returns the version in the answer. */
  async #settle(path: string, id: string, body?: object): Promise<number> {
    for (;;) {
      const response = await this.#attempt('POST', path, id, body);
      if (response !== null) return (response as { readonly version: number }).version;
      this.#unknown += 1;
      await pause(retryInterval);
    }
  }

  async #read<Data>(path: string): Promise<Data> {
    const data = await this.#attempt('GET', path, randomUUID());
    if (data === null) throw new Error(`${path} was not answered`);
    return data as Data;
  }

  /** The `data` of the answer, or null if the request must be repeated. */
  async #attempt(method: string, path: string, id: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#operatorKey}`, 'x-request-id': id };
    const content =
      body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const urls = this.#urls();
    const url = `${urls[Math.floor(Math.random() * urls.length)] ?? ''}${path}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { method, ...content, signal: AbortSignal.timeout(timeout) });
      text = await response.text();
    } catch {
      return null;
    }
    if (['store_unavailable', 'changed_meanwhile'].includes(response.headers.get('error-code') ?? '')) return null;
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status} ${text}`);
    return JSON.parse(text).data;
  }
}

/** A change of the state that the steps before have left. */
function stepOf(count: number): Step {
  const steps: readonly Step[] = [
    {
      path: 'renew',
      operation: 'renewed',
      body: { currentPeriodEnd: new Date(firstEnd + count * day).toISOString() },
    },
    { path: 'change-tier', operation: 'tier_changed', body: { tierId: `tier_${count}`, tierName: `Tier ${count}` } },
    { path: 'suspend', operation: 'suspended' },
    { path: 'reinstate', operation: 'reinstated' },
  ];
  return steps[count % steps.length] as Step;
}

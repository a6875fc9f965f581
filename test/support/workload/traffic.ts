import { nodePlatform } from '../../../app/service/platform.ts';
import type { Call } from '../../../core/call.ts';
import type { CancellationOperation } from '../../../core/entitlement/cancellation.ts';
import { changeCancellation } from '../../../core/entitlement/merchant/change-cancellation.ts';
import { snapshotAt } from '../../../core/entitlement/snapshot.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, aSubscription, granted } from '../builders.ts';
import { range } from '../range.ts';
import type { Attempt, History, SeenSnapshot } from './history.ts';

export interface Change {
  readonly entitlementId: string;
  readonly operation: CancellationOperation;
  readonly key: string;
}

/** Sends changes of a few entitlements to any number of stores on the same data, and keeps their history. */
export class Traffic {
  readonly #ids: readonly string[];
  readonly #attempts: Attempt[] = [];
  #before: readonly SeenSnapshot[] = [];
  #moment = 0;

  constructor(entitlements: number) {
    this.#ids = range(entitlements).map((index) => `ent_${index}`);
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  get successes(): number {
    return this.#attempts.filter(({ outcome }) => outcome.kind === 'success').length;
  }

  async begin(store: StorePorts): Promise<void> {
    await store.allEntitlements.add(granted(this.#ids.map((id) => aSubscription({ id }))), aCall());
    this.#before = await this.#seen(store);
  }

  /** Sends a request, and returns whether it succeeded. `store_unavailable` is the only refusal that it may get. */
  async send(store: StorePorts, change: Change, overrides: Partial<Call> = {}): Promise<boolean> {
    const sent = this.#next();
    const { key, entitlementId, operation } = change;
    const request = { operation, entitlementId, productId: 'prod_1', idempotencyKey: key };
    try {
      const call = aCall({ correlationId: crypto.randomUUID(), ...overrides });
      const answer = await changeCancellation(
        store.entitlements,
        store.idempotencyRecords,
        nodePlatform.newEventId,
      )(request, call);
      const body = JSON.stringify({ data: answer.snapshot, correlationId: answer.correlationId });
      const success = { kind: 'success', answered: this.#next(), body, replayed: answer.replayed } as const;
      this.#attempts.push({ ...change, sent, outcome: success });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'store_unavailable') throw error;
      this.#attempts.push({ ...change, sent, outcome: { kind: 'unknown' } });
      return false;
    }
  }

  /** Sends a request with the same key until it succeeds. */
  async settle(store: StorePorts, change: Change): Promise<void> {
    while (!(await this.send(store, change)));
  }

  async history(store: StorePorts): Promise<History> {
    return { before: this.#before, attempts: this.#attempts, after: await this.#seen(store) };
  }

  async #seen(store: StorePorts): Promise<readonly SeenSnapshot[]> {
    const call = aCall();
    const found = await Promise.all(this.#ids.map((id) => store.entitlements.find(id, 'prod_1', call)));
    return found.filter((entitlement) => entitlement !== null).map((entitlement) => snapshotAt(entitlement, call.now));
  }

  #next(): number {
    this.#moment += 1;
    return this.#moment;
  }
}

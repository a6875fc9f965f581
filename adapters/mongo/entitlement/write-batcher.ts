import type { Call } from '../../../core/call.ts';
import { Deferred } from '../driver/deadline.ts';
import { isTransient } from '../driver/errors.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { replyTimeout } from '../driver/retry.ts';
import { Semaphore } from '../driver/semaphore.ts';
import { applyStatements, type Statement, type StatementOutcome, type StatementResult } from './apply-statements.ts';

interface Write {
  readonly statement: Statement;
  readonly outcome: Deferred<StatementOutcome>;
}

/** A larger batch delays every answer in it. */
const maxBatchSize = 100;

/**
 * Sends statements that arrive together as one `update` command, which the server carries out one by one, each of them
 * atomic. At most two commands are in flight, and at most one statement per entitlement. A statement that waits behind
 * one of the same entitlement can no longer match when that one was applied, and is answered without being sent.
 *
 * A command that fails with a transient error is sent once more, with the same tokens. A command without an answer after
 * `replyTimeout` lets others go ahead, and is never sent again. A rejection means that the outcome is unknown.
 */
export class WriteBatcher {
  readonly #database: MongoDatabase;
  readonly #inFlight = new Semaphore(2);
  /** The writes that wait, by entitlement. */
  readonly #queues = new Map<string, Write[]>();
  readonly #entitlementsInFlight = new Set<string>();
  #isScheduled = false;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  write(statement: Statement, call: Call): Promise<StatementOutcome> {
    const write = { statement, outcome: new Deferred<StatementOutcome>(call) };
    const queue = this.#queues.get(statement.entitlementId);
    if (queue === undefined) this.#queues.set(statement.entitlementId, [write]);
    else queue.push(write);
    this.#schedule();
    return write.outcome.promise;
  }

  /** Sends a batch at the end of this turn of the event loop, with everything that arrived in it. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight.isFull || this.#queues.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      this.#database.onBatch({ kind: 'writes', size: batch.length });
      void this.#send(batch);
      this.#schedule();
    });
  }

  /** The first pending write of every entitlement that has none in flight. Its other writes go to the end of the line. */
  #nextBatch(): readonly Write[] {
    const batch: Write[] = [];
    const waiting = [...this.#queues];
    for (const [id, queue] of waiting) {
      if (batch.length >= maxBatchSize) break;
      if (this.#entitlementsInFlight.has(id)) continue;
      let write = queue.shift();
      while (write?.outcome.isPending === false) write = queue.shift();
      this.#queues.delete(id);
      if (queue.length > 0) this.#queues.set(id, queue);
      if (write !== undefined) batch.push(write);
    }
    return batch;
  }

  async #send(batch: readonly Write[]): Promise<void> {
    const ids = batch.map(({ statement }) => statement.entitlementId);
    for (const id of ids) this.#entitlementsInFlight.add(id);
    let isInTime = true;
    const release = this.#inFlight.acquire(replyTimeout, () => {
      isInTime = false;
      for (const id of ids) this.#entitlementsInFlight.delete(id);
      this.#schedule();
    });
    const statements = batch.map(({ statement }) => statement);
    try {
      const results = await applyStatements(this.#database, statements, (error) => isInTime && isTransient(error));
      for (const [index, result] of results.entries()) this.#settle(batch[index], result);
    } catch (error) {
      for (const { outcome } of batch) outcome.reject(error);
    }
    release();
  }

  #settle(write: Write | undefined, result: StatementResult): void {
    if (write === undefined) return;
    const { statement, outcome } = write;
    switch (result.kind) {
      case 'applied':
        this.#settleOutdated(statement.entitlementId, statement.nextRevision);
        break;
      case 'no match':
        this.#settleOutdated(statement.entitlementId, result.revision ?? 0);
        break;
      case 'duplicate key':
        break;
      case 'failed':
        return outcome.reject(result.error);
    }
    outcome.resolve(result);
  }

  /** Answers the waiting writes that have seen an earlier revision than this one. */
  #settleOutdated(entitlementId: string, revision: number): void {
    for (const { statement, outcome } of this.#queues.get(entitlementId) ?? []) {
      if (statement.seenRevision < revision) outcome.resolve({ kind: 'no match', revision });
    }
  }
}

import { channel } from 'node:diagnostics_channel';
import type { Db } from 'mongodb';
import { batchChannel, type Batch } from '../../../core/store/batch.ts';
import type { Call } from '../../../core/call.ts';
import { patience } from '../driver/retry-read.ts';
import { Caller } from '../driver/deadline.ts';
import { isTransient } from '../driver/errors.ts';
import { Semaphore } from '../driver/semaphore.ts';
import { carryOut, type Outcome, type Statement, type Verdict } from './statement.ts';

const batches = channel(batchChannel);

interface Member {
  readonly statement: Statement;
  readonly caller: Caller<Outcome>;
}

/** More at once would let the others wait for the length of the command. */
const largest = 100;

/**
 * Changes that arrive while others are under way leave together as one `update` command, which the server carries
 * out statement by statement, each atomic by itself. In one process an entitlement has one statement under way at
 * most; those that have seen a revision before the one that won are told at once, without asking the server.
 *
 * A command that fails because the connection or the primary was lost is repeated once, with the same tokens: a
 * statement that was carried out after all cannot match again. One that is unanswered after 500 ms gives up its slot
 * and is never sent again. Whoever rejects does not know what became of the write.
 */
export class WriteBatcher {
  readonly #database: Db;
  readonly #slots = new Semaphore(2);
  readonly #queues = new Map<string, Member[]>();
  readonly #underWay = new Set<string>();
  #scheduled = false;

  constructor(database: Db) {
    this.#database = database;
  }

  write(statement: Statement, call: Call): Promise<Outcome> {
    const member = { statement, caller: new Caller<Outcome>(call) };
    const queue = this.#queues.get(statement.entitlementId);
    if (queue === undefined) this.#queues.set(statement.entitlementId, [member]);
    else queue.push(member);
    this.#schedule();
    return member.caller.answer;
  }

  /** Sends at the end of this turn of the event loop, with all that arrived in it. */
  #schedule(): void {
    if (this.#scheduled || this.#slots.areTaken || this.#queues.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      const group = this.#take();
      if (group.length === 0) return;
      if (batches.hasSubscribers) batches.publish({ kind: 'writes', size: group.length } satisfies Batch);
      void this.#send(group);
      this.#schedule();
    });
  }

  /** The first that still waits of every entitlement that has none under way; the others of it wait behind everybody. */
  #take(): readonly Member[] {
    const group: Member[] = [];
    const waiting = [...this.#queues];
    for (const [id, queue] of waiting) {
      if (group.length >= largest) break;
      if (this.#underWay.has(id)) continue;
      let member = queue.shift();
      while (member?.caller.waits === false) member = queue.shift();
      this.#queues.delete(id);
      if (queue.length > 0) this.#queues.set(id, queue);
      if (member !== undefined) group.push(member);
    }
    return group;
  }

  async #send(group: readonly Member[]): Promise<void> {
    const ids = group.map(({ statement }) => statement.entitlementId);
    for (const id of ids) this.#underWay.add(id);
    let inTime = true;
    const giveBack = this.#slots.take(patience, () => {
      inTime = false;
      for (const id of ids) this.#underWay.delete(id);
      this.#schedule();
    });
    const statements = group.map(({ statement }) => statement);
    try {
      const verdicts = await carryOut(this.#database, statements, (error) => inTime && isTransient(error));
      for (const [index, verdict] of verdicts.entries()) this.#tell(group[index], verdict);
    } catch (error) {
      for (const { caller } of group) caller.refuse(error);
    }
    giveBack();
  }

  #tell(member: Member | undefined, verdict: Verdict): void {
    if (member === undefined) return;
    const { statement, caller } = member;
    switch (verdict.kind) {
      case 'won':
        this.#overtake(statement.entitlementId, statement.to);
        break;
      case 'lost':
        this.#overtake(statement.entitlementId, verdict.revision ?? 0);
        break;
      case 'duplicate':
        break;
      case 'failed':
        return caller.refuse(verdict.error);
    }
    caller.tell(verdict);
  }

  /** Those in the queue that have seen an earlier revision can no longer win. */
  #overtake(entitlementId: string, revision: number): void {
    for (const { statement, caller } of this.#queues.get(entitlementId) ?? []) {
      if (statement.from < revision) caller.tell({ kind: 'lost', revision });
    }
  }
}

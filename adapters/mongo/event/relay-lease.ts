import { randomUUID } from 'node:crypto';
import { duplicateField } from '../driver/errors.ts';
import type { RelayDatabase } from './event-batches.ts';

/** The document of the relay in `leases`. */
interface LeaseDocument {
  readonly _id: string;
  /** Null once the holder has stopped. */
  readonly holder: string | null;
  /** Counts the renewals. */
  readonly count: number;
}

const leaseId = 'relay';

/** Milliseconds for which a lease must have been seen unchanged before another process takes it. */
export const leaseTimeout = 2000;

/**
 * Chooses one of many processes to move events. It spares them the races of several relays, no more: the invariants of
 * `EventRelay` hold without it. Each process waits by its own monotonic clock until it has seen the lease unchanged for
 * two seconds, and compares no clocks.
 */
export class RelayLease {
  readonly #database: RelayDatabase;
  readonly #clock: () => number;
  readonly #holder = randomUUID();
  #seen: (LeaseDocument & { readonly at: number }) | null = null;
  #isHeld = false;

  constructor(database: RelayDatabase, clock: () => number = () => performance.now()) {
    this.#database = database;
    this.#clock = clock;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Renews the lease, or takes one that its holder has left. */
  async renew(): Promise<void> {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    this.#isHeld = wasHeld ? await this.#write({ holder: this.#holder }, this.#holder) : await this.#take();
  }

  /** Leaves the lease to others, who then need not wait. */
  async release(): Promise<void> {
    this.#isHeld = false;
    await this.#write({ holder: this.#holder }, null);
  }

  async #take(): Promise<boolean> {
    const [lease] = await this.#database.findOnce<LeaseDocument>('leases', { filter: { _id: leaseId }, limit: 1 });
    if (lease === undefined) return this.#create();
    const { holder, count } = lease;
    if (this.#seen?.holder !== holder || this.#seen.count !== count) this.#seen = { ...lease, at: this.#clock() };
    const isFree = holder === null || holder === this.#holder || this.#clock() - this.#seen.at >= leaseTimeout;
    return isFree && this.#write({ holder, count }, this.#holder);
  }

  async #write(seen: Partial<LeaseDocument>, holder: string | null): Promise<boolean> {
    const { n } = await this.#database.writeCommand({
      update: 'leases',
      updates: [{ q: { _id: leaseId, ...seen }, u: { $set: { holder }, $inc: { count: 1 } } }],
    });
    return n === 1;
  }

  async #create(): Promise<boolean> {
    const document: LeaseDocument = { _id: leaseId, holder: this.#holder, count: 1 };
    const { n, writeErrors } = await this.#database.writeCommand({ insert: 'leases', documents: [document] });
    const [error] = writeErrors ?? [];
    if (error !== undefined && duplicateField(error) === null) throw new Error(`the lease was refused: ${error.code}`);
    return n === 1;
  }
}

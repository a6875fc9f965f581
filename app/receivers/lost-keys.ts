import { RecentMap } from '../../adapters/http/limits/recent-map.ts';
import { refuse } from '../../adapters/http/refusals.ts';
import type { Call, MonotonicClock } from '../../core/call.ts';
import type { AskAtDesk } from '../../core/mail/lost/mail-keys.ts';
import type { LostKeysRequest, LostKeysResult } from '../../core/mail/lost/mail-lost-keys.ts';
import { hour } from '../../core/parsing/duration.ts';

const minute = 60_000;

/** Mails that may be asked for an address in an hour. */
const maxAsked = 3;

/** Requests that wait, for their turn or for the next attempt. */
const maxWaiting = 1000;

/** Requests that are looked up at the same time. */
const maxRunning = 2;

/** Milliseconds before each attempt, since the one before has failed: all are over within ten minutes. */
const pauses: readonly number[] = [0, minute, 5 * minute];
const maxAge = 10 * minute;

/** Milliseconds before a request is begun, so that its answer has left, and says nothing by the time that it takes. */
const head = 50;

/** A request for a mail. */
export interface MailRequest extends LostKeysRequest {
  /** The listing that an affiliate came from; null for none. */
  readonly listing: string | null;
}

export interface LostKeysSettings {
  readonly mail: (request: MailRequest, call: Call) => Promise<LostKeysResult>;
  /** The same text for the same address, which nobody can undo. */
  readonly fingerprint: (address: string) => string;
  readonly newId: () => string;
  readonly newCall: (asked: Asker) => Call;
  readonly report: (report: LostReport, end: LostEnd) => void;
  readonly monotonicClock: MonotonicClock;
  /** Calls a function after some milliseconds, unless the function that it returns is called before. */
  readonly after: (milliseconds: number, act: () => void) => () => void;
}

/** The outcome of an attempt, a fault of the store included. */
export type LostReport = LostKeysResult | { readonly outcome: 'fault'; readonly error: unknown };

/** Who has asked: a buyer, or an operator for the buyer of a sale. */
export interface Asker {
  readonly correlationId: string;
  readonly desk: (Pick<Call, 'by' | 'products'> & { readonly entitlementId: string }) | null;
}

export interface LostEnd extends Asker {
  /** Whether no attempt follows. */
  readonly isLast: boolean;
}

/**
 * Takes a request for the mail of an address, known or not, before anything is looked up. `listing` is where an affiliate
 * came from. Returns the milliseconds until there is room, or null if it is taken.
 */
export type AskForMail = (email: string, correlationId: string, listing?: string | null) => Promise<number | null>;

interface Job extends Asker, MailRequest {
  readonly since: number;
  attempt: number;
}

interface Asked {
  left: number;
  readonly end: number;
}

/** Why a request is not taken: there is no room, or the mails of its address are spent. */
interface Refused {
  /** Milliseconds. */
  readonly wait: number;
  readonly isSpent: boolean;
}

function spent(until: Date): string {
  const time = `${until.toISOString().slice(11, 16)} UTC`;
  return `This address has had three of these mails in an hour. The next can be sent at ${time}.`;
}

function askerOf({ correlationId, desk }: Asker): Asker {
  return { correlationId, desk };
}

/** The outcome of an attempt that did not get its turn: Stripe or the mail server is slow, and others were before it. */
const tooLate: LostReport = { outcome: 'failed', code: 'no turn' };

/**
 * The requests of a server for one kind of mail: for lost keys, or for the links of affiliates. They are in memory alone: what strangers type is not stored, and who gets no mail
 * asks again.
 */
export class LostKeys {
  readonly #settings: LostKeysSettings;
  readonly #asked = new RecentMap<Asked>(hour);
  /** The ids of what operators have asked for. */
  readonly #ids = new RecentMap<true>(hour);
  readonly #due: Job[] = [];
  /** The functions that end the waits for the next attempts. */
  readonly #waits = new Set<() => void>();
  #running = 0;
  #isStopped = false;

  constructor(settings: LostKeysSettings) {
    this.#settings = settings;
  }

  readonly ask: AskForMail = async (email, correlationId, listing = null) => {
    const refused = this.#take({ email, id: this.#settings.newId(), listing, correlationId, desk: null });
    return refused?.wait ?? null;
  };

  readonly askAtDesk: AskAtDesk = async ({ email, id, entitlementId }, { by, products, correlationId, now }) => {
    const key = `${entitlementId} ${id}`;
    if (this.#ids.get(key) !== undefined) return;
    const refused = this.#take({ email, id, listing: null, correlationId, desk: { by, products, entitlementId } });
    if (refused === null) {
      this.#ids.set(key, true);
      return;
    }
    const retryAt = new Date(now.getTime() + refused.wait);
    throw refuse('rate_limited', { retryAt, ...(refused.isSpent && { message: spent(retryAt) }) });
  };

  /** Takes a request. Returns why it cannot, and the milliseconds until it can. */
  #take(asked: Asker & MailRequest): Refused | null {
    // Before the address is counted: what is kept of addresses grows no faster than they are looked up.
    if (this.#running + this.#due.length + this.#waits.size >= maxWaiting) return { wait: minute, isSpent: false };
    const wait = this.#count(asked.email);
    if (wait !== null) return { wait, isSpent: true };
    this.#later({ ...asked, since: this.#settings.monotonicClock(), attempt: 0 }, head);
    return null;
  }

  /** Begins nothing more. Requests that wait are lost. */
  stop(): void {
    this.#isStopped = true;
    this.#due.length = 0;
    for (const end of this.#waits) end();
    this.#waits.clear();
  }

  /** Counts a mail for an address. Spellings of it are one. */
  #count(email: string): number | null {
    const key = this.#settings.fingerprint(email.toLowerCase());
    const now = this.#settings.monotonicClock();
    const known = this.#asked.get(key);
    const asked = known === undefined || now >= known.end ? { left: maxAsked, end: now + hour } : known;
    if (asked.left === 0) return asked.end - now;
    asked.left -= 1;
    if (asked !== known) this.#asked.set(key, asked);
    return null;
  }

  #later(job: Job, milliseconds: number): void {
    if (this.#isStopped) return;
    const end = this.#settings.after(milliseconds, () => {
      this.#waits.delete(end);
      this.#due.push(job);
      this.#begin();
    });
    this.#waits.add(end);
  }

  #begin(): void {
    while (!this.#isStopped && this.#running < maxRunning) {
      const job = this.#due.shift();
      if (job === undefined) return;
      if (this.#ageOf(job) > maxAge) {
        this.#settings.report(tooLate, { ...askerOf(job), isLast: true });
        continue;
      }
      this.#running += 1;
      void this.#run(job).finally(() => {
        this.#running -= 1;
        this.#begin();
      });
    }
  }

  #ageOf({ since }: Job): number {
    return this.#settings.monotonicClock() - since;
  }

  async #run(job: Job): Promise<void> {
    const { mail, newCall, report } = this.#settings;
    const { email, id, listing } = job;
    const result = await mail({ email, id, listing }, newCall(askerOf(job))).catch((error: unknown) => ({
      outcome: 'fault' as const,
      error,
    }));
    job.attempt += 1;
    const pause = pauses[job.attempt];
    const isOver = result.outcome !== 'failed' && result.outcome !== 'fault';
    const isLast = isOver || pause === undefined || this.#ageOf(job) + pause > maxAge;
    report(result, { ...askerOf(job), isLast });
    if (!isLast) this.#later(job, pause);
  }
}

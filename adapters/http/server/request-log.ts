import type { Logger } from 'pino';
import type { ErrorCode } from '../refusals.ts';

/** What became of a request: for the log and the metrics. Never a key, a license or an address. */
export interface Outcome {
  readonly correlationId: string;
  readonly operation: string | undefined;
  readonly edition: string;
  readonly product: string | null;
  /** Null for a client that went away before its request was whole. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly replayed: boolean;
}

/** Tells the log, and whoever observes, what became of requests. */
export class RequestLog {
  readonly #log: Logger;
  readonly #observe: ((outcome: Outcome) => void) | undefined;

  constructor(log: Logger, observe: ((outcome: Outcome) => void) | undefined) {
    this.#log = log;
    this.#observe = observe;
  }

  /** Of every request, once, when it is over. */
  request(outcome: Outcome): void {
    const { correlationId, operation, product, status, duration } = outcome;
    this.#log.info({ correlationId, operation, product, status, duration }, 'request');
    this.#observe?.(outcome);
  }

  /** Of what went wrong on our side, before or after its request was answered. */
  fault(correlationId: string, code: ErrorCode, err: unknown): void {
    this.#log.error({ correlationId, err }, code);
  }
}

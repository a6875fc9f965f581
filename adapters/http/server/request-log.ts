import type { Logger } from 'pino';
import type { ErrorCode } from '../refusals.ts';

/** How a request ended, for the log and the metrics. Never contains a key, a license or an address. */
export interface RequestOutcome {
  readonly correlationId: string;
  readonly operation: string | undefined;
  readonly edition: string;
  readonly product: string | null;
  /** Null for a client that went away before its request was complete. */
  readonly status: number | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly replayed: boolean;
}

/** Reports requests to the log and to an observer. */
export class RequestLog {
  readonly #log: Logger;
  readonly #observe: ((outcome: RequestOutcome) => void) | undefined;

  constructor(log: Logger, observe: ((outcome: RequestOutcome) => void) | undefined) {
    this.#log = log;
    this.#observe = observe;
  }

  /** Writes the one line of a request, when it is over. */
  request(outcome: RequestOutcome): void {
    const { correlationId, operation, product, status, duration } = outcome;
    this.#log.info({ correlationId, operation, product, status, duration }, 'request');
    this.#observe?.(outcome);
  }

  /** Writes what went wrong in the service, before or after the request was answered. */
  fault(correlationId: string, code: ErrorCode, err: unknown): void {
    this.#log.error({ correlationId, err }, code);
  }
}

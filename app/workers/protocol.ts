import type { LimitCounts } from '../../adapters/http/limits/limit-counts.ts';
import type { Readings } from '../../adapters/metrics/merged-metrics.ts';
import type { Settings } from '../settings/settings.ts';

/** Whether a worker listens, or why it cannot. The messages are for the user of the command line. */
export type Started = { readonly kind: 'listening'; readonly url: string } | Unusable;

export interface Unusable {
  readonly kind: 'unusable address' | 'unusable store';
  readonly message: string;
}

/** What the primary calls in a worker. */
export interface WorkerFunctions {
  start(settings: Settings): Promise<Started>;
  /** Whether this process takes requests. */
  ready(): Promise<boolean>;
  /** What it has counted; nothing if the server has no admin port. */
  readings(): Promise<Readings>;
  /** Answers at once, unless its event loop is blocked. */
  beat(): void;
  /** Accepts no more connections, and returns the last readings once those that it has are closed. */
  retire(): Promise<Readings>;
  /** Finishes the requests in flight, and returns the last readings. */
  stop(): Promise<Readings>;
  /** Ends the process, which has been stopped or has not started. */
  end(): void;
}

/** What a worker calls in the primary. */
export interface PrimaryFunctions extends LimitCounts {
  /** Whether every process takes requests. */
  ready(): Promise<boolean>;
}

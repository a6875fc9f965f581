import type { StreamBacklog } from './show-webhook-backlog.ts';
import { maxFailingTime } from './stream/record-attempt.ts';

/** The health of an endpoint, over all products. */
export interface EndpointHealth {
  /** Null unless it has failed since the last success. */
  readonly failing: Failing | null;
  readonly waiting: number;
  readonly parked: number;
}

/** The failure of an endpoint. */
export interface Failing {
  readonly since: Date;
  /** Null if nothing is left to try. */
  readonly nextAt: Date | null;
  /** When the endpoint is disabled unless a delivery succeeds. */
  readonly disabledAt: Date;
}

/** The health of an endpoint, or of several together. */
export function healthOf(backlog: readonly StreamBacklog[]): EndpointHealth {
  return {
    failing: failingOf(backlog),
    waiting: backlog.reduce((sum, { waiting }) => sum + waiting, 0),
    parked: backlog.reduce((sum, { parked }) => sum + parked, 0),
  };
}

function failingOf(backlog: readonly StreamBacklog[]): Failing | null {
  const since = earliest(backlog.map(({ stream }) => stream.failingSince));
  if (since === null) return null;
  const attempts = backlog.flatMap(
    ({ stream: { probe, pending, aside } }) =>
      probe?.at ?? [aside.wakeAt, ...[...pending.values()].map(({ at }) => at)],
  );
  return { since, nextAt: earliest(attempts), disabledAt: new Date(since.getTime() + maxFailingTime) };
}

/** The earliest of some instants; null without one. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const known = instants.filter((at) => at !== null).map((at) => at.getTime());
  return known.length === 0 ? null : new Date(Math.min(...known));
}

import { day } from '../../parsing/duration.ts';
import { failingWhenDown, isDown, type DeliveryStream, type PendingEvents } from './delivery-stream.ts';
import type { DueDelivery } from './due-deliveries.ts';
import { probeDelay, retryDelay, type DelayTerms } from './retry-schedule.ts';

/** The time that an endpoint may go without a success before it is disabled, in milliseconds. */
export const maxFailingTime = 5 * day;

/** The outcome of a delivery, with the terms of its retry. */
export type Attempt =
  | { readonly kind: 'delivered' }
  /** The receiver wants no more events, ever. */
  | { readonly kind: 'gone' }
  | ({ readonly kind: 'failed' } & DelayTerms);

/** The consequence of a delivery, besides the new state of its stream. */
export type Verdict =
  | 'delivered'
  /** It is tried again later. */
  | 'failed'
  /** It was the last attempt: the entitlement's events wait for a manual retry. */
  | 'parked'
  /** The receiver wants no more events: its endpoint must be disabled. */
  | 'gone'
  /** No delivery of the stream has succeeded for `maxFailingTime`: its endpoint must be disabled. */
  | 'failing'
  /** The event is no longer the first of its entitlement, because the stream was changed by a command. */
  | 'outdated';

export interface RecordedAttempt {
  readonly stream: DeliveryStream;
  readonly verdict: Verdict;
}

/** Decides what follows from the outcome of a delivery. */
export function recordAttempt(
  stream: DeliveryStream,
  delivery: DueDelivery,
  attempt: Attempt,
  now: Date,
): RecordedAttempt {
  const pending = stream.pending.get(delivery.entitlementId);
  if (pending === undefined || pending.positions[0] !== delivery.position) return { stream, verdict: 'outdated' };
  switch (attempt.kind) {
    case 'delivered':
      return { stream: afterSuccess(stream, delivery.entitlementId, pending, now), verdict: 'delivered' };
    case 'gone':
      return { stream, verdict: 'gone' };
    case 'failed':
      return afterFailure(stream, delivery.entitlementId, pending, attempt, now);
  }
}

function afterSuccess(stream: DeliveryStream, id: string, { positions }: PendingEvents, now: Date): DeliveryStream {
  const pending = new Map(stream.pending);
  if (positions.length === 1) pending.delete(id);
  else pending.set(id, { positions: positions.slice(1), attempt: 0, at: now });
  return { ...stream, pending, failing: [], failingSince: null, probe: null, deliveredAt: now };
}

function afterFailure(
  stream: DeliveryStream,
  id: string,
  known: PendingEvents,
  terms: DelayTerms,
  now: Date,
): RecordedAttempt {
  const failing = stream.failing.includes(id) ? stream.failing : [...stream.failing, id].slice(0, failingWhenDown);
  const failed = { ...stream, failing, failingSince: stream.failingSince ?? now };
  const isProbed = terms.whenDown !== 'schedule';
  const isOverdue = isProbed && now.getTime() - failed.failingSince.getTime() >= maxFailingTime;
  if (isProbed && isDown(failed)) {
    return { stream: { ...failed, probe: nextProbe(stream, terms, now) }, verdict: isOverdue ? 'failing' : 'failed' };
  }
  const attempt = known.attempt + 1;
  const delay = retryDelay(attempt, terms);
  const pending = new Map(stream.pending).set(id, { ...known, attempt, at: delay === null ? null : after(now, delay) });
  const tried = { ...failed, pending, probe: null };
  if (isOverdue) return { stream: tried, verdict: 'failing' };
  // Parked events are no longer tried, so their failures must not disable the endpoint in five days.
  return delay === null
    ? { stream: { ...tried, failingSince: null }, verdict: 'parked' }
    : { stream: tried, verdict: 'failed' };
}

/**
 * While the endpoint is down, no entitlement uses up its attempts. Requests that were in flight when it went down are
 * no probes.
 */
function nextProbe({ probe }: DeliveryStream, terms: DelayTerms, now: Date): DeliveryStream['probe'] {
  if (probe !== null && probe.at > now) return probe;
  const attempt = (probe?.attempt ?? 0) + 1;
  return { attempt, at: after(now, probeDelay(attempt, terms)) };
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}

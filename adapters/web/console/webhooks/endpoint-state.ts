import { healthOf, type Failing } from '../../../../core/webhook/endpoint-health.ts';
import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { isAccepted } from '../../../../core/webhook/stream/delivery-attempt.ts';
import type { DisablingReason } from '../../../../core/webhook/webhook-endpoint.ts';
import type { Tone } from '../../markup/badge.ts';
import { countOf } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import { instant } from '../display/dates.ts';

/** The health of an endpoint, over all products. */
export interface EndpointState {
  readonly tone: Tone;
  readonly word: string;
  readonly says: Html;
  readonly waiting: number;
  readonly parked: number;
  /** Null if it is disabled. */
  readonly failing: Failing | null;
}

const disabledBecause: Readonly<Record<DisablingReason, string>> = {
  requested: 'Disabled by an operator.',
  gone: 'Disabled, because the receiver answered 410, which asks for no further events.',
  failing: 'Disabled, because no delivery had succeeded for five days.',
};

/** Says how an endpoint is doing. */
export function stateOf({ endpoint, streams }: WebhookBacklog): EndpointState {
  const { waiting, parked, failing } = healthOf(streams);
  const counts = { waiting, parked };
  const { reason } = endpoint;
  if (reason !== null) {
    const tone = reason === 'requested' ? 'plain' : 'bad';
    return {
      ...counts,
      tone,
      word: 'Disabled',
      failing: null,
      says: html`${disabledBecause[reason]} ${kept(waiting)}`,
    };
  }
  if (failing !== null) {
    const says = html`Failing since ${instant(failing.since)}. ${kept(waiting)}`;
    return { ...counts, tone: 'bad', word: 'Failing', says, failing };
  }
  if (parked > 0) {
    const says = html`Delivering. ${countOf(parked, 'event')} failed in every attempt, and
      ${parked === 1 ? 'waits' : 'wait'} for <em>Retry now</em>.`;
    return { ...counts, tone: 'warn', word: 'Parked events', says, failing: null };
  }
  const last = latest(streams.map(({ stream }) => stream.deliveredAt));
  const says = last === null ? html`Nothing was delivered yet.` : html`The last delivery was on ${instant(last)}.`;
  if (waiting > 0 && hasFailedLast(streams)) {
    // *Retry now* and *Enable* forget since when it fails.
    return { ...counts, tone: 'warn', word: 'Trying again', says: html`${says} ${kept(waiting)}`, failing: null };
  }
  const state =
    last === null ? ({ tone: 'plain', word: 'Ready' } as const) : ({ tone: 'ok', word: 'Delivering' } as const);
  return { ...counts, ...state, says, failing: null };
}

/** Whether the last request of all was not accepted. */
function hasFailedLast(streams: WebhookBacklog['streams']): boolean {
  const [last] = streams.flatMap(({ stream }) => stream.attempts).toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return last !== undefined && !isAccepted(last);
}

function kept(waiting: number): string {
  return `Nothing is lost: ${countOf(waiting, 'event')} ${waiting === 1 ? 'waits' : 'wait'} for it.`;
}

function latest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.flatMap((at) => (at === null ? [] : [at.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

import type { WebhookBacklog } from '../../../../core/webhook/show-webhook-backlog.ts';
import { maxFailingTime } from '../../../../core/webhook/stream/record-attempt.ts';
import type { DisablingReason } from '../../../../core/webhook/webhook-endpoint.ts';
import { countOf } from '../../markup/figures.ts';
import { html, type Html } from '../../markup/html.ts';
import type { Tone } from '../display/badge.ts';
import { instant } from '../display/dates.ts';

/** How an endpoint is doing, over all products. */
export interface EndpointState {
  readonly tone: Tone;
  readonly word: string;
  readonly says: Html;
  readonly waiting: number;
  readonly parked: number;
  /** When it is tried next, and when it is disabled unless that succeeds; null unless it fails. */
  readonly failing: { readonly nextAt: Date | null; readonly disabledAt: Date } | null;
}

const disabledBecause: Readonly<Record<DisablingReason, string>> = {
  requested: 'Disabled by an operator.',
  gone: 'Disabled, because the receiver answered 410, which asks for no further events.',
  failing: 'Disabled, because no delivery had succeeded for five days.',
};

/** Says how an endpoint is doing. */
export function stateOf({ endpoint, streams }: WebhookBacklog): EndpointState {
  const waiting = streams.reduce((sum, stream) => sum + stream.waiting, 0);
  const parked = streams.reduce((sum, stream) => sum + stream.parked, 0);
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
  const since = earliest(streams.map(({ stream }) => stream.failingSince));
  if (since !== null) {
    const nextAt = earliest(
      streams.flatMap(({ stream }) => stream.probe?.at ?? [...stream.pending.values()].map(({ at }) => at)),
    );
    return {
      ...counts,
      tone: 'bad',
      word: 'Failing',
      says: html`Failing since ${instant(since)}. ${kept(waiting)}`,
      failing: { nextAt, disabledAt: new Date(since.getTime() + maxFailingTime) },
    };
  }
  if (parked > 0) {
    const says = html`Delivering. ${countOf(parked, 'event')} failed in every attempt, and
      ${parked === 1 ? 'waits' : 'wait'} for <em>Retry now</em>.`;
    return { ...counts, tone: 'warn', word: 'Parked events', says, failing: null };
  }
  const last = latest(streams.map(({ stream }) => stream.deliveredAt));
  const says = last === null ? html`Nothing was delivered yet.` : html`The last delivery was on ${instant(last)}.`;
  return { ...counts, tone: 'ok', word: 'Delivering', says, failing: null };
}

function kept(waiting: number): string {
  return `Nothing is lost: ${countOf(waiting, 'event')} ${waiting === 1 ? 'waits' : 'wait'} for it.`;
}

function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.flatMap((at) => (at === null ? [] : [at.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function latest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.flatMap((at) => (at === null ? [] : [at.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

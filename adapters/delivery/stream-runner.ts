import { setTimeout as wait } from 'node:timers/promises';
import { subjectOf } from '../../core/feed/logged-event.ts';
import type { DeliveryOutcome } from '../../core/webhook/send-delivery.ts';
import { withAttempt, type DeliveryAttempt } from '../../core/webhook/stream/delivery-attempt.ts';
import { withEffect } from '../../core/webhook/stream/delivery-effect.ts';
import { isDown, type DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { due, maxInFlight, mayRead, read, type DueDelivery } from '../../core/webhook/stream/due-deliveries.ts';
import { leaseReserve } from '../../core/webhook/stream/lease.ts';
import { recordAttempt, type Attempt } from '../../core/webhook/stream/record-attempt.ts';
import type { DelayTerms } from '../../core/webhook/stream/retry-schedule.ts';
import { signingKeys, type WebhookEndpoint } from '../../core/webhook/webhook-endpoint.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { ReadEvents } from './log-watch.ts';
import { StreamLease } from './stream-lease.ts';
import type { OwnedStream } from './stream-list.ts';

/** Called when an endpoint wants no more events or has failed for too long. Resolves with whether it was disabled. */
export type OnBroken = (reason: 'gone' | 'failing') => Promise<boolean>;

/** Milliseconds after which a request counts as a slow one. */
const slowTime = 2000;

/** The phase of a runner, which decides what it does with requests. */
type Phase =
  /** Begins those that are due. */
  | 'delivering'
  /** Begins none until the next step: a request has met a fault, or the worker pauses after one. */
  | 'resting'
  /** Begins none: the endpoint is disabled, or that is being decided. */
  | 'broken'
  /** Begins none any more, and waits for those in flight. */
  | 'ending'
  /** Ignores the outcomes of the last ones: the stream is free, and another process may deliver it. */
  | 'ended';

/**
 * Delivers the events of one stream while this process holds it: `take` it, `step` again and again, `stop`.
 *
 *   take --> delivering --- fault, rest ---> resting       (and back with the next step)
 *            delivering --- gone, failing -> broken        (resting if the endpoint stays enabled, or after a fault)
 *            any of them --- stop, abandon -> ending        (ended when `stop` frees the stream)
 */
export class StreamRunner {
  endpoint: WebhookEndpoint;
  readonly productId: string;
  readonly #parts: DeliveryParts;
  readonly #lease: StreamLease;
  readonly #onBroken: OnBroken;
  /** Entitlements with a request in flight, and when it began. */
  readonly #inFlight: Map<string, number>;
  readonly #requests = new Set<Promise<void>>();
  readonly #events: ReadEvents;
  /** A fault of a request, until the next step throws it. */
  #fault: { readonly error: unknown } | null = null;
  #phase: Phase = 'delivering';
  /** Cuts off the requests in flight. */
  #cutting = new AbortController();

  private constructor(
    parts: DeliveryParts,
    endpoint: WebhookEndpoint,
    lease: StreamLease,
    inFlight: Map<string, number>,
    onBroken: OnBroken,
  ) {
    this.#parts = parts;
    this.#inFlight = inFlight;
    this.endpoint = endpoint;
    this.productId = lease.state.productId;
    this.#lease = lease;
    this.#onBroken = onBroken;
    this.#events = new ReadEvents(parts, this.productId);
  }

  /** Takes a stream that is free, and delivers its events from then on. Returns null if another process was first. */
  static async take(
    parts: DeliveryParts,
    { endpoint, stream }: OwnedStream,
    onBroken: OnBroken,
  ): Promise<StreamRunner | null> {
    const inFlight = new Map<string, number>();
    const lease = await StreamLease.take(parts, stream, inFlight);
    return lease === null ? null : new StreamRunner(parts, endpoint, lease, inFlight, onBroken);
  }

  get fence(): number {
    return this.#lease.fence;
  }

  /** Whether nothing is in flight and there was nothing to do for a while. */
  get isIdle(): boolean {
    return this.#requests.size === 0 && this.#lease.isIdle;
  }

  /**
   * Does what is to be done now: reads events up to the last position of the log, begins deliveries, writes the state.
   * Returns `lost` if another process or a command has written the stream. Throws faults of the store, also those that
   * requests have met since the last step.
   */
  async step(lastPosition: number): Promise<'held' | 'lost'> {
    this.#throwFault();
    if (this.#lease.mustCut) this.#cutOff();
    if (this.#phase === 'resting') this.#phase = 'delivering';
    await this.#readUpTo(lastPosition);
    this.#begin();
    // Deliveries that have waited get the room that new events leave. However many they are, they hold no new event up.
    if (this.#phase === 'delivering') {
      await this.#lease.wake(this.#room, this.#parts.clock());
      this.#begin();
    }
    if (this.#requests.size > 0) this.#lease.keepBusy();
    return this.#lease.save();
  }

  /** Keeps the stream, and begins nothing until the next step. */
  rest(): Promise<'held' | 'lost'> {
    if (this.#lease.mustCut) this.#cutOff();
    if (this.#phase === 'delivering') this.#phase = 'resting';
    return this.#lease.save();
  }

  /** Begins no more requests. Resolves when those in flight have ended or `cut` has resolved, and the stream is free. */
  async stop(cut: Promise<void> | null = null): Promise<void> {
    this.#phase = 'ending';
    await Promise.race([this.#allRequests(), ...(cut === null ? [] : [cut])]);
    this.#phase = 'ended';
    this.#cutOff();
    await this.#lease.release();
    this.#throwFault();
  }

  /** Begins no more requests, and writes nothing. Resolves when those in flight have ended or are cut off. */
  async abandon(): Promise<void> {
    this.#phase = 'ending';
    const cut = wait(leaseReserve, undefined, { ref: false });
    await Promise.race([this.#allRequests(), cut]);
    this.#cutOff();
    await this.#allRequests();
    this.#throwFault();
  }

  #cutOff(): void {
    this.#cutting.abort();
    this.#cutting = new AbortController();
  }

  get #isOver(): boolean {
    return this.#phase === 'ending' || this.#phase === 'ended';
  }

  #throwFault(): void {
    const fault = this.#fault;
    this.#fault = null;
    if (fault !== null) throw fault.error;
  }

  async #allRequests(): Promise<void> {
    while (this.#requests.size > 0) await Promise.all(this.#requests);
  }

  async #readUpTo(lastPosition: number): Promise<void> {
    while (!this.#isOver && this.#lease.state.cursor < lastPosition && mayRead(this.#lease.state)) {
      const { all, wanted } = await this.#events.read(this.#lease.state.cursor, this.endpoint);
      if (all.length === 0) return;
      const { clock, maxAge = null, sendsState } = this.#parts;
      const subjects = [...new Set(wanted.map(({ event }) => subjectOf(event)))];
      let known: DeliveryStream['pending'] = new Map();
      await this.#lease.changeWith(subjects, (state) => {
        known = state.pending;
        return read(state, all, (one) => wanted.includes(one), clock(), { maxAge, sendsState });
      });
      this.#lease.keepBusy();
      if (maxAge !== null) this.#reportOld(known);
      this.#begin();
    }
  }

  /** Reports the deliveries that were parked when they were read. `known` was pending before. */
  #reportOld(known: DeliveryStream['pending']): void {
    const { endpointId, productId, pending } = this.#lease.state;
    for (const [entitlementId, { at }] of pending) {
      if (at !== null || known.has(entitlementId)) continue;
      this.#parts.report({ kind: 'parked', endpointId, productId, entitlementId, answer: 'too old' });
    }
  }

  /** Requests that may begin now. Slow ones leave room for others, up to a number. */
  get #room(): number {
    const { maxSlow = 0, monotonicClock } = this.#parts;
    const since = monotonicClock() - slowTime;
    const fast = [...this.#inFlight.values()].filter((beganAt) => maxSlow === 0 || beganAt > since).length;
    return Math.min(maxInFlight - fast, maxInFlight + maxSlow - this.#inFlight.size);
  }

  #begin(): void {
    const { clock, isPaused } = this.#parts;
    if (this.#phase !== 'delivering' || isPaused() || !this.#lease.mayBegin) return;
    for (const delivery of due(this.#lease.state, this.#inFlight, clock(), this.#room)) {
      this.#inFlight.set(delivery.entitlementId, this.#parts.monotonicClock());
      const request = this.#deliver(delivery)
        .catch((error: unknown) => {
          this.#fault = { error };
          if (!this.#isOver) this.#phase = 'resting';
        })
        .finally(() => {
          this.#inFlight.delete(delivery.entitlementId);
          this.#requests.delete(request);
          this.#begin();
        });
      this.#requests.add(request);
    }
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { send, clock, monotonicClock, report } = this.#parts;
    const now = clock();
    const message = await this.#events.at(delivery.position);
    if (message === null) {
      const { endpointId, productId } = this.#lease.state;
      report({ kind: 'lost', endpointId, productId, position: delivery.position });
      await this.#recordAttempt(delivery, { kind: 'delivered', answer: 'lost', status: null }, now);
      return;
    }
    const startedAt = monotonicClock();
    const outcome = await send({
      url: this.endpoint.url,
      isPublicOnly: this.endpoint.isPublicOnly,
      keys: signingKeys(this.endpoint, now),
      message,
      effect: this.#lease.state.effects.get(delivery.entitlementId),
      keepEffect: async (effect) => {
        this.#keepEffect(delivery, { effect });
        return (await this.#lease.saveNow()) === 'held';
      },
      signal: this.#cutting.signal,
    });
    const durationMs = Math.round(monotonicClock() - startedAt);
    report({ kind: 'sent', outcome: outcome.kind });
    this.#keepAttempt({ at: now, position: delivery.position, eventId: message.id, durationMs }, outcome);
    this.#keepEffect(delivery, outcome);
    await this.#recordAttempt(delivery, outcome, now);
  }

  /** Keeps an attempt for people to read. It is written together with the change that follows from it. */
  #keepAttempt(
    sent: Omit<DeliveryAttempt, 'status' | 'reason'>,
    { status, answer }: Pick<DeliveryOutcome, 'status' | 'answer'>,
  ): void {
    const attempt = { ...sent, status, reason: status === null ? answer : null };
    const { state } = this.#lease;
    this.#lease.state = { ...state, attempts: withAttempt(state.attempts, attempt) };
  }

  #keepEffect({ entitlementId }: DueDelivery, { effect }: Pick<DeliveryOutcome, 'effect'>): void {
    if (effect === undefined) return;
    const { state } = this.#lease;
    const effects = withEffect(state, entitlementId, effect, this.#parts.clock());
    this.#lease.state = { ...state, effects };
  }

  async #recordAttempt(delivery: DueDelivery, outcome: DeliveryOutcome, sentAt: Date): Promise<void> {
    if (this.#phase === 'ended') return;
    const { clock, isPaused, random, report, whenDown = 'probe' } = this.#parts;
    const { state } = this.#lease;
    const now = isPaused() ? sentAt : clock();
    const { stream, verdict } = recordAttempt(state, delivery, attemptOf(outcome, { jitter: random(), whenDown }), now);
    this.#lease.state = stream;
    const { endpointId, productId } = stream;
    const { answer } = outcome;
    switch (verdict) {
      case 'delivered':
        this.#events.forget(delivery.position);
        this.#lease.whenStored(() => this.#parts.onStored?.(delivery.entitlementId));
        return;
      case 'parked':
        report({ kind: 'parked', endpointId, productId, entitlementId: delivery.entitlementId, answer });
        return;
      case 'failed':
        if (!isDown(state) && isDown(stream)) report({ kind: 'down', endpointId, productId, answer });
        return;
      case 'gone':
      case 'failing':
        if (!this.#isOver) this.#phase = 'broken';
        if (!(await this.#onBroken(verdict)) && !this.#isOver) this.#phase = 'resting';
        return;
      case 'outdated':
    }
  }
}

function attemptOf(outcome: DeliveryOutcome, terms: Pick<DelayTerms, 'jitter' | 'whenDown'>): Attempt {
  return outcome.kind === 'failed'
    ? { kind: 'failed', ...terms, retryAfter: outcome.retryAfter }
    : { kind: outcome.kind };
}

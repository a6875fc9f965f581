import type { EntitlementEvent } from '../../core/entitlement/event/entitlement-event.ts';
import type { DeliveryOutcome } from '../../core/webhook/send-delivery.ts';
import type { DeliveryStream } from '../../core/webhook/stream/delivery-stream.ts';
import { due, hasDue, mayRead, read, readSize, type DueDelivery } from '../../core/webhook/stream/due-deliveries.ts';
import { settle, type Attempt } from '../../core/webhook/stream/settle-delivery.ts';
import { isForType, signingKeys, type WebhookEndpoint } from '../../core/webhook/webhook-endpoint.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { StreamLease } from './stream-lease.ts';
import type { OwnedStream } from './stream-list.ts';

/**
 * Called when an endpoint wants no more events or has failed for too long. Resolves with whether it was disabled.
 */
export type OnBroken = (reason: 'gone' | 'failing') => Promise<boolean>;

/** Delivers the events of one stream while this process holds it. */
export class StreamRunner {
  endpoint: WebhookEndpoint;
  readonly productId: string;
  readonly #parts: DeliveryParts;
  readonly #lease: StreamLease;
  readonly #onBroken: OnBroken;
  /** Entitlements with a request in flight. */
  readonly #inFlight = new Set<string>();
  readonly #requests = new Set<Promise<void>>();
  /** Events that were read and not delivered, by position. */
  readonly #events = new Map<number, EntitlementEvent>();
  /** A fault of a request, until the next step throws it. */
  #fault: { readonly error: unknown } | null = null;
  /** Whether no requests begin because of a fault, until the next step. */
  #isResting = false;
  /** Whether no more requests may begin. */
  #isOver = false;
  /** Whether it is being decided if the endpoint is disabled. */
  #isBroken = false;
  /** Whether the outcomes of requests no longer count. */
  #isCut = false;

  private constructor(parts: DeliveryParts, endpoint: WebhookEndpoint, lease: StreamLease, onBroken: OnBroken) {
    this.#parts = parts;
    this.endpoint = endpoint;
    this.productId = lease.state.productId;
    this.#lease = lease;
    this.#onBroken = onBroken;
  }

  /** Takes a stream that is free, and delivers its events from then on. Returns null if another process was first. */
  static async take(
    parts: DeliveryParts,
    { endpoint, stream }: OwnedStream,
    onBroken: OnBroken,
  ): Promise<StreamRunner | null> {
    const lease = await StreamLease.take(parts, stream);
    return lease === null ? null : new StreamRunner(parts, endpoint, lease, onBroken);
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
    this.#isResting = false;
    await this.#readUpTo(lastPosition);
    this.#begin();
    if (this.#requests.size > 0) this.#lease.keepBusy();
    return this.#lease.save();
  }

  /** Keeps the stream, and begins nothing until the next step. */
  rest(): Promise<'held' | 'lost'> {
    this.#isResting = true;
    return this.#lease.save();
  }

  /** Begins no more requests. Resolves when those in flight have ended or `cut` has resolved, and the stream is free. */
  async stop(cut: Promise<void> | null = null): Promise<void> {
    this.#isOver = true;
    await Promise.race([this.#allRequests(), ...(cut === null ? [] : [cut])]);
    this.#isCut = true;
    await this.#lease.release();
    this.#throwFault();
  }

  /** Begins no more requests, and writes nothing. Resolves when those in flight have ended. */
  async abandon(): Promise<void> {
    this.#isOver = true;
    await this.#allRequests();
    this.#throwFault();
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
    const { events, newCall, clock } = this.#parts;
    while (!this.#isOver && this.#lease.state.cursor < lastPosition && mayRead(this.#lease.state)) {
      const { productId, cursor } = this.#lease.state;
      const page = await events.page(productId, cursor, readSize, newCall());
      if (page.events.length === 0) return;
      const wanted = page.events.filter(({ event }) => isForType(this.endpoint, event.type));
      for (const { position, event } of wanted) this.#events.set(position, event);
      this.#lease.state = read(this.#lease.state, page.events, (one) => wanted.includes(one), clock());
      this.#lease.keepBusy();
      this.#begin();
    }
  }

  #begin(): void {
    const { clock, isPaused } = this.#parts;
    if (this.#isOver || this.#isResting || this.#isBroken || isPaused() || !this.#lease.mayBegin) return;
    for (const delivery of due(this.#lease.state, this.#inFlight, clock())) {
      this.#inFlight.add(delivery.entitlementId);
      const request = this.#deliver(delivery)
        .catch((error: unknown) => {
          this.#fault = { error };
          this.#isResting = true;
          this.#isBroken = false;
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
    const { send, clock, report } = this.#parts;
    const now = clock();
    const message = await this.#eventAt(delivery.position);
    if (message === null) {
      const { endpointId, productId } = this.#lease.state;
      report({ kind: 'lost', endpointId, productId, position: delivery.position });
      await this.#settle(delivery, { kind: 'delivered', answer: 'lost' }, now);
      return;
    }
    const outcome = await send({ url: this.endpoint.url, keys: signingKeys(this.endpoint, now), message });
    report({ kind: 'sent', outcome: outcome.kind });
    await this.#settle(delivery, outcome, now);
  }

  async #settle(delivery: DueDelivery, outcome: DeliveryOutcome, sentAt: Date): Promise<void> {
    if (this.#isCut) return;
    const { clock, isPaused, random, report } = this.#parts;
    const { state } = this.#lease;
    const now = isPaused() ? sentAt : clock();
    const { stream, verdict } = settle(state, delivery, attemptOf(outcome, random()), now);
    this.#lease.state = stream;
    const { endpointId, productId } = stream;
    const { answer } = outcome;
    switch (verdict) {
      case 'delivered':
        this.#events.delete(delivery.position);
        return;
      case 'parked':
        report({ kind: 'parked', endpointId, productId, entitlementId: delivery.entitlementId, answer });
        return;
      case 'failed':
        if (state.probe === null && stream.probe !== null) report({ kind: 'down', endpointId, productId, answer });
        return;
      case 'gone':
      case 'failing':
        this.#isBroken = true;
        this.#isBroken = await this.#onBroken(verdict);
        return;
      case 'outdated':
    }
  }

  /** The event at a position; null if the log no longer has it. */
  async #eventAt(position: number): Promise<EntitlementEvent | null> {
    const known = this.#events.get(position);
    if (known !== undefined) return known;
    const { events, newCall } = this.#parts;
    const { productId } = this.#lease.state;
    const page = await events.page(productId, position - 1, 1, newCall());
    const [found] = page.events;
    return found?.position === position ? found.event : null;
  }
}

/** Reports whether a stream has something to do, given the last position of its log. */
export function hasWork(stream: DeliveryStream, lastPosition: number, now: Date): boolean {
  return (stream.cursor < lastPosition && mayRead(stream)) || hasDue(stream, now);
}

function attemptOf(outcome: DeliveryOutcome, jitter: number): Attempt {
  return outcome.kind === 'failed'
    ? { kind: 'failed', jitter, retryAfter: outcome.retryAfter }
    : { kind: outcome.kind };
}

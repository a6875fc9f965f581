import { createClockWatch } from '../../../app/server/background.ts';
import { startStripeDeliveries } from '../../../app/server/stripe-deliveries.ts';
import { createStripeParts } from '../../../app/server/stripe-service.ts';
import { createContainer } from '../../../app/service/container.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { defaultSettings } from '../../../app/settings/resolve.ts';
import { stripeCommands } from '../../../app/stripe-commands.ts';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import type { CaseKind, StripeCase } from '../../../core/billing/stripe-cases.port.ts';
import { copyStore } from '../../../core/copy/copy-store.ts';
import { streamName, type DeliveryStream } from '../../../core/webhook/stream/delivery-stream.ts';
import type { SeenRequest } from '../../../testing/stripe/fake-stripe.ts';
import { aCall } from '../builders.ts';
import { eventually } from '../eventually.ts';
import type { OpenedStore } from '../stores/stores.ts';
import { LookedAtShop } from './looked-at-shop.ts';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly id?: string;
  readonly answer?: string;
}

/** The request that changes a subscription, as faults name it. */
export const update = 'POST /v1/subscriptions/:id';

/** The request that ends a subscription at once. */
export const end = 'DELETE /v1/subscriptions/:id';

/** The entries of the history for changes by `OutShop.ask`. */
export const cancel = 'cancellation_scheduled by command:test';
export const resume = 'cancellation_undone by command:test';

/** A shop at Stripe, and a server that sends cancellations there. Its clock is `at.now`. */
export class OutShop {
  readonly at: LookedAtShop;
  readonly logged: LogLine[] = [];
  readonly #store: OpenedStore;
  #stop: (timeout: number) => Promise<void> = async () => {};

  private constructor(at: LookedAtShop, store: OpenedStore) {
    this.at = at;
    this.#store = store;
  }

  static async open(store: OpenedStore): Promise<OutShop> {
    return new OutShop(await LookedAtShop.open(store), store);
  }

  get #parts() {
    const log = loggerTo({ write: (line) => this.logged.push(JSON.parse(line)) });
    return { container: createContainer(this.#store), log, clock: () => this.at.now };
  }

  get #settings() {
    return { ...defaultSettings, stripeApiKey: this.at.shop.apiKey, stripeApiBase: this.at.shop.url };
  }

  /** Starts a process that delivers. `speed` is how fast its monotonic clock runs, by which it waits a second before it writes. */
  async start(speed = 1): Promise<void> {
    const clocks = { monotonicClock: () => performance.now() * speed, isPaused: () => false };
    this.#stop = await startStripeDeliveries(this.#parts, this.#settings, clocks, new AbortController().signal);
  }

  async stop(): Promise<void> {
    await this.#stop(0);
    this.#stop = async () => {};
  }

  /** Lets a release begin that knows Stripe: what was changed before it is not sent. */
  async beginNow(): Promise<void> {
    await this.start();
    await this.stop();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.at.shop.stop();
  }

  /** Looks as the service does. */
  async lookAt(id: string): Promise<void> {
    const { look } = await createStripeParts(this.#parts, this.#settings);
    await look(id, this.at.call());
  }

  /** Makes a change here, as a merchant's server or an operator does. */
  async ask(id: string, kind: 'cancel' | 'resume' | 'suspend' | 'reinstate' | 'revoke'): Promise<void> {
    await this.at.administration.runEntitlementCommand(id, { kind }, aCall({ now: this.at.now }));
    await this.#store.settle();
  }

  /** Looks at the clock as a server does that starts, with a clock that its operator vouches for. */
  async watchClock(): Promise<void> {
    await createClockWatch(this.#parts, { ...this.#settings, acceptClock: 'on' }).look();
  }

  /** Runs `stripe reconcile`, with `--fix` unless it is false. */
  async reconcile(fix = true) {
    const { administration } = this.at;
    const parts = { ports: this.#store, administration, platform: nodePlatform, by: 'command:test' } as const;
    const { reconcile } = await stripeCommands(parts, this.#settings);
    return reconcile({ since: null, fix }, () => aCall({ now: this.at.now }));
  }

  /**
   * Lets the next update take effect at Stripe without an answer. The library sends it twice under one key, and Stripe
   * answers a repeated key from what it has kept, so the first request is cut before its effect, and the second after it.
   */
  loseAnswer(route: typeof update | typeof end = update): void {
    this.at.shop.faults.cut(route);
    this.at.shop.faults.cut(route, { afterEffect: true });
  }

  /**
   * Loses the next update on its way. The library repeats it once, which is lost as well. Returns a function that returns the
   * request, or null if none was sent: `arrive` has Stripe carry it out, with the key of the library.
   */
  delayUpdate(): () => SeenRequest | null {
    const before = this.updates.length;
    this.at.shop.faults.cut(update, { times: 2 });
    return () => this.updates.slice(before).find(({ status }) => status === null) ?? null;
  }

  /** Has a request arrive at Stripe that was lost on its way. */
  async arrive(late: SeenRequest | null): Promise<void> {
    if (late === null) throw new Error('no request was lost');
    const { path, parameters: body, idempotencyKey } = late;
    const { url, apiKey } = this.at.shop;
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': idempotencyKey ?? '' };
    await fetch(`${url}${path}`, { method: 'POST', headers, body });
  }

  /** Copies the store into another one, which may have an earlier copy. */
  async backUp(backup: OpenedStore): Promise<void> {
    await copy(this.#store, backup);
  }

  /** Puts a copy into the place of the store, and starts as after `store restore`. A store without copies only starts. */
  async restore(backup: OpenedStore, speed: number): Promise<void> {
    await this.stop();
    await copy(backup, this.#store);
    await this.#store.clockMarks.noteRestore(this.at.now, aCall());
    await this.watchClock();
    await this.start(speed);
  }

  wait(milliseconds: number): void {
    this.at.now = new Date(this.at.now.getTime() + milliseconds);
  }

  stream(): Promise<DeliveryStream | null> {
    return this.#store.deliveryStreams.find(streamName(outgoing, 'sketchpad'), aCall(), 'all');
  }

  /** Waits until everything is delivered and stored. */
  async settle(): Promise<void> {
    const last = await this.#store.events.lastPosition('sketchpad', aCall());
    await happens(
      'everything is delivered',
      () => this.stream(),
      (stream) => stream !== null && stream.cursor >= last && stream.pending.size === 0,
    );
  }

  /** Whether everything is delivered and stored. */
  async isSettled(): Promise<boolean> {
    const last = await this.#store.events.lastPosition('sketchpad', aCall());
    const stream = await this.stream();
    return stream !== null && stream.cursor >= last && stream.pending.size === 0;
  }

  /** Waits until the stream has failed `times` times with an entitlement. */
  async fails(id: string, times: number): Promise<void> {
    await happens(
      `attempt ${times} has failed`,
      () => this.stream(),
      (stream) => stream?.pending.get(id)?.attempt === times,
    );
  }

  /** The cases of the sale that are stored, by kind. */
  async cases(id: string): Promise<Readonly<Record<string, Omit<StripeCase, 'id' | 'kind'>>>> {
    const found = await this.#store.stripeCases.find(id, aCall());
    return Object.fromEntries(found.map(({ id: _id, kind, ...facts }) => [kind, facts]));
  }

  /** Waits until the sale has cases of these kinds, and no others. */
  async hasCases(id: string, ...kinds: readonly CaseKind[]): Promise<void> {
    const expected = String(kinds.toSorted());
    await happens(
      `the cases of the sale are "${expected}"`,
      () => this.cases(id),
      (found) => String(Object.keys(found).toSorted()) === expected,
    );
  }

  async isParked(id: string): Promise<boolean> {
    return (await this.stream())?.pending.get(id)?.at === null;
  }

  /** Waits until an attempt has failed, and moves the clock to the next one. */
  async waitForAttempt(id: string, attempt: number): Promise<void> {
    await this.fails(id, attempt);
    const next = (await this.stream())?.pending.get(id)?.at;
    if (next) this.at.now = next;
  }

  /** Waits until an entitlement has such a history. */
  async operations(id: string, expected: readonly string[]): Promise<readonly string[]> {
    return eventually(
      () => this.at.operations(id),
      (found) => JSON.stringify(found) === JSON.stringify(expected),
    );
  }

  /** The requests that change a subscription. */
  get updates(): readonly SeenRequest[] {
    return this.at.shop.requests.filter(
      ({ method, path }) => (method === 'POST' || method === 'DELETE') && path.startsWith('/v1/subscriptions'),
    );
  }

  cancellationOf(id: string): unknown {
    const { cancel_at_period_end: atPeriodEnd, cancel_at: at } = this.at.shop.object(id);
    return { atPeriodEnd, isAt: at !== null };
  }
}

/** Waits for a state. Throws if it does not come. */
async function happens<T>(what: string, read: () => Promise<T>, passes: (result: T) => boolean): Promise<void> {
  if (!passes(await eventually(read, passes))) throw new Error(`In a minute it has not happened that ${what}.`);
}

async function copy({ archive: from }: OpenedStore, { archive: to }: OpenedStore): Promise<void> {
  if (from === null || to === null) return;
  await copyStore(from, to)(
    { resume: true },
    () => aCall(),
    () => undefined,
  );
}

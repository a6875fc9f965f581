import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventTypes } from '../../../adapters/stripe/hook/event-subjects.ts';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import { outgoing } from '../../../core/billing/outgoing-stream.ts';
import { cancellationOperations, type CancellationOperation } from '../../../core/entitlement/cancellation.ts';
import { Refusal, type RefusalCode } from '../../../core/refusal.ts';
import { streamName } from '../../../core/webhook/stream/delivery-stream.ts';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { aCall } from '../builders.ts';
import type { Run } from '../cli/command-line.ts';
import { runCommand } from '../cli/run-command.ts';
import { eventually } from '../eventually.ts';
import { freePorts } from '../free-ports.ts';
import { startServerProcess, type ServerProcess } from '../processes/server-process.ts';
import { fillStore } from '../stores/filled-store.ts';
import { openAt, type OpenedStore, type StoreAddress } from '../stores/stores.ts';
import { happen, type ShopVerb } from './shop-verbs.ts';

const keys = {
  appKey: 'svc_sk_live_of-the-merchant-whose-server-is-killed',
  operatorKey: 'svc_op_live_of-the-merchant-whose-server-is-killed',
  licenseKey: 'LK-OF-THE-MERCHANT-WHOSE-SERVER-IS-KILLED',
};
const product = 'prod_1';

/** Verbs that do not ask for a cancellation, and need no other clock. */
const payments: readonly ShopVerb[] = [
  'unpaid',
  'pay',
  'pause collection',
  'resume collection',
  'to team',
  'to pro',
  'quantity',
];

/** Verbs that give access back, so that everyone is granted in the end. */
const settling: readonly ShopVerb[] = ['pay', 'resume collection'];

const cancellations: readonly ShopVerb[] = ['cancel in the portal', 'cancel by the flag', 'undo', 'undo'];

/** Milliseconds between two attempts of a request: while a server starts, its clients must leave it the processor. */
const retryInterval = 200;

export interface Buyer {
  readonly id: string;
  readonly session: string;
  /** Whether the buyer cancels at Stripe too, so that a change by the merchant may not last. */
  readonly cancelsAtStripe: boolean;
  /** The changes that were acknowledged here, in their order. */
  readonly acknowledged: CancellationOperation[];
  /**
   * The last change by an operator, who suspends and reinstates access meanwhile. Null for a buyer whom no operator
   * touches.
   */
  readonly takenAway: 'suspend' | 'revoke' | null;
}

/** The refusals of a store that is too busy. */
const busy: readonly RefusalCode[] = ['store_unavailable', 'changed_meanwhile'];

/** A shop at Stripe and a server in its own process, which is killed while both sides change. */
export class KilledShop {
  readonly shop: FakeStripe;
  readonly store: OpenedStore;
  readonly buyers: Buyer[] = [];
  readonly #address: StoreAddress;
  readonly #ports: readonly number[];
  #process: ServerProcess | null = null;
  #stopped = false;
  #settled = false;

  private constructor(shop: FakeStripe, address: StoreAddress, store: OpenedStore, ports: readonly number[]) {
    this.shop = shop;
    this.store = store;
    this.#address = address;
    this.#ports = ports;
  }

  /** A shop that also has subscriptions which Stripe does not know. */
  static async on(address: StoreAddress, others: readonly string[]): Promise<KilledShop> {
    await fillStore(address.url, keys, others);
    const store = await openAt(address.url);
    const shop = await fakeStripe();
    for (const [tierId, interval] of [['pro', 'month'] as const, ['team', 'year'] as const]) {
      const price = shop.addPrice({ id: `price_${tierId}`, interval });
      await store.priceMap.put(
        { price, productId: product, tierId, tierName: tierId, deviceLimit: null, updates: null },
        aCall(),
      );
    }
    const ports = await freePorts(2);
    shop.addEndpoint({ url: `http://127.0.0.1:${ports[0]}/hooks/stripe`, events: eventTypes });
    return new KilledShop(shop, address, store, ports);
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.#ports[1]}`;
  }

  get operatorKey(): string {
    return keys.operatorKey;
  }

  async start(): Promise<void> {
    const flags = ['--port', String(this.#ports[0]), '--admin-port', String(this.#ports[1]), '--accept-clock', 'on'];
    this.#process = await startServerProcess(this.#address.url, { flags, env: this.#env });
  }

  /** Kills the server, and frees what it held, so that the next one need not wait until its lease is over. */
  async kill(): Promise<void> {
    await this.#process?.kill();
    const { deliveryStreams } = this.store;
    const stream = await deliveryStreams.find(streamName(outgoing, product), aCall(), 'all');
    if (stream !== null) await deliveryStreams.replace({ ...stream, holder: null, fence: stream.fence + 1 }, aCall());
  }

  async remove(): Promise<void> {
    await this.#process?.kill();
    await this.store.close();
    await this.shop.stop();
    await this.#address.remove();
  }

  /** Kills the server `kills` times while buyers come and both sides change. They settle while the last one starts. */
  async live(buyers: number, kills: number): Promise<void> {
    await this.start();
    const life = Promise.all(Array.from({ length: buyers }, (_, index) => this.#buy(index)));
    const redelivery = this.#redeliver();
    for (let kill = 1; kill <= kills; kill += 1) {
      await Promise.race([this.#progress(5 + Math.random() * 20), life]);
      await pause(Math.random() * 20);
      await this.kill();
      this.#stopped = kill === kills;
      await this.start();
    }
    await life;
    this.#settled = true;
    await redelivery;
  }

  /** Waits until the server has delivered everything to Stripe. */
  async settle(): Promise<void> {
    await this.store.settle();
    await eventually(
      async () => {
        const stream = await this.store.deliveryStreams.find(streamName(outgoing, product), aCall(), 'all');
        return stream === null ? -1 : stream.cursor - stream.pending.size - (await this.#lastPosition());
      },
      (distance) => distance === 0,
    );
  }

  #lastPosition(): Promise<number> {
    return this.store.events.lastPosition(product, aCall());
  }

  /** Runs a command with the store and the key of the server. */
  run(line: string): Promise<Run> {
    return runCommand(line, this.#address.url, { env: this.#env });
  }

  /** Resolves when `changes` more changes were acknowledged here. */
  async #progress(changes: number): Promise<void> {
    const count = (): number => this.buyers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    const goal = count() + changes;
    while (count() < goal && !this.#stopped) await pause(1);
  }

  /** One buyer's life: the buyer at Stripe, and the merchant's server here. */
  async #buy(index: number): Promise<void> {
    const { subscription: id, session } = await this.shop.subscribe({ price: 'price_pro' });
    const takenAway = index % 4 === 2 ? 'suspend' : index % 4 === 3 ? 'revoke' : null;
    const cancelsAtStripe = index % 2 === 1;
    const buyer: Buyer = { id, session: session ?? '', cancelsAtStripe, acknowledged: [], takenAway };
    this.buyers.push(buyer);
    const elsewhere = Promise.all([this.#liveAtStripe(buyer), this.#liveUnderOperator(buyer)]);
    await Promise.all([this.#liveHere(buyer), elsewhere.then(() => this.#settle(buyer))]);
  }

  async #settle({ id, takenAway }: Buyer): Promise<void> {
    if (takenAway === null) for (const verb of settling) await happen(this.shop, id, verb);
    else await this.#operate(id, takenAway, [...busy, 'entitlement_not_found']);
  }

  async #liveAtStripe({ id, cancelsAtStripe, takenAway }: Buyer): Promise<void> {
    const verbs = cancelsAtStripe ? [...payments, ...cancellations, ...cancellations] : payments;
    // The seller neither pauses nor resumes what an operator suspends.
    const own = verbs.filter((verb) => takenAway === null || !verb.endsWith('collection'));
    while (!this.#stopped) {
      await happen(this.shop, id, oneOf(own));
      await pause(Math.random() * 600);
    }
  }

  async #liveHere(buyer: Buyer): Promise<void> {
    while (!this.#stopped) {
      // Each once, and then at random: the history must have both.
      const operation = cancellationOperations[buyer.acknowledged.length] ?? oneOf(cancellationOperations);
      if (await this.#ask(buyer.id, operation)) buyer.acknowledged.push(operation);
      await pause(Math.random() * 200);
    }
  }

  async #liveUnderOperator({ id, takenAway }: Buyer): Promise<void> {
    if (takenAway === null) return;
    while (!this.#stopped) {
      await this.#operate(id, oneOf(['suspend', 'reinstate'] as const));
      await pause(Math.random() * 300);
    }
  }

  /**
   * Makes a change as a command does, beside the server, and again where the store is too busy for it. A buyer who is not
   * granted yet has nothing to take away, unless that is waited for.
   */
  async #operate(
    id: string,
    kind: 'suspend' | 'reinstate' | 'revoke',
    repeated: readonly RefusalCode[] = busy,
  ): Promise<void> {
    const { runEntitlementCommand } = administrationOf(this.store, nodePlatform);
    for (;;) {
      try {
        await runEntitlementCommand(id, { kind }, aCall({ now: new Date() }));
        return;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (!repeated.includes(error.code)) return;
      }
      await pause(20);
    }
  }

  /** Asks for a change until there is an answer. Returns whether it was made. */
  async #ask(id: string, operation: CancellationOperation): Promise<boolean> {
    const headers = { authorization: `Bearer ${keys.appKey}`, 'idempotency-key': randomUUID() };
    const url = `http://127.0.0.1:${this.#ports[0]}/api/app-entitlements/${id}/${operation}`;
    for (;;) {
      const answer = await fetch(url, { method: 'POST', headers }).catch(() => null);
      const status =
        answer === null
          ? null
          : await answer.arrayBuffer().then(
              () => answer.status,
              () => null,
            );
      if (status !== null && status < 500) return status === 200;
      await pause(retryInterval);
    }
  }

  /** Stripe delivers again, late, doubled and in another order. */
  async #redeliver(): Promise<void> {
    while (!this.#settled) {
      await pause(Math.random() * 600);
      const some = this.shop.events.filter(() => Math.random() < 0.05);
      await this.shop.deliver([...some, ...some].toSorted(() => Math.random() - 0.5));
    }
  }

  get #env(): Readonly<Record<string, string>> {
    const { url, apiKey, webhookSecret } = this.shop;
    return { STRIPE_API_BASE: url, STRIPE_API_KEY: apiKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
  }
}

function oneOf<T>(choices: readonly T[]): T {
  const choice = choices[Math.floor(Math.random() * choices.length)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}

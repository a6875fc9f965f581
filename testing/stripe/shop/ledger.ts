import { randomBytes } from 'node:crypto';
import type { ShopEvent } from '../events/shop-event.ts';
import { newAccount } from '../objects/price.ts';
import type {
  Account,
  Charge,
  Customer,
  Discount,
  Dispute,
  Invoice,
  InvoiceLine,
  InvoicePayment,
  Item,
  LineItem,
  PaymentIntent,
  Price,
  PromotionCode,
  Refund,
  Session,
  Subscription,
  WebhookEndpoint,
} from '../objects/stored.ts';

/** The request that caused an event. */
export interface Cause {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

const noRequest: Cause = { id: null, idempotency_key: null };

/** Everything that the shop has at Stripe, in the order in which it came, and the events of what happened to it. */
export class Ledger {
  readonly subscriptions = new Map<string, Subscription>();
  /** All items of a subscription, by the subscription's id. */
  readonly items = new Map<string, readonly Item[]>();
  readonly invoices = new Map<string, Invoice>();
  /** All lines of an invoice, by the invoice's id. */
  readonly invoiceLines: Map<string, readonly InvoiceLine[]> = new Map();
  readonly invoicePayments = new Map<string, InvoicePayment>();
  readonly paymentIntents = new Map<string, PaymentIntent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly customers: Map<string, Customer> = new Map();
  readonly promotionCodes: Map<string, PromotionCode> = new Map();
  readonly discounts: Map<string, Discount> = new Map();
  readonly sessions = new Map<string, Session>();
  /** The line items of a session, by the session's id. */
  readonly lineItems = new Map<string, readonly LineItem[]>();
  readonly prices = new Map<string, Price>();
  readonly endpoints: Map<string, WebhookEndpoint> = new Map();
  readonly events: ShopEvent[] = [];
  readonly account: Account;
  readonly apiVersion: string;
  #clock: () => Date;
  #cause = noRequest;

  constructor(clock: () => Date, apiVersion: string) {
    this.#clock = clock;
    this.apiVersion = apiVersion;
    this.account = newAccount(this.newId('acct'), this.now());
  }

  /** The present time in seconds, as Stripe counts it. */
  now(): number {
    return Math.floor(this.#clock().getTime() / 1000);
  }

  follow(clock: () => Date): void {
    this.#clock = clock;
  }

  newId(prefix: string): string {
    const random = randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x');
    return `${prefix}_${prefix === 'cs_test' ? 'a1' : '1'}${random}`;
  }

  /** Runs a change that a request asked for: its events name the request. */
  causedBy<T>(cause: Cause, change: () => T): T {
    this.#cause = cause;
    try {
      return change();
    } finally {
      this.#cause = noRequest;
    }
  }

  /** Adds an event with the object as it is now. */
  note(type: string, object: object, previous?: Readonly<Record<string, unknown>>): void {
    this.events.push({
      id: this.newId('evt'),
      object: 'event',
      api_version: this.apiVersion,
      created: this.now(),
      data: structuredClone({
        object: object as Record<string, unknown>,
        ...(previous === undefined ? {} : { previous_attributes: previous }),
      }),
      livemode: false,
      pending_webhooks: this.endpoints.size,
      request: this.#cause,
      type,
    });
  }

  /** Changes an object, and adds an event unless all is as it was. */
  change<T extends object>(type: string, object: T, changes: Partial<T>): void {
    const before = Object.entries(changes).flatMap(([name]) => {
      const old = structuredClone((object as Record<string, unknown>)[name]);
      return JSON.stringify(old) === JSON.stringify(changes[name as keyof T]) ? [] : [[name, old] as const];
    });
    Object.assign(object, changes);
    if (before.length > 0) this.note(type, object, Object.fromEntries(before));
  }
}

/** Finds an object that a test named. Throws `TypeError` for an id that is unknown. */
export function known<T>(table: ReadonlyMap<string, T>, id: string): T {
  const found = table.get(id);
  if (found === undefined) throw new TypeError(`The shop has no ${id}.`);
  return found;
}

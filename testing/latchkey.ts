import type { Statement, Tier } from '../client/admin/index.ts';
import type { BillingInterval, ClientOptions, Entitlement, Event, Features, LatchkeyClient } from '../client/index.ts';
import type { FakeStripe } from './stripe/fake-stripe.ts';
import type { Instant } from './time/instant.ts';

export interface StartOptions {
  /** Where the clock stands. Default: the present instant. */
  readonly now?: Instant | undefined;
  /**
   * A shop whose events the service gets, and whose API it asks. The shop follows the clock of the service from then on.
   * Needs the package `stripe`.
   */
  readonly stripe?: FakeStripe | undefined;
}

/** The terms of a grant. Terms that are left out have the default of a real grant, or one that suits a test. */
export interface GrantOptions {
  /** Added if it is unknown. */
  readonly productId: string;
  /** Default: a new id. */
  readonly id?: string | undefined;
  /** Default: a new key. */
  readonly licenseKey?: string | undefined;
  /** Default: `pro`. */
  readonly tierId?: string | undefined;
  /** Default: `Pro`. */
  readonly tierName?: string | undefined;
  /** Default: `month`. */
  readonly billingInterval?: BillingInterval | undefined;
  /** The number of billing intervals in a period. Default: 1. */
  readonly billingIntervalCount?: number | undefined;
  /** Default: `active`. */
  readonly status?: 'trialing' | 'active' | 'past_due' | undefined;
  /** Default: now. */
  readonly currentPeriodStart?: Instant | undefined;
  /** Default: `billingIntervalCount` intervals after the start. */
  readonly currentPeriodEnd?: Instant | undefined;
  /** When the access of a one-time purchase ends. Default: never. */
  readonly accessEndsAt?: Instant | undefined;
  /** Until when the buyer gets updates. Default: not said. */
  readonly updatesUntil?: Instant | undefined;
  /** The limit of devices, 1 to 10,000. Default: any number. */
  readonly deviceLimit?: number | undefined;
  /** The time for which access goes on after a period that nobody renews: a whole number and s, m, h or d. Default: `24h`. */
  readonly grace?: string | undefined;
  /** The id of the subscription in a billing system. */
  readonly reference?: string | undefined;
}

/** The terms of a tier, all of them. */
export interface TierOptions {
  /** Added if it is unknown. */
  readonly productId: string;
  /** Default: `pro`, as of a grant. */
  readonly id?: string | undefined;
  /** The limit of devices, 1 to 10,000. Default: any number. */
  readonly deviceLimit?: number | undefined;
  /** Default: none. */
  readonly features?: Features | undefined;
  /** For how long a device without a license may try it, such as `14d`. Default: no trial. */
  readonly trial?: string | undefined;
}

export interface Granted {
  readonly entitlement: Entitlement;
  readonly licenseKey: string;
}

/**
 * The clock of the service. It stands still until a test moves it. A move resolves once the feed has the events of what
 * ended on the way.
 */
export interface TestClock {
  now(): Date;
  /** Moves the clock on: a whole number and s, m, h or d, such as `31d`. */
  advance(duration: string): Promise<void>;
  /** Moves the clock to an instant, earlier ones included. */
  set(instant: Instant): Promise<void>;
}

/** A Latchkey service in this process, over a store in memory. */
export interface Latchkey {
  /** The address of the service, on a free port. */
  readonly url: string;
  /** The address of the administration. */
  readonly adminUrl: string;
  /** An operator key for the administration, with every scope. */
  readonly operatorKey: string;
  readonly clock: TestClock;
  /** An app key of a product with every scope, the same each time. Adds the product if it is unknown. */
  readonly appKey: (productId: string) => string;
  /** A client with the app key of a product. */
  readonly client: (productId: string, options?: Omit<ClientOptions, 'baseUrl' | 'appKey'>) => LatchkeyClient;
  /** Sells something to a buyer. Throws for terms that cannot be granted. */
  readonly grant: (options: GrantOptions) => Promise<Granted>;
  /** Sets the allowance of a tier. Throws for one that no tier can have. */
  readonly putTier: (options: TierOptions) => Promise<Tier>;
  /**
   * Closes a month, such as `2026-11`, and returns the statements of affiliates that this has made. Throws for one that is
   * not over by the clock of the service.
   */
  readonly closeStatements: (month: string) => Promise<readonly Statement[]>;
  /**
   * The events of a product so far, oldest first, with those of changes by the clock. Default: of all products that the
   * test has named, one after the other.
   */
  readonly events: (productId?: string) => Promise<readonly Event[]>;
  /** Stops the service. The store ends with it. Also at the end of a block with `await using`. */
  readonly stop: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

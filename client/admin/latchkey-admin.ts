import type { ConnectionOptions } from '../request.ts';
import { createTransport } from '../transport.ts';
import {
  Affiliates,
  AppKeys,
  Cases,
  Devices,
  Entitlements,
  Events,
  Licenses,
  Listings,
  OperatorKeys,
  Prices,
  Products,
  Promotions,
  Receipts,
  Sales,
  SigningKeys,
  StatementLines,
  Statements,
  Tiers,
  Trials,
  Waitlist,
  Webhooks,
} from './resources.ts';

export interface AdminOptions extends ConnectionOptions {
  /** Where the administration is served: the address of the admin port, such as `http://127.0.0.1:9100`. */
  readonly baseUrl: string;
  /** `svc_op_live_…`. A secret of your server: never give it to a browser or an app. */
  readonly operatorKey: string;
}

/**
 * A client of the administration of a Latchkey service, for servers only. Every write names the state to be reached or has
 * an id of its own, so that failed requests are repeated as those of `LatchkeyClient` are: after network errors, 408, 429
 * and 5xx.
 */
export class LatchkeyAdmin {
  readonly products: Products;
  readonly tiers: Tiers;
  readonly prices: Prices;
  readonly cases: Cases;
  readonly appKeys: AppKeys;
  readonly entitlements: Entitlements;
  readonly devices: Devices;
  readonly trials: Trials;
  readonly licenses: Licenses;
  readonly receipts: Receipts;
  readonly signingKeys: SigningKeys;
  readonly listings: Listings;
  readonly affiliates: Affiliates;
  readonly promotions: Promotions;
  readonly sales: Sales;
  readonly statements: Statements;
  readonly statementLines: StatementLines;
  readonly waitlist: Waitlist;
  readonly operatorKeys: OperatorKeys;
  readonly webhooks: Webhooks;
  readonly events: Events;

  /** Throws `TypeError` or `RangeError` for options that cannot be used. */
  constructor({ operatorKey, ...options }: AdminOptions) {
    if (typeof operatorKey !== 'string' || operatorKey === '')
      throw new TypeError('operatorKey is missing: the administration needs the key of an operator');
    const transport = createTransport(options, operatorKey);
    this.products = new Products(transport);
    this.tiers = new Tiers(transport);
    this.prices = new Prices(transport);
    this.cases = new Cases(transport);
    this.appKeys = new AppKeys(transport);
    this.entitlements = new Entitlements(transport);
    this.devices = new Devices(transport);
    this.trials = new Trials(transport);
    this.licenses = new Licenses(transport);
    this.receipts = new Receipts(transport);
    this.signingKeys = new SigningKeys(transport);
    this.listings = new Listings(transport);
    this.affiliates = new Affiliates(transport);
    this.promotions = new Promotions(transport);
    this.sales = new Sales(transport);
    this.statements = new Statements(transport);
    this.statementLines = new StatementLines(transport);
    this.waitlist = new Waitlist(transport);
    this.operatorKeys = new OperatorKeys(transport);
    this.webhooks = new Webhooks(transport);
    this.events = new Events(transport);
  }
}

// Written by `npm run docs` from the OpenAPI document. Change the operations of the service instead.

import type { CallOptions } from '../request.ts';
import type {
  Affiliate,
  AffiliateFacts,
  AffiliateInvitation,
  AffiliateLink,
  AffiliateLinkRequest,
  AffiliatePage,
  AllowanceRequest,
  AppKey,
  AppKeyPage,
  AppKeyRequest,
  BuyerLink,
  BuyerLinkRequest,
  ClosedStatements,
  ClosingRequest,
  Deletion,
  DeliveryStream,
  EndedLinks,
  Entitlement,
  EntitlementDevices,
  EntitlementPage,
  Erasure,
  ErasureRequest,
  Event,
  EventFeed,
  FullEntitlement,
  Grant,
  GrantRequest,
  HistoryEntry,
  Identifier,
  Invitation,
  InvitationRequest,
  InvitedAffiliate,
  IssuedAppKey,
  IssuedOperatorKey,
  IssuedReceipt,
  KeyRotationRequest,
  LicenseKey,
  LicenseMailRequest,
  LicenseMoveRequest,
  LicenseRotationRequest,
  LicenseSearch,
  Listing,
  ListingPage,
  ListingRequest,
  ListingState,
  MappedPrice,
  OfflineReceiptRequest,
  OperatorKey,
  OperatorKeyPage,
  OperatorKeyRequest,
  Price,
  PricePage,
  PriceRequest,
  Product,
  ProductPage,
  ProductRequest,
  Promotion,
  PromotionPage,
  PromotionRequest,
  ReleasedDevices,
  RenewalRequest,
  ReplayRequest,
  Retry,
  Sale,
  SaleAssignmentRequest,
  SaleRequest,
  SaleSummary,
  SaleSummaryPage,
  SaleVoidRequest,
  SecretRotationRequest,
  SentMail,
  ShownStatement,
  ShownWebhook,
  SigningKey,
  SigningKeyRotationRequest,
  SkipRequest,
  Statement,
  StatementLine,
  StatementLinePage,
  StatementPage,
  StatementPayment,
  StripeCase,
  StripeCasePage,
  StripeSale,
  Tier,
  TierChange,
  TierPage,
  TierRequest,
  TierTermsRequest,
  Trial,
  TrialExtensionRequest,
  TrialPage,
  WaitlistEntry,
  WaitlistPage,
  Webhook,
  WebhookPage,
  WebhookRequest,
  WebhookSecret,
  WebhookTest,
} from './models.ts';
import { itemsOf, pathWith, Resource, type PageQuery } from './resource.ts';

export type ProductsQuery = PageQuery;

export class Products extends Resource {
  /** List products. By id. */
  list(query: ProductsQuery = {}, options: CallOptions = {}): Promise<ProductPage> {
    return this.pageOf(`/admin/products`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: ProductsQuery = {}, options: CallOptions = {}): AsyncGenerator<Product, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Add a product, or give it another name, other links, another icon and other mails. Members that are left out become as in a new product: links and texts are removed. */
  put(id: string, body: ProductRequest, options: CallOptions = {}): Promise<Product> {
    return this.dataOf('PUT', pathWith`/admin/products/${id}`, options, body);
  }
}

export type TiersQuery = PageQuery;

export class Tiers extends Resource {
  /** List what the tiers of a product allow. By id. A tier that is not declared allows what each of its entitlements says. */
  list(id: string, query: TiersQuery = {}, options: CallOptions = {}): Promise<TierPage> {
    return this.pageOf(pathWith`/admin/products/${id}/tiers`, query, options);
  }
  /** The items of all pages, one after another. */
  all(id: string, query: TiersQuery = {}, options: CallOptions = {}): AsyncGenerator<Tier, void, undefined> {
    return itemsOf(query.after, (after) => this.list(id, { ...query, after }, options));
  }
  /** Read what a tier allows. Of a tier that is declared. */
  get(id: string, tier: string, options: CallOptions = {}): Promise<Tier> {
    return this.dataOf('GET', pathWith`/admin/products/${id}/tiers/${tier}`, options);
  }
  /** Say what a tier allows. The whole of it. Entitlements of the tier have it at their next read, unless they have a value of their own. Each process knows it within ten seconds. */
  put(id: string, tier: string, body: TierTermsRequest = {}, options: CallOptions = {}): Promise<Tier> {
    return this.dataOf('PUT', pathWith`/admin/products/${id}/tiers/${tier}`, options, body);
  }
  /** Let a tier say nothing more of what it allows. Its entitlements stay, with what they have of their own. Deleting a tier that is not declared succeeds. */
  delete(id: string, tier: string, options: CallOptions = {}): Promise<Deletion> {
    return this.dataOf('DELETE', pathWith`/admin/products/${id}/tiers/${tier}`, options);
  }
}

export type PricesQuery = PageQuery;

export class Prices extends Resource {
  /** List what the prices of Stripe sell. By price. */
  list(query: PricesQuery = {}, options: CallOptions = {}): Promise<PricePage> {
    return this.pageOf(`/admin/stripe/prices`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: PricesQuery = {}, options: CallOptions = {}): AsyncGenerator<Price, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Say what a price of Stripe sells. Replaces what the price sold before. Entitlements that it has granted follow with the next event of their subscriptions, unless the product differs. */
  put(price: string, body: PriceRequest, options: CallOptions = {}): Promise<MappedPrice> {
    return this.dataOf('PUT', pathWith`/admin/stripe/prices/${price}`, options, body);
  }
  /** Let a price of Stripe sell nothing. What it has granted stays. Removing a mapping that does not exist succeeds. */
  delete(price: string, options: CallOptions = {}): Promise<Deletion> {
    return this.dataOf('DELETE', pathWith`/admin/stripe/prices/${price}`, options);
  }
}

export type CasesQuery = PageQuery;

export class Cases extends Resource {
  /** List the sales at Stripe that need a person. The oldest first. A sale has at most one row of a kind. A row goes when the next look at the sale finds it settled; `latchkey stripe reconcile` looks at every sale. */
  list(query: CasesQuery = {}, options: CallOptions = {}): Promise<StripeCasePage> {
    return this.pageOf(`/admin/stripe/cases`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: CasesQuery = {}, options: CallOptions = {}): AsyncGenerator<StripeCase, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
}

export type AppKeysQuery = PageQuery;

export class AppKeys extends Resource {
  /** List the app keys of a product. The oldest first, with those that have ended. */
  list(id: string, query: AppKeysQuery = {}, options: CallOptions = {}): Promise<AppKeyPage> {
    return this.pageOf(pathWith`/admin/products/${id}/app-keys`, query, options);
  }
  /** The items of all pages, one after another. */
  all(id: string, query: AppKeysQuery = {}, options: CallOptions = {}): AsyncGenerator<AppKey, void, undefined> {
    return itemsOf(query.after, (after) => this.list(id, { ...query, after }, options));
  }
  /** Issue an app key. The answer is the only one that shows the key. With the `id` of a key of the same product, nothing is issued and `key` is null, so a request with an `id` is safe to repeat. Without `scopes` the key has all that it can have. */
  issue(id: string, body: AppKeyRequest = {}, options: CallOptions = {}): Promise<IssuedAppKey> {
    return this.dataOf('POST', pathWith`/admin/products/${id}/app-keys`, options, {
      ...body,
      id: body.id ?? crypto.randomUUID(),
    });
  }
  /** Replace an app key by a new one. The new key has the scopes, and an operator key the products, of the old one, which works until the overlap is over (24h by default). With the `newId` of the key of an earlier rotation, nothing is issued and `key` is null. */
  rotate(id: string, body: KeyRotationRequest = {}, options: CallOptions = {}): Promise<IssuedAppKey> {
    return this.dataOf('POST', pathWith`/admin/app-keys/${id}/rotate`, options, {
      ...body,
      newId: body.newId ?? crypto.randomUUID(),
    });
  }
  /** Revoke an app key. Every process refuses the key at once. Revoking it again changes nothing. */
  revoke(id: string, options: CallOptions = {}): Promise<AppKey> {
    return this.dataOf('POST', pathWith`/admin/app-keys/${id}/revoke`, options);
  }
}

export interface EntitlementsQuery extends PageQuery {
  /** Only entitlements of this product. */
  readonly product?: Identifier | undefined;
  /** Only entitlements with this status now. `ended` stands for canceled, expired and revoked. */
  readonly status?:
    'trialing' | 'active' | 'past_due' | 'suspended' | 'canceled' | 'expired' | 'revoked' | 'ended' | undefined;
  /** By id, or the newest first. */
  readonly order?: 'id' | 'newest' | undefined;
  /** Only entitlements of the tier with this id. */
  readonly tier?: Identifier | undefined;
  /** Only entitlements whose license key ends with these four characters, as they are shown. Lower case also stands for upper. */
  readonly lastFour?: string | undefined;
  /** Only subscriptions whose current period, and purchases whose access, ends before this instant. */
  readonly endsBefore?: string | undefined;
  /** Only the entitlement with this reference; needs `product`. */
  readonly reference?: string | undefined;
}

export class Entitlements extends Resource {
  /** List entitlements. By id or the newest first, as of the instant of the request. A page looks at no more than 2,000 entitlements, so that one with `status`, `tier` or `endsBefore` may have fewer than `limit`, even none, and still a `next`. A `next` belongs to its order and its filter. */
  list(query: EntitlementsQuery = {}, options: CallOptions = {}): Promise<EntitlementPage> {
    return this.pageOf(`/admin/entitlements`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: EntitlementsQuery = {}, options: CallOptions = {}): AsyncGenerator<Entitlement, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Read an entitlement. With its reference, the end of its grace, and what is kept of its license. */
  get(id: string, options: CallOptions = {}): Promise<FullEntitlement> {
    return this.dataOf('GET', pathWith`/admin/entitlements/${id}`, options);
  }
  /** Grant an entitlement. The caller chooses the id. An entitlement that has the id and equals the request in every member that the request gives is returned as it is, with `licenseKey` null, so that a request is safe to repeat. Only the first answer shows a license key. A purchase (`one_time`) has no `billingIntervalCount` and no `grace`; it ends at `accessEndsAt`, if at all. */
  put(id: string, body: GrantRequest, options: CallOptions = {}): Promise<Grant> {
    return this.dataOf('PUT', pathWith`/admin/entitlements/${id}`, options, body);
  }
  /** Make a link by which a buyer sees and changes the own entitlement. Send it to a buyer whom you know to be the buyer. It works for `expires` (`5m` to `24h`, `1h` by default), more than once. Each request makes one more, and more than 20 of an entitlement, beside those of lost keys, end the oldest. */
  links(id: string, body: BuyerLinkRequest = {}, options: CallOptions = {}): Promise<BuyerLink> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/links`, options, body);
  }
  /** Read who changed an entitlement. The last 100 changes, the newest first. */
  history(id: string, options: CallOptions = {}): Promise<readonly HistoryEntry[]> {
    return this.dataOf('GET', pathWith`/admin/entitlements/${id}/history`, options);
  }
  /** Read what Stripe says of an entitlement. Asks Stripe, for two seconds at most. Without an answer, and in a process without `STRIPE_API_KEY`, the members from `status` to `currency` and `lastPayment` are null. */
  stripe(id: string, options: CallOptions = {}): Promise<StripeSale> {
    return this.dataOf('GET', pathWith`/admin/entitlements/${id}/stripe`, options);
  }
  /** Renew a subscription, or a purchase that ends. Ends the current period at a later instant, after which `grace` (24h by default) still gives access. The access of a purchase ends at the new instant, without a grace. The present end again changes nothing. Repeating it changes nothing. */
  renew(id: string, body: RenewalRequest, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/renew`, options, body);
  }
  /** Change the tier of an entitlement. Keeps standing, hold, license and a scheduled cancellation, whose instant moves with a new end of the period. Members that are left out stay as they are, except that a `billingInterval` without a `billingIntervalCount` counts once. A purchase takes no interval and no grace. Repeating it changes nothing. */
  changeTier(id: string, body: TierRequest, options: CallOptions = {}): Promise<TierChange> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/change-tier`, options, body);
  }
  /** Mark a subscription as past due. For a payment that failed; access stays. Repeating it changes nothing. */
  pastDue(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/past-due`, options);
  }
  /** Suspend an entitlement. Takes access away until it is reinstated. Repeating it changes nothing. */
  suspend(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/suspend`, options);
  }
  /** Reinstate a suspended entitlement. Lifts the suspension by an operator; one by a payment stays. Anything but a suspended one stays as it is. Repeating it changes nothing. */
  reinstate(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/reinstate`, options);
  }
  /** Revoke an entitlement. Ends it for good, also one that has ended. Repeating it changes nothing. */
  revoke(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/revoke`, options);
  }
  /** Cancel a subscription at the end of its period. As a merchant's server does. Repeating it changes nothing. */
  cancel(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/cancel`, options);
  }
  /** Undo the cancellation of a subscription. Possible until the period ends. Repeating it changes nothing. */
  resume(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/resume`, options);
  }
  /** Change what an entitlement allows by values of its own. They outlive a change of tier. Members and features that are left out stay as they are, and null makes a feature that of the tier. A smaller limit takes no seat away. While more are used, no device gets one. Repeating it changes nothing. */
  allow(id: string, body: AllowanceRequest = {}, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/allow`, options, body);
  }
}

export class Devices extends Resource {
  /** List the devices of an entitlement. All of them, those that were not seen for the longest time first. */
  list(id: string, options: CallOptions = {}): Promise<EntitlementDevices> {
    return this.dataOf('GET', pathWith`/admin/entitlements/${id}/devices`, options);
  }
  /** Release the seat of a device. Whatever apps may do, and also while it has an offline receipt. The device may take a seat again. Repeating it changes nothing. */
  release(id: string, device: string, options: CallOptions = {}): Promise<ReleasedDevices> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/devices/${device}/release`, options);
  }
  /** Release the seats of all devices. A hundred in each write. If it is interrupted, a repeat goes on. */
  clear(id: string, options: CallOptions = {}): Promise<ReleasedDevices> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/devices/clear`, options);
  }
}

export interface TrialsQuery extends PageQuery {
  /** Only those that became this entitlement. */
  readonly entitlementId?: Identifier | undefined;
}

export class Trials extends Resource {
  /** List the trials of a product. The newest first. */
  list(id: string, query: TrialsQuery = {}, options: CallOptions = {}): Promise<TrialPage> {
    return this.pageOf(pathWith`/admin/products/${id}/trials`, query, options);
  }
  /** The items of all pages, one after another. */
  all(id: string, query: TrialsQuery = {}, options: CallOptions = {}): AsyncGenerator<Trial, void, undefined> {
    return itemsOf(query.after, (after) => this.list(id, { ...query, after }, options));
  }
  /** Read a trial. As it is now. */
  get(id: string, options: CallOptions = {}): Promise<Trial> {
    return this.dataOf('GET', pathWith`/admin/trials/${id}`, options);
  }
  /** Let a trial end at another instant. Whether it has ended or not; the app learns of it when it asks. The same instant again changes nothing. Fractions of a second are cut. */
  extend(id: string, body: TrialExtensionRequest, options: CallOptions = {}): Promise<Trial> {
    return this.dataOf('POST', pathWith`/admin/trials/${id}/extend`, options, body);
  }
  /** End a trial now. One that has ended stays as it is. Without a network, an app goes on until its receipt ends. */
  end(id: string, options: CallOptions = {}): Promise<Trial> {
    return this.dataOf('POST', pathWith`/admin/trials/${id}/end`, options);
  }
}

export class Licenses extends Resource {
  /** Replace the license key of an entitlement. The old key is unknown from then on. With a `licenseKey` of its own making, a caller can repeat the request safely; without one, each request makes another key. */
  rotate(id: string, body: LicenseRotationRequest = {}, options: CallOptions = {}): Promise<LicenseKey> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/license/rotate`, options, body);
  }
  /** Revoke the license of an entitlement. The entitlement keeps its access otherwise. Repeating it changes nothing. */
  revoke(id: string, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/license/revoke`, options);
  }
  /** Move the license of an entitlement that has ended to another one. For a buyer who comes back: the apps that have the old key go on with the other entitlement, which must be of the same product and must not have ended. Its own license is unknown from then on. Repeating it changes nothing, and completes a move that was interrupted. */
  move(id: string, body: LicenseMoveRequest, options: CallOptions = {}): Promise<Entitlement> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/license/move`, options, body);
  }
  /** Mail a buyer the license key, a link, or every key. With `what` `key` the key of the entitlement is mailed: that of the request, or else the one that Latchkey has made for a sale of Stripe, unless it was replaced. `link` is a link by which the buyer sees and changes the own entitlement for 24 hours. Both go to the address of the request, or else to that of the buyer at Stripe, and the answer waits for the mail server. `keys` is the mail of `/license/lost`, which is sent after the answer, to the address at Stripe alone: three an hour for an address, with those that buyers ask for, then 429. Neither the address nor a key is stored or logged. Each request sends one more mail. */
  mail(id: string, body: LicenseMailRequest = {}, options: CallOptions = {}): Promise<SentMail> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/mail`, options, body);
  }
  /** Find the entitlement of a license key. For a support desk. The key may be revoked. */
  find(body: LicenseSearch, options: CallOptions = {}): Promise<FullEntitlement> {
    return this.dataOf('POST', `/admin/licenses/find`, options, body);
  }
}

export class Receipts extends Resource {
  /** Issue a signed receipt for a machine that may never have a network. It ends after `expires` (365d by default), but not later than the access of the entitlement as it is now. It cannot be recalled. Each request makes another receipt. With a `deviceId`, the device takes a seat, which only an operator can release until the receipt ends. */
  issue(id: string, body: OfflineReceiptRequest = {}, options: CallOptions = {}): Promise<IssuedReceipt> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/receipts`, options, body);
  }
}

export class SigningKeys extends Resource {
  /** List the keys that sign receipts. The active one first, then the next one, then those before, the last one first. The list is empty where none have been made. Private halves are never shown. */
  list(options: CallOptions = {}): Promise<readonly SigningKey[]> {
    return this.dataOf('GET', `/admin/signing-keys`, options);
  }
  /** Let the next key sign from now on. Every process signs with it within ten seconds. Apps must know the next key before. With `from`, the id of the key that signs now, a request is safe to repeat: it changes nothing if that key was active before. Without `from`, each request rotates once more. */
  rotate(body: SigningKeyRotationRequest = {}, options: CallOptions = {}): Promise<readonly SigningKey[]> {
    return this.dataOf(
      'POST',
      `/admin/signing-keys/rotate`,
      { ...options, ...((body.from ?? null) === null && { retries: 0 }) },
      body,
    );
  }
  /** Revoke a signing key. It is published no more. Revoking the active key rotates first, and revoking the next one makes another. **Apps that compiled the key in trust it until they are updated.** Revoking it again changes nothing. */
  revoke(kid: string, options: CallOptions = {}): Promise<SigningKey> {
    return this.dataOf('POST', pathWith`/admin/signing-keys/${kid}/revoke`, options);
  }
}

export interface ListingsQuery extends PageQuery {
  /** Only listings in this state. */
  readonly state?: ListingState | undefined;
  /** Only listings in whose name, blurb, category or slug each of these words occurs. Case and accents make no difference. */
  readonly q?: string | undefined;
  /** Only listings of this category, in any case. */
  readonly category?: string | undefined;
}

export class Listings extends Resource {
  /** List listings in every state. By slug. A page looks at no more than 2,000 listings, so that one with `q` or `category` may have fewer than `limit`, even none, and still a `next`. A `next` belongs to its filter. */
  list(query: ListingsQuery = {}, options: CallOptions = {}): Promise<ListingPage> {
    return this.pageOf(`/admin/listings`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: ListingsQuery = {}, options: CallOptions = {}): AsyncGenerator<Listing, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Add a listing, or replace it. Without `state` the listing is live. A known slug keeps its `id` and, if the request gives none, its `productId` and `publishedAt`. Every process shows the change within a second. */
  put(slug: string, body: ListingRequest, options: CallOptions = {}): Promise<Listing> {
    return this.dataOf('PUT', pathWith`/admin/listings/${slug}`, options, {
      ...body,
      id: body.id ?? crypto.randomUUID(),
    });
  }
  /** Delete a listing. A slug without a listing is no error. Every process shows the change within a second. */
  delete(slug: string, options: CallOptions = {}): Promise<Deletion> {
    return this.dataOf('DELETE', pathWith`/admin/listings/${slug}`, options);
  }
  /** Show a listing in the public catalog. Every process shows the change within a second. Repeating it changes nothing. */
  publish(slug: string, options: CallOptions = {}): Promise<Listing> {
    return this.dataOf('POST', pathWith`/admin/listings/${slug}/publish`, options);
  }
  /** Take a listing out of the public catalog. Every process shows the change within a second. Repeating it changes nothing. */
  pause(slug: string, options: CallOptions = {}): Promise<Listing> {
    return this.dataOf('POST', pathWith`/admin/listings/${slug}/pause`, options);
  }
}

export type AffiliatesQuery = PageQuery;

export class Affiliates extends Resource {
  /** List affiliates. By handle. A key that is limited to products lists those who have a promotion of one of its products. */
  list(query: AffiliatesQuery = {}, options: CallOptions = {}): Promise<AffiliatePage> {
    return this.pageOf(`/admin/affiliates`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: AffiliatesQuery = {}, options: CallOptions = {}): AsyncGenerator<Affiliate, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Invite an affiliate. Makes somebody an affiliate, and a link to the own page, which is mailed if the service sends mail. What is left out is that of the waitlist entry of the address, and needs `admin:waitlist`, too. The same address again changes nothing, and gets another link. */
  add(body: AffiliateInvitation, options: CallOptions = {}): Promise<InvitedAffiliate> {
    return this.dataOf('POST', `/admin/affiliates`, options, body);
  }
  /** Read an affiliate. With the address, and where to pay. */
  get(handle: string, options: CallOptions = {}): Promise<Affiliate> {
    return this.dataOf('GET', pathWith`/admin/affiliates/${handle}`, options);
  }
  /** Give an affiliate other facts. All of them. An affiliate who is erased gets none. */
  put(handle: string, body: AffiliateFacts, options: CallOptions = {}): Promise<Affiliate> {
    return this.dataOf('PUT', pathWith`/admin/affiliates/${handle}`, options, body);
  }
  /** End an affiliate. Promotions end from now on: what was agreed for sales before stays. Repeating it changes nothing, and finishes what was interrupted. */
  end(handle: string, options: CallOptions = {}): Promise<Affiliate> {
    return this.dataOf('POST', pathWith`/admin/affiliates/${handle}/end`, options);
  }
  /** Erase what tells who an affiliate is. Ends the affiliate, too. The handle, the promotions and what was sold stay, because they are accounts. It cannot be undone. */
  erase(handle: string, options: CallOptions = {}): Promise<Affiliate> {
    return this.dataOf('POST', pathWith`/admin/affiliates/${handle}/erase`, options);
  }
  /** Make a link to an affiliate's own page. It works for `expires` (`1h` to `90d`, `30d` by default), more than once. More than 20 end the oldest. */
  links(handle: string, body: AffiliateLinkRequest = {}, options: CallOptions = {}): Promise<AffiliateLink> {
    return this.dataOf('POST', pathWith`/admin/affiliates/${handle}/links`, options, body);
  }
  /** End every link to an affiliate's own page. On every process at once. */
  endLinks(handle: string, options: CallOptions = {}): Promise<EndedLinks> {
    return this.dataOf('DELETE', pathWith`/admin/affiliates/${handle}/links`, options);
  }
}

export interface PromotionsQuery extends PageQuery {
  /** Only those of an affiliate. */
  readonly handle?: string | undefined;
  /** Only those of a listing. */
  readonly slug?: Identifier | undefined;
  /** Only those that are asked, live or ended. */
  readonly state?: 'asked' | 'live' | 'ended' | undefined;
}

export class Promotions extends Resource {
  /** List promotions. By handle and slug. */
  list(query: PromotionsQuery = {}, options: CallOptions = {}): Promise<PromotionPage> {
    return this.pageOf(`/admin/promotions`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: PromotionsQuery = {}, options: CallOptions = {}): AsyncGenerator<Promotion, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Agree on the terms of a promotion. Makes it live, whatever the setting of its listing. Other terms than those in force count from now on. Equal ones change nothing. A listing without a product cannot be promoted. */
  put(handle: string, slug: string, body: PromotionRequest = {}, options: CallOptions = {}): Promise<Promotion> {
    return this.dataOf('PUT', pathWith`/admin/promotions/${handle}/${slug}`, options, body);
  }
  /** Approve a promotion. With the terms of its listing, from now on. One that is live stays as it is; one that has ended begins again. */
  approve(handle: string, slug: string, options: CallOptions = {}): Promise<Promotion> {
    return this.dataOf('POST', pathWith`/admin/promotions/${handle}/${slug}/approve`, options);
  }
  /** End a promotion. From now on: what was sold before keeps its terms. The codes stay with it. Repeating it changes nothing. */
  end(handle: string, slug: string, options: CallOptions = {}): Promise<Promotion> {
    return this.dataOf('POST', pathWith`/admin/promotions/${handle}/${slug}/end`, options);
  }
}

export interface SalesQuery extends PageQuery {
  /** Only those of an affiliate. */
  readonly handle?: string | undefined;
  /** Only those of a product. */
  readonly product?: Identifier | undefined;
  /** Only those in a currency. */
  readonly currency?: string | undefined;
}

export class Sales extends Resource {
  /** List the sales that affiliates have brought. The newest first. */
  list(query: SalesQuery = {}, options: CallOptions = {}): Promise<SaleSummaryPage> {
    return this.pageOf(`/admin/sales`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: SalesQuery = {}, options: CallOptions = {}): AsyncGenerator<SaleSummary, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Read who has brought a sale. With its payments, and what it earns. */
  sale(id: string, options: CallOptions = {}): Promise<Sale> {
    return this.dataOf('GET', pathWith`/admin/entitlements/${id}/sale`, options);
  }
  /** Say which affiliate has brought a sale, and what was paid. Of a sale that was not made at Stripe, the whole of it, after its entitlement. First, it is given to the affiliate, with the terms in force at `attributedAt`. Again, it replaces the payments; a payment that is left out counts as given back. Equal ones change nothing. No instant may be later than now. */
  put(id: string, body: SaleRequest, options: CallOptions = {}): Promise<Sale> {
    return this.dataOf('PUT', pathWith`/admin/entitlements/${id}/sale`, options, body);
  }
  /** Let a sale earn nothing. What was stated of it is a negative line of the next statement. One that is void keeps its first reason. */
  void(id: string, body: SaleVoidRequest, options: CallOptions = {}): Promise<Sale> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/sale/void`, options, body);
  }
  /** Let a void sale earn again. Repeating it changes nothing. */
  restore(id: string, options: CallOptions = {}): Promise<Sale> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/sale/restore`, options);
  }
  /** Give a sale to an affiliate. With the terms in force at its checkout, else with those that were agreed first. The payments of a sale at Stripe follow within a minute. */
  assign(id: string, body: SaleAssignmentRequest, options: CallOptions = {}): Promise<Sale> {
    return this.dataOf('POST', pathWith`/admin/entitlements/${id}/sale/assign`, options, body);
  }
}

export interface StatementsQuery extends PageQuery {
  /** Only of a product. */
  readonly product?: Identifier | undefined;
  /** Only of an affiliate. */
  readonly handle?: string | undefined;
  /** Only of a month. */
  readonly month?: string | undefined;
  /** Only those that are carried, settled, to_pay or paid. */
  readonly state?: 'carried' | 'settled' | 'to_pay' | 'paid' | undefined;
}

export class Statements extends Resource {
  /** Close a month. Makes a statement for each affiliate, product and currency that has a line, at most 100. What is closed never changes; what becomes known later is in the next month. Repeated, it closes what is left, and then nothing. */
  close(body: ClosingRequest, options: CallOptions = {}): Promise<ClosedStatements> {
    return this.dataOf('POST', `/admin/statements/close`, options, body);
  }
  /** List statements. The newest month first, then by affiliate, product and currency. */
  list(query: StatementsQuery = {}, options: CallOptions = {}): Promise<StatementPage> {
    return this.pageOf(`/admin/statements`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: StatementsQuery = {}, options: CallOptions = {}): AsyncGenerator<Statement, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Read a statement. With whom it is owed to, and where to pay, as of now. */
  get(id: string, options: CallOptions = {}): Promise<ShownStatement> {
    return this.dataOf('GET', pathWith`/admin/statements/${id}`, options);
  }
  /** Record that a statement was paid. A record, no payment. The same again changes nothing. */
  paid(id: string, body: StatementPayment, options: CallOptions = {}): Promise<Statement> {
    return this.dataOf('POST', pathWith`/admin/statements/${id}/paid`, options, body);
  }
  /** Take the record that a statement was paid away. Of one without it, it changes nothing. */
  unpaid(id: string, options: CallOptions = {}): Promise<Statement> {
    return this.dataOf('POST', pathWith`/admin/statements/${id}/unpaid`, options);
  }
}

export type StatementLinesQuery = PageQuery;

export class StatementLines extends Resource {
  /** List the lines of a statement. By the name of the sale. */
  list(id: string, query: StatementLinesQuery = {}, options: CallOptions = {}): Promise<StatementLinePage> {
    return this.pageOf(pathWith`/admin/statements/${id}/lines`, query, options);
  }
  /** The items of all pages, one after another. */
  all(
    id: string,
    query: StatementLinesQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<StatementLine, void, undefined> {
    return itemsOf(query.after, (after) => this.list(id, { ...query, after }, options));
  }
}

export type WaitlistQuery = PageQuery;

export class Waitlist extends Resource {
  /** List the waitlist. By address. `next` contains an address, so keep it out of logs. */
  list(query: WaitlistQuery = {}, options: CallOptions = {}): Promise<WaitlistPage> {
    return this.pageOf(`/admin/waitlist`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: WaitlistQuery = {}, options: CallOptions = {}): AsyncGenerator<WaitlistEntry, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Invite somebody of the waitlist. Makes a link by which the person gets an operator key that is limited to `products`, once. It works for `expires` (`1h` to `30d`, `7d` by default). Inviting again makes another link, and ends the one before. */
  invite(body: InvitationRequest, options: CallOptions = {}): Promise<Invitation> {
    return this.dataOf('POST', `/admin/waitlist/invite`, options, body);
  }
  /** Erase the entry of an e-mail address. The address may be in any case. One without an entry is no error. */
  erase(body: ErasureRequest, options: CallOptions = {}): Promise<Erasure> {
    return this.dataOf('POST', `/admin/waitlist/erase`, options, body);
  }
}

export type OperatorKeysQuery = PageQuery;

export class OperatorKeys extends Resource {
  /** List operator keys. The oldest first, with those that have ended. */
  list(query: OperatorKeysQuery = {}, options: CallOptions = {}): Promise<OperatorKeyPage> {
    return this.pageOf(`/admin/operators`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: OperatorKeysQuery = {}, options: CallOptions = {}): AsyncGenerator<OperatorKey, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Issue an operator key. The answer is the only one that shows the key. With the `id` of a key of the same name and the same products, nothing is issued and `key` is null, so a request with an `id` is safe to repeat. Without `scopes` the key has all that it can have. */
  issue(body: OperatorKeyRequest, options: CallOptions = {}): Promise<IssuedOperatorKey> {
    return this.dataOf('POST', `/admin/operators`, options, { ...body, id: body.id ?? crypto.randomUUID() });
  }
  /** Replace an operator key by a new one. The new key has the scopes, and an operator key the products, of the old one, which works until the overlap is over (24h by default). With the `newId` of the key of an earlier rotation, nothing is issued and `key` is null. */
  rotate(id: string, body: KeyRotationRequest = {}, options: CallOptions = {}): Promise<IssuedOperatorKey> {
    return this.dataOf('POST', pathWith`/admin/operators/${id}/rotate`, options, {
      ...body,
      newId: body.newId ?? crypto.randomUUID(),
    });
  }
  /** Revoke an operator key. Every process refuses the key at once. Revoking it again changes nothing. */
  revoke(id: string, options: CallOptions = {}): Promise<OperatorKey> {
    return this.dataOf('POST', pathWith`/admin/operators/${id}/revoke`, options);
  }
}

export type WebhooksQuery = PageQuery;

export class Webhooks extends Resource {
  /** List webhook endpoints. By id, without their secrets. */
  list(query: WebhooksQuery = {}, options: CallOptions = {}): Promise<WebhookPage> {
    return this.pageOf(`/admin/webhooks`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: WebhooksQuery = {}, options: CallOptions = {}): AsyncGenerator<Webhook, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
  /** Add a webhook endpoint. It gets every event from now on, in the form of Standard Webhooks 1.0.0. The answer is the only one that shows the secret. With the `id` of an endpoint on the same terms, nothing is added and `secret` is null, so a request with an `id` is safe to repeat. */
  add(body: WebhookRequest, options: CallOptions = {}): Promise<WebhookSecret> {
    return this.dataOf('POST', `/admin/webhooks`, options, { ...body, id: body.id ?? crypto.randomUUID() });
  }
  /** Show a webhook endpoint and its deliveries. With the state of the deliveries of each product. */
  get(id: string, options: CallOptions = {}): Promise<ShownWebhook> {
    return this.dataOf('GET', pathWith`/admin/webhooks/${id}`, options);
  }
  /** Delete a webhook endpoint. An id without an endpoint is no error. */
  delete(id: string, options: CallOptions = {}): Promise<Deletion> {
    return this.dataOf('DELETE', pathWith`/admin/webhooks/${id}`, options);
  }
  /** Give a webhook endpoint a new secret. The answer is the only one that shows the secret. Until the overlap is over (24h by default), the secrets before it sign every delivery as well. A repeat makes another secret. */
  rotateSecret(id: string, body: SecretRotationRequest = {}, options: CallOptions = {}): Promise<WebhookSecret> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/rotate-secret`, options, body);
  }
  /** Enable a webhook endpoint. Deliveries continue with the first event that was not delivered, and failed events are sent at once. Repeating it changes nothing. */
  enable(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/enable`, options);
  }
  /** Disable a webhook endpoint. Every process stops within a few seconds. Nothing is lost: events are kept until it is enabled. Repeating it changes nothing. */
  disable(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/disable`, options);
  }
  /** Send a test message to a webhook endpoint. The message has the type `webhook.test` and is about no entitlement. It is sent once, whether the endpoint is enabled or not, and changes nothing. */
  test(id: string, options: CallOptions = {}): Promise<WebhookTest> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/test`, options);
  }
  /** Send all failed events again. Including parked ones. Each has all its attempts again. */
  retry(id: string, options: CallOptions = {}): Promise<Retry> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/retry`, options);
  }
  /** Send the events of a product again. Those after `from`, a cursor of the feed, with the ids that they had. Events that were not sent yet are sent anyway. */
  replay(id: string, body: ReplayRequest, options: CallOptions = {}): Promise<DeliveryStream> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/replay`, options, body);
  }
  /** Skip events that an endpoint has not received. Those of a product up to `to`, a cursor of the feed. With `entitlementId`, only those of this entitlement that were read from the feed already. Later events are sent, at once if they waited for a skipped one. Can be repeated. */
  skip(id: string, body: SkipRequest, options: CallOptions = {}): Promise<DeliveryStream> {
    return this.dataOf('POST', pathWith`/admin/webhooks/${id}/skip`, options, body);
  }
}

export interface EventsQuery {
  /** The product. */
  readonly product: Identifier;
  /** The `next` of the page before; absent for the oldest events that are kept. */
  readonly after?: string | undefined;
  /** The maximum number of events; a number out of bounds is brought within them, any other value is the default. */
  readonly limit?: number | undefined;
  /** The maximum number of seconds to wait for an event if the page is empty; a number out of bounds is brought within them, any other value is the default. The answer may come earlier with an empty page. */
  readonly wait?: number | undefined;
}
export class Events extends Resource {
  /** List the events of a product. Oldest first. `meta.next` is the `after` of the next request, also if the page is empty: keep it with what you have done, and go on from there. Every change of an entitlement has one event, and so has every change by the clock. No event ever appears behind a cursor that a page has shown.

`data.sequence` counts the events of one entitlement: drop an event whose sequence is not greater than the last one that you have. `data.entitlement` is the entitlement right after the change. */
  list(query: EventsQuery, options: CallOptions = {}): Promise<EventFeed> {
    return this.pageOf(`/admin/events`, query, options);
  }
  /** The items of all pages, one after another. */
  all(query: EventsQuery, options: CallOptions = {}): AsyncGenerator<Event, void, undefined> {
    return itemsOf(query.after, (after) => this.list({ ...query, after }, options));
  }
}

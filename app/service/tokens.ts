import type { ServiceIdentifier } from 'inversify';
import type { CatalogIndex } from '../../adapters/catalog-index/catalog-index.ts';
import type { Platform } from '../../core/administration/use-cases/platform.ts';
import type { ClockTrust } from '../../core/clock/clock-trust.ts';
import type { DeactivateDevice, ListLicenseDevices, ReleaseSeat } from '../../core/device/license-devices.ts';
import type { RecordClockEvents } from '../../core/entitlement/event/record-clock-events.ts';
import type { VerifyLicense } from '../../core/entitlement/license/verify-license.ts';
import type { ChangeCancellation } from '../../core/entitlement/merchant/change-cancellation.ts';
import type { ReadEntitlement } from '../../core/entitlement/merchant/read-entitlement.ts';
import type { FeedFollower } from '../../core/feed/feed-follower.ts';
import type { PruneEvents } from '../../core/feed/prune-events.ts';
import type { AwaitFeed, ReadFeed } from '../../core/feed/read-feed.ts';
import type { AppKey, Scope } from '../../core/key/app/app-key.ts';
import type { AuthenticateKey, AuthorizeKey } from '../../core/key/check-key.ts';
import type { OperatorKey, OperatorScope } from '../../core/key/operator/operator-key.ts';
import type { FindOperatorSession, SignIn, SignOut } from '../../core/operator-session/operator-sessions.ts';
import type { ActivateDevice } from '../../core/receipt/activate-device.ts';
import type { IssueReceipt, SignReceipt } from '../../core/receipt/issue-receipt.ts';
import type { KeptSigningKeys } from '../../core/receipt/kept-signing-keys.ts';
import type { ReadPublishedKeys } from '../../core/receipt/list-signing-keys.ts';
import type { MakeSigningKeys } from '../../core/receipt/make-signing-keys.ts';
import type { StorePorts } from '../../core/store/store.port.ts';
import type { KeptTiers } from '../../core/tier/kept-tiers.ts';
import type { ConvertTrial } from '../../core/trial/convert-trial.ts';
import type { StartTrial } from '../../core/trial/start-trial.ts';
import type { JoinWaitlist } from '../../core/waitlist/waitlist-entries.ts';
import type { ReadDeliveryBacklog } from '../../core/webhook/delivery-backlog.ts';

type PortTokens = { readonly [Name in keyof StorePorts]: ServiceIdentifier<StorePorts[Name]> };

/** One token for each port of the store. */
export const portTokens: PortTokens = {
  affiliates: Symbol('Affiliates'),
  allAppKeys: Symbol('AllAppKeys'),
  allEntitlements: Symbol('AllEntitlements'),
  allListings: Symbol('AllListings'),
  allOperatorKeys: Symbol('AllOperatorKeys'),
  appKeys: Symbol('AppKeys'),
  buyerLinks: Symbol('BuyerLinks'),
  clockMarks: Symbol('ClockMarks'),
  devices: Symbol('Devices'),
  dueEntitlements: Symbol('DueEntitlements'),
  deliveryStreams: Symbol('DeliveryStreams'),
  entitlementHistory: Symbol('EntitlementHistory'),
  entitlements: Symbol('Entitlements'),
  events: Symbol('Events'),
  idempotencyRecords: Symbol('IdempotencyRecords'),
  licenses: Symbol('Licenses'),
  licenseMoves: Symbol('LicenseMoves'),
  licenseSecrets: Symbol('LicenseSecrets'),
  listings: Symbol('Listings'),
  listSizes: Symbol('ListSizes'),
  maintenance: Symbol('Maintenance'),
  operatorKeys: Symbol('OperatorKeys'),
  operatorSessions: Symbol('OperatorSessions'),
  priceMap: Symbol('PriceMap'),
  products: Symbol('Products'),
  promotions: Symbol('Promotions'),
  sales: Symbol('Sales'),
  signingKeys: Symbol('SigningKeys'),
  statements: Symbol('Statements'),
  stripeCases: Symbol('StripeCases'),
  tiers: Symbol('Tiers'),
  trials: Symbol('Trials'),
  waitlist: Symbol('Waitlist'),
  webhookEndpoints: Symbol('WebhookEndpoints'),
};

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}

/** Everything that the container can build. */
export const tokens = {
  ...portTokens,
  activateDevice: token<ActivateDevice>('activateDevice'),
  authenticate: token<AuthenticateKey<AppKey>>('authenticate'),
  authenticateOperator: token<AuthenticateKey<OperatorKey>>('authenticateOperator'),
  authorize: token<AuthorizeKey<Scope>>('authorize'),
  authorizeOperator: token<AuthorizeKey<OperatorScope>>('authorizeOperator'),
  awaitFeed: token<AwaitFeed>('awaitFeed'),
  catalogIndex: token<CatalogIndex>('CatalogIndex'),
  changeCancellation: token<ChangeCancellation>('changeCancellation'),
  clockTrust: token<ClockTrust>('ClockTrust'),
  deactivateDevice: token<DeactivateDevice>('deactivateDevice'),
  deliveryBacklog: token<ReadDeliveryBacklog>('deliveryBacklog'),
  findOperatorSession: token<FindOperatorSession>('findOperatorSession'),
  feedFollower: token<FeedFollower>('FeedFollower'),
  issueReceipt: token<IssueReceipt>('issueReceipt'),
  releaseSeat: token<ReleaseSeat>('releaseSeat'),
  signReceipt: token<SignReceipt>('signReceipt'),
  joinWaitlist: token<JoinWaitlist>('joinWaitlist'),
  keptSigningKeys: token<KeptSigningKeys>('KeptSigningKeys'),
  keptTiers: token<KeptTiers>('KeptTiers'),
  listLicenseDevices: token<ListLicenseDevices>('listLicenseDevices'),
  makeSigningKeys: token<MakeSigningKeys>('makeSigningKeys'),
  platform: token<Platform>('Platform'),
  pruneEvents: token<PruneEvents>('pruneEvents'),
  readFeed: token<ReadFeed>('readFeed'),
  readPublishedKeys: token<ReadPublishedKeys>('readPublishedKeys'),
  readEntitlement: token<ReadEntitlement>('readEntitlement'),
  recordClockEvents: token<RecordClockEvents>('recordClockEvents'),
  convertTrial: token<ConvertTrial>('convertTrial'),
  startTrial: token<StartTrial>('startTrial'),
  signIn: token<SignIn>('signIn'),
  signOut: token<SignOut>('signOut'),
  verifyLicense: token<VerifyLicense>('verifyLicense'),
} as const;

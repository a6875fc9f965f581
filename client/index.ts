// The interface of `latchkey/client`.
export type { ListingQuery, Listings, Waitlist } from './catalog.ts';
export * from './errors.ts';
export type { ChangeOptions, CreatedLink, Entitlements, LinkOptions } from './entitlements.ts';
export type { AllEventsQuery, EventQuery, Events } from './events.ts';
export { LatchkeyClient, type ClientOptions } from './latchkey-client.ts';
export type {
  Allowance,
  DeviceCheck,
  DeviceGate,
  DeviceGateOptions,
  LicenseCheck,
  LicenseGate,
  LicenseGateOptions,
  TrialCheck,
  TrialDays,
  TrialGate,
  TrialGateOptions,
} from './license-check.ts';
export { licenseGate } from './license-gate.ts';
export type {
  ActivateOptions,
  DeactivateOptions,
  Licenses,
  NoSeat,
  ReceiptOptions,
  SeatRefusal,
  TrialOptions,
  Verification,
  VerifyOptions,
} from './licenses.ts';
export type * from './models.ts';
export {
  verifyReceipt,
  type ReceiptEntitlement,
  type ReceiptRefusal,
  type ReceiptVerification,
  type SigningKeySet,
  type VerifyReceiptOptions,
} from './receipt.ts';
export { coveredRelease, type CoveredRelease, type Release } from './receipts/releases.ts';
export type { GateDevice } from './receipts/device.ts';
export type { SigningKey } from './receipts/jws.ts';
export type { ReceiptStorage } from './receipts/stored-receipt.ts';
export type { Attempt, CallOptions } from './request.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type Statement,
  type SaleAttributed,
  type SoldByAffiliate,
  type StatementChanged,
  type TierChanged,
  type TierTerms,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookTest,
} from './webhook.ts';

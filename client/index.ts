// The interface of `latchkey/client`.
export * from './errors.ts';
export type { ChangeOptions, CreatedLink, Entitlements, LinkOptions } from './entitlements.ts';
export type { AllEventsQuery, EventQuery, Events } from './events.ts';
export { LatchkeyClient, type ClientOptions } from './latchkey-client.ts';
export {
  licenseGate,
  type DeviceCheck,
  type DeviceGate,
  type DeviceGateOptions,
  type LicenseCheck,
  type LicenseGate,
  type LicenseGateOptions,
} from './license-gate.ts';
export type {
  ActivateOptions,
  DeactivateOptions,
  Licenses,
  NoSeat,
  ReceiptOptions,
  SeatRefusal,
  Verification,
  VerifyOptions,
} from './licenses.ts';
export type { ListingQuery, Listings } from './listings.ts';
export type * from './models.ts';
export {
  verifyReceipt,
  type ReceiptRefusal,
  type ReceiptVerification,
  type SigningKeySet,
  type VerifyReceiptOptions,
} from './receipt.ts';
export type { GateDevice } from './receipts/device.ts';
export type { SigningKey } from './receipts/jws.ts';
export type { ReceiptStorage } from './receipts/stored-receipt.ts';
export type { Attempt, CallOptions } from './request.ts';
export type { Waitlist } from './waitlist.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type TierChanged,
  type TierTerms,
  type VerifyWebhookOptions,
  type WebhookHeaders,
  type WebhookTest,
} from './webhook.ts';

import type { AddInterval } from '../../entitlement/period-end.ts';
import type { NewId } from '../../identifier.ts';
import type { EncodeText, NewKeyPair, PublicPartOf, SignText } from '../../receipt/signing-key.ts';
import type { Crc32, Digest, Hmac, NewSecret, RandomBytes } from '../../secret.ts';
import type { SendDelivery } from '../../webhook/send-delivery.ts';

/** The functions that core takes from outside because it is pure: calendar, hashes, signatures, randomness and requests. */
export interface Platform {
  readonly addInterval: AddInterval;
  readonly crc32: Crc32;
  readonly digest: Digest;
  readonly encodeText: EncodeText;
  readonly hmac: Hmac;
  readonly randomBytes: RandomBytes;
  readonly newAppKeyId: NewId;
  readonly newEntitlementId: NewId;
  readonly newEventId: NewId;
  readonly newKeyPair: NewKeyPair;
  readonly newListingId: NewId;
  readonly newOperatorKeyId: NewId;
  readonly newReceiptId: NewId;
  readonly newSessionToken: NewSecret;
  readonly newWebhookId: NewId;
  readonly newWebhookSecret: NewSecret;
  readonly publicPartOf: PublicPartOf;
  readonly sendDelivery: SendDelivery;
  readonly signText: SignText;
}

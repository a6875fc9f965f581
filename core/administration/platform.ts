import type { AddInterval } from '../entitlement/grant.ts';
import type { NewId } from '../identifier.ts';
import type { Crc32, Digest, NewSecret, RandomBytes } from '../secret.ts';
import type { SendDelivery } from '../webhook/send-delivery.ts';

/** The functions that core takes from outside because it is pure: calendar, hashes, randomness and requests. */
export interface Platform {
  readonly addInterval: AddInterval;
  readonly crc32: Crc32;
  readonly digest: Digest;
  readonly randomBytes: RandomBytes;
  readonly newAppKeyId: NewId;
  readonly newEntitlementId: NewId;
  readonly newEventId: NewId;
  readonly newListingId: NewId;
  readonly newOperatorKeyId: NewId;
  readonly newWebhookId: NewId;
  readonly newWebhookSecret: NewSecret;
  readonly sendDelivery: SendDelivery;
}

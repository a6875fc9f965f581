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

/** One change of the administrator or one test message, as it is logged: without keys, licenses and addresses. */
export type LoggedChange =
  | { readonly command: string; readonly productId: string }
  | { readonly command: string; readonly appKeyId: string }
  | { readonly command: string; readonly operatorKeyId: string }
  | { readonly command: string; readonly webhookId: string }
  | { readonly command: string; readonly slug: string }
  | { readonly command: string; readonly listings: number }
  | { readonly command: string; readonly entitlements: number }
  | { readonly command: string; readonly entries: number }
  | { readonly command: string; readonly records: number; readonly events: number }
  | {
      readonly command: string;
      readonly entitlementId: string;
      /** 0 for a grant. */
      readonly versionBefore: number;
      readonly version: number;
    };

import type { AddInterval } from '../entitlement/add-interval.ts';
import type { NewId } from '../identifier.ts';
import type { Crc32, Digest, RandomBytes } from '../secret.ts';

/** The functions that core takes from outside because it is pure: calendar, hashes and randomness. */
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
}

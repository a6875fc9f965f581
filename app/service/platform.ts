import { addInterval } from '../../adapters/calendar/utc-calendar.ts';
import { crc32, digest, randomBytes, randomIds } from '../../adapters/crypto/node-secrets.ts';
import type { Platform } from '../../core/administration/platform.ts';

/** The functions that core is given, in production and in the tests. */
export const nodePlatform: Platform = {
  addInterval,
  crc32,
  digest,
  randomBytes,
  newAppKeyId: randomIds('key_'),
  newEntitlementId: randomIds('ent_'),
  newListingId: randomIds('lst_'),
  newOperatorKeyId: randomIds('opk_'),
};

import { addInterval } from '../../adapters/calendar/utc-calendar.ts';
import { crc32, digest, randomBytes, randomIds } from '../../adapters/crypto/node-secrets.ts';
import type { Platform } from '../../core/administration/platform.ts';
import type { RandomBytes } from '../../core/secret.ts';

/** The functions that core is given, in production and in the tests. */
export const nodePlatform: Platform = platformWith(randomBytes);

/** Makes a platform whose secrets and ids come from this source. Ids of events may have one of their own. */
export function platformWith(source: RandomBytes, eventSource = source): Platform {
  return {
    addInterval,
    crc32,
    digest,
    randomBytes: source,
    newAppKeyId: randomIds('key_', source),
    newEntitlementId: randomIds('ent_', source),
    newEventId: randomIds('evt_', eventSource),
    newListingId: randomIds('lst_', source),
    newOperatorKeyId: randomIds('opk_', source),
  };
}

import { addInterval } from '../../adapters/calendar/utc-calendar.ts';
import { crc32, digest, hmac, pooled, randomBytes, randomIds } from '../../adapters/crypto/node-secrets.ts';
import { encodeText, keyPairs, publicPartOf, signer } from '../../adapters/crypto/signing.ts';
import type { WebhookSender } from '../../adapters/http/webhooks/webhook-sender.ts';
import type { Platform } from '../../core/administration/use-cases/platform.ts';
import type { RandomBytes } from '../../core/secret.ts';
import type { SendDelivery } from '../../core/webhook/send-delivery.ts';
import { version } from './release.ts';

/** The functions that core is given, in production and in the tests. */
export const nodePlatform: Platform = platformWith(randomBytes);

/** Makes a platform whose secrets and ids come from this source. Ids of events may have one of their own. */
export function platformWith(source: RandomBytes, eventSource = source): Platform {
  return {
    addInterval,
    crc32,
    digest,
    encodeText,
    hmac,
    randomBytes: source,
    newAppKeyId: randomIds('key_', source),
    newEntitlementId: randomIds('ent_', source),
    newEventId: randomIds('evt_', pooled(eventSource)),
    newKeyPair: keyPairs(source),
    newListingId: randomIds('lst_', source),
    newOperatorKeyId: randomIds('opk_', source),
    newReceiptId: randomIds('rct_', pooled(randomBytes)),
    newSessionToken: () => Buffer.from(source(32)).toString('base64url'),
    newWebhookId: randomIds('whk_', source),
    newWebhookSecret: () => `whsec_${Buffer.from(source(32)).toString('base64')}`,
    publicPartOf,
    sendDelivery: sendWith([]),
    signText: signer(),
  };
}

/** Makes the platform of a process whose deliveries may also reach these networks. */
export function platformReaching(networks: readonly string[]): Platform {
  return { ...nodePlatform, sendDelivery: sendWith(networks) };
}

/** Sends a delivery with a sender of its own. */
function sendWith(networks: readonly string[]): SendDelivery {
  return async (...delivery) => {
    const sender = await createSender(networks);
    try {
      return await sender.send(...delivery);
    } finally {
      sender.close();
    }
  };
}

/**
 * Creates the sender of a process, which reaches public addresses and these networks, and signs by the clock of the machine.
 * It is loaded when it is created, because few processes send deliveries.
 */
export async function createSender(networks: readonly string[]): Promise<WebhookSender> {
  const { AddressGuard } = await import('../../adapters/http/webhooks/address-guard.ts');
  const { WebhookSender } = await import('../../adapters/http/webhooks/webhook-sender.ts');
  return new WebhookSender(new AddressGuard(networks), `latchkey/${version}`, () => new Date());
}

import { hmac, randomBytes } from '../../adapters/crypto/node-secrets.ts';
import { newMailId } from '../../core/mail/mail-id.ts';
import type { MailOutcome } from '../../core/mail/mailing.ts';
import { base62, randomText } from '../../core/secret.ts';
import type { LostKeysSettings, LostReport } from './lost-keys.ts';

/** Symbols of the key of the fingerprints: 256 random bits. */
const keyLength = 43;

/** The parts that the requests for each kind of mail need. Each kind counts its addresses separately. */
export function askedParts(): Pick<LostKeysSettings, 'fingerprint' | 'newId' | 'monotonicClock' | 'after'> {
  const key = randomText(base62, keyLength, randomBytes);
  return {
    fingerprint: (address) => hmac(key, address),
    newId: () => newMailId(randomBytes),
    monotonicClock: () => performance.now(),
    after: (milliseconds, act) => {
      const timer = setTimeout(act, milliseconds).unref();
      return () => clearTimeout(timer);
    },
  };
}

/** The outcome as which each outcome of an attempt is counted. */
export const countedOutcomes: Readonly<Record<LostReport['outcome'], MailOutcome>> = {
  sent: 'sent',
  unconfirmed: 'unconfirmed',
  unknown: 'no_address',
  refused: 'refused',
  failed: 'failed',
  fault: 'failed',
};

import type { StripeCases } from '../billing/stripe-cases.port.ts';
import type { Call } from '../call.ts';
import { changeStream, streamsOf, type Needed } from '../webhook/stored-streams.ts';
import { parkedCount, type DeliveryStream } from '../webhook/stream/delivery-stream.ts';
import type { DeliveryStreams } from '../webhook/stream/delivery-streams.port.ts';
import { withoutParked } from '../webhook/stream/stream-commands.ts';
import { skipCases } from './mail-cases.ts';
import { mailing } from './mailing.ts';

/**
 * Leaves out every mail that is parked, of one entitlement or of all (null): it is never sent, and needs no person, nor does
 * one that was refused. Returns the number of the parked ones.
 */
export type SkipMails = (entitlementId: string | null, call: Call) => Promise<number>;

export function skipMails(deliveryStreams: DeliveryStreams, cases: Pick<StripeCases, 'page' | 'remove'>): SkipMails {
  return async (entitlementId, call) => {
    const needed: Needed = entitlementId === null ? { all: { kind: 'skip parked' } } : { take: [entitlementId] };
    let mails = 0;
    for (const seen of await streamsOf(deliveryStreams, mailing.endpoint, call)) {
      let skipped = 0;
      const decide = (stored: DeliveryStream): DeliveryStream => {
        const next = withoutParked(stored, entitlementId);
        skipped = parkedCount(stored) - parkedCount(next);
        return next;
      };
      await changeStream(deliveryStreams, seen, decide, call, needed);
      mails += skipped;
    }
    await skipCases(cases, entitlementId, call);
    return mails;
  };
}

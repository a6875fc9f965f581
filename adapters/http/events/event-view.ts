import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { instantOrNull, snapshotView } from '../../administration/commands/entitlement/snapshot-view.ts';

/** An event as the body of a webhook: its id is a header field there. */
export function eventView({ type, at, ...event }: EntitlementEvent): object {
  const { sequence, correlationId, by, previous, entitlement, license, ending, device } = event;
  return {
    type,
    timestamp: at.toISOString(),
    data: {
      sequence,
      correlationId,
      by,
      ...(type === 'entitlement.ended' && { reason: entitlement.status }),
      ...(ending && { reason: ending.reason, endsAt: ending.endsAt.toISOString() }),
      ...(device && { device: device.id }),
      ...(device?.reason && { reason: device.reason }),
      previous,
      entitlement: snapshotView(entitlement),
      ...(license && {
        license: {
          lastFour: license.lastFour,
          createdAt: license.createdAt.toISOString(),
          revokedAt: instantOrNull(license.revokedAt),
        },
      }),
    },
  };
}

/** An event as the feed shows it: the same, with its id first. */
export function feedEventView(event: EntitlementEvent): object {
  return { id: event.id, ...eventView(event) };
}

import type { SaleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { StatementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import type { EntitlementEvent } from '../../../core/entitlement/event/entitlement-event.ts';
import { isOfEntitlement, type LoggedEvent } from '../../../core/feed/logged-event.ts';
import type { TierEvent } from '../../../core/tier/tier-event.ts';
import { shownTerms, termsOf, type TierTerms } from '../../../core/tier/tier.ts';
import { instantOrNull, snapshotView } from '../../administration/commands/entitlement/snapshot-view.ts';
import { soldView } from '../../administration/commands/statement/sold-view.ts';
import { statementView } from '../../administration/commands/statement/statement-view.ts';

/** An event as the body of a webhook: its id is a header field there. */
export function loggedEventView(event: LoggedEvent): object {
  if (isOfEntitlement(event)) return eventView(event);
  if (event.type === 'tier.changed') return tierEventView(event);
  return event.type === 'sale.attributed' ? saleEventView(event) : statementEventView(event);
}

/** The same for an event of an entitlement. */
export function eventView(event: EntitlementEvent): object {
  const { type, previous, entitlement, license, ending, device, reason } = event;
  return bodyOf(event, {
    ...(type === 'entitlement.ended' && { reason: entitlement.status }),
    ...(ending && { reason: ending.reason, endsAt: ending.endsAt.toISOString() }),
    ...(device && { device: device.id }),
    ...(device?.reason && { reason: device.reason }),
    // The `reason` of an end is the status. What has caused the end is its `cause`.
    ...(reason && (type === 'entitlement.ended' ? { cause: reason } : { reason })),
    previous,
    entitlement:
      entitlement.tierRevision === null
        ? snapshotView(entitlement)
        : { ...snapshotView(entitlement), tierRevision: entitlement.tierRevision },
    ...(license && {
      license: {
        lastFour: license.lastFour,
        createdAt: license.createdAt.toISOString(),
        revokedAt: instantOrNull(license.revokedAt),
      },
    }),
  });
}

/** A change of a tier as the body of a webhook. It has no entitlement. */
function tierEventView(event: TierEvent): object {
  const { productId, tierId, tier, previous } = event;
  return bodyOf(event, { productId, tierId, tier: tier && termsView(tier), previous: previous && termsView(previous) });
}

/** A sale that was attributed as the body of a webhook. It has no entitlement, whose id may open a license key. */
function saleEventView(event: SaleEvent): object {
  return bodyOf(event, { sale: soldView(event.sale) });
}

/** A change of a statement as the body of a webhook. It has no entitlement. */
function statementEventView(event: StatementEvent): object {
  return bodyOf(event, { statement: statementView(event.statement) });
}

/** The body of any event: its type, instant, sequence and actor, and then its subject. */
function bodyOf({ type, at, sequence, correlationId, by }: LoggedEvent, about: object): object {
  return { type, timestamp: at.toISOString(), data: { sequence, correlationId, by, ...about } };
}

function termsView(terms: TierTerms): object {
  const { trial, ...others } = shownTerms(termsOf(terms));
  return { ...others, ...(trial !== null && { trial }) };
}

/** An event as the feed shows it: the same, with its id first. */
export function feedEventView(event: EntitlementEvent): object {
  return { id: event.id, ...eventView(event) };
}

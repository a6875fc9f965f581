import type { Call } from '../../call.ts';
import { untilStored } from '../../compare-and-set.ts';
import type { NewId } from '../../identifier.ts';
import type { License } from '../../license/license.ts';
import { movedAway, movedLicense } from '../../license/moved-license.ts';
import { Refusal } from '../../refusal.ts';
import { tierIn, type KnownTiers, type TierTable } from '../../tier/allowance.ts';
import type { AllEntitlements, EntitlementHistory } from '../administration/all-entitlements.port.ts';
import type { CommandAnswer } from '../administration/apply-decision.ts';
import { nextVersion, type Entitlement } from '../entitlement.ts';
import { decisionCall, recordChange } from '../event/change-record.ts';
import { maxHistory, type HistoryOperation } from '../history-entry.ts';
import { effectiveAt } from '../snapshot.ts';
import { hasEnded, statusAt } from '../status.ts';
import type { LicenseMoves, Replacement } from './license-moves.port.ts';

export interface LicenseMove {
  readonly from: string;
  readonly to: string;
  /** The version of `from` that somebody has decided on; null for any. */
  readonly version: number | null;
}

export interface MoveAnswer {
  readonly from: CommandAnswer;
  readonly to: CommandAnswer;
}

/**
 * Moves the license of an entitlement that has ended to another one of its product, whose own license is unknown from then
 * on: for a buyer who comes back, and whose apps have the old key. A move that is made already changes nothing, and one
 * that was interrupted is completed. Refuses with `entitlement_not_found`, also for an entitlement of another product;
 * with `entitlement_not_ended`; with `entitlement_ended` for the other one; with `license_not_found` for no license and
 * for a revoked one; and with `changed_meanwhile`.
 */
export type MoveLicense = (move: LicenseMove, call: Call) => Promise<MoveAnswer>;

export interface MovingParts {
  readonly entitlements: AllEntitlements;
  readonly entitlementHistory: EntitlementHistory;
  readonly moves: LicenseMoves;
  readonly newEventId: NewId;
  readonly endingSoon: number;
  readonly knownTiers: KnownTiers;
}

export function moveLicense(parts: MovingParts): MoveLicense {
  const { entitlements, moves } = parts;
  return (move, call) =>
    untilStored(call, async () => {
      const shown = answersWith(await parts.knownTiers(call), call);
      const [from, to] = await Promise.all([entitlements.find(move.from, call), entitlements.find(move.to, call)]);
      if (from === null || to === null || from.productId !== to.productId) throw new Refusal('entitlement_not_found');
      const moved = movedAway(from.license);
      if (moved?.to === to.id) {
        if (await hasArrived(from, to, parts, call)) return { from: shown.unchanged(from), to: shown.unchanged(to) };
        const arrival = arrivalOf(to, moved.license, parts, call);
        const outcome = await entitlements.replace(arrival.seen, arrival.next, arrival.changeRecord, call);
        if (outcome.kind === 'license taken') throw new Refusal('license_key_exists');
        return outcome.kind === 'stale' ? 'stale' : { from: shown.unchanged(from), to: shown.replaced(arrival) };
      }
      if (move.version !== null && move.version !== from.version) throw new Refusal('changed_meanwhile');
      if (hasEndedBy(to, call)) throw new Refusal('entitlement_ended');
      if (!hasEndedBy(from, call)) throw new Refusal('entitlement_not_ended');
      const license = validLicense(from);
      if (license === null) throw new Refusal('license_not_found');
      const departure = departureOf(from, license, to.id, parts, call);
      const arrival = arrivalOf(to, license, parts, call);
      const outcome = await moves.move(departure, arrival, call);
      if (outcome.kind === 'stale') return 'stale';
      if (outcome.kind !== 'replaced') throw new Refusal('license_key_exists');
      return { from: shown.replaced(departure), to: shown.replaced(arrival) };
    });
}

/**
 * Reports whether a license that has left an entitlement has arrived at the other one, which may have lost it again
 * since. The history of the other one says so. A move that it does not reach back to has arrived, so that a repeat
 * changes nothing.
 */
async function hasArrived(
  from: Entitlement,
  to: Entitlement,
  { entitlementHistory }: Pick<MovingParts, 'entitlementHistory'>,
  call: Call,
): Promise<boolean> {
  const digest = movedAway(from.license)?.license.digest;
  if (to.license?.digest === digest || movedAway(to.license)?.license.digest === digest) return true;
  const [left = [], there = []] = await Promise.all([from, to].map(({ id }) => entitlementHistory.list(id, call)));
  const departure = left.find(({ operation }) => operation === 'license_moved');
  const oldest = there[maxHistory - 1];
  if (departure === undefined || (oldest !== undefined && oldest.at > departure.at)) return true;
  return there.some(
    ({ operation, at, correlationId }) =>
      arrivals.has(operation) && (correlationId === departure.correlationId || at > departure.at),
  );
}

/** The operations by which a license arrives that has moved away elsewhere. */
const arrivals: ReadonlySet<HistoryOperation> = new Set(['license_moved', 'granted']);

export function hasEndedBy(entitlement: Entitlement, call: Call): boolean {
  return hasEnded(statusAt(entitlement, decisionCall(entitlement, call).now));
}

/** The license of an entitlement, unless it is revoked. */
export function validLicense({ license }: Entitlement): License | null {
  return license?.revokedAt === null ? license : null;
}

/** The entitlement whose license moves to another, after the move. */
export function departureOf(
  seen: Entitlement,
  license: License,
  to: string,
  parts: Pick<MovingParts, 'newEventId' | 'endingSoon'>,
  call: Call,
): Replacement {
  return replacementOf(seen, movedLicense(license, seen.id, to, decisionCall(seen, call).now), parts, call);
}

function arrivalOf(seen: Entitlement, license: License, parts: MovingParts, call: Call): Replacement {
  return replacementOf(seen, license, parts, call);
}

function replacementOf(
  seen: Entitlement,
  license: License,
  { newEventId, endingSoon }: Pick<MovingParts, 'newEventId' | 'endingSoon'>,
  call: Call,
): Replacement {
  const decisive = decisionCall(seen, call);
  const changed = nextVersion(seen, decisive.now, { license });
  return { seen, ...recordChange(seen, changed, { operation: 'license_moved' }, decisive, newEventId, endingSoon) };
}

interface Answers {
  readonly replaced: (replacement: Pick<Replacement, 'seen' | 'next'>) => CommandAnswer;
  readonly unchanged: (entitlement: Entitlement) => CommandAnswer;
}

/** Answers with the allowances of the entitlements. */
function answersWith(tiers: TierTable, call: Call): Answers {
  const replaced: Answers['replaced'] = ({ seen, next }) => ({
    snapshot: effectiveAt(next, decisionCall(seen, call).now, tierIn(tiers, next)),
    versionBefore: seen.version,
  });
  return { replaced, unchanged: (seen) => replaced({ seen, next: seen }) };
}

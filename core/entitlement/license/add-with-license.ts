import type { Call } from '../../call.ts';
import { untilStored } from '../../compare-and-set.ts';
import { referenceKey, type AddOutcome } from '../administration/all-entitlements.port.ts';
import type { AddWithLicense } from '../administration/make-addition.ts';
import type { Entitlement } from '../entitlement.ts';
import { departureOf, hasEndedBy, validLicense, type MovingParts } from './move-license.ts';

export function addWithLicense(parts: MovingParts): AddWithLicense {
  const { entitlements, moves } = parts;
  return (addition, made, call) =>
    untilStored(call, async () => {
      const [outcome = { kind: 'added' } as const] = await entitlements.add([addition], call);
      if (outcome.kind !== 'license taken') return outcome;
      const holder = await holderOf(made.license.digest, parts, call);
      if (holder === 'nobody') return 'stale';
      const taken = await otherKeyTaken(addition.entitlement, parts, call);
      if (taken !== null) return taken;
      if (holder === 'another') return { kind: 'license taken' };
      const license = validLicense(holder);
      const mayMove = holder.productId === addition.entitlement.productId && hasEndedBy(holder, call);
      if (license === null || !mayMove) return { kind: 'license taken' };
      const departure = departureOf(holder, license, addition.entitlement.id, parts, call);
      const moved = await moves.move(departure, addition, call);
      if (moved.kind === 'stale') return 'stale';
      return moved.kind === 'replaced' ? { kind: 'added' } : moved;
    });
}

/** Who has a license: an entitlement, nobody, or one that the caller cannot see. */
async function holderOf(
  digest: string,
  { entitlements }: MovingParts,
  call: Call,
): Promise<Entitlement | 'nobody' | 'another'> {
  const holder = await entitlements.findByLicense(digest, call);
  if (holder !== null || call.products === null) return holder ?? 'nobody';
  const { digests } = await entitlements.findExisting({ ids: [], digests: [digest], references: [] }, call);
  return digests.size === 0 ? 'nobody' : 'another';
}

/** Why an entitlement cannot be added, apart from its license. Checked first, so that no license is moved for nothing. */
async function otherKeyTaken(
  { id, productId, reference }: Entitlement,
  { entitlements }: MovingParts,
  call: Call,
): Promise<AddOutcome | null> {
  const references = reference === null ? [] : [referenceKey(productId, reference)];
  const existing = await entitlements.findExisting({ ids: [id], digests: [], references }, call);
  if (existing.ids.size > 0) return { kind: 'id taken' };
  return existing.references.size > 0 ? { kind: 'reference taken' } : null;
}

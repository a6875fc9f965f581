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
      const earlier = await holderOf(made.earlierDigest, parts, call);
      if (earlier === 'nobody') {
        const [outcome = { kind: 'added' } as const] = await entitlements.add([addition], call);
        if (outcome.kind !== 'license taken') return outcome;
      }
      const holder = earlier === 'nobody' ? await holderOf(made.license.digest, parts, call) : earlier;
      if (holder === 'nobody') return 'stale';
      const taken = await otherKeyTaken(addition.entitlement, parts, call);
      if (taken !== null) return taken;
      if (holder === 'another') return { kind: 'license taken' };
      const license = validLicense(holder);
      const mayMove = holder.productId === addition.entitlement.productId && hasEndedBy(holder, call);
      if (license === null || !mayMove) return { kind: 'license taken' };
      const departure = departureOf(holder, license, addition.entitlement.id, parts, call);
      const outcome = await moves.move(departure, addition, call);
      if (outcome.kind === 'stale') return 'stale';
      return outcome.kind === 'replaced' ? { kind: 'added' } : outcome;
    });
}

/** Who has a license: an entitlement, nobody, or one that the caller cannot see. */
async function holderOf(
  digest: string | null,
  { entitlements }: MovingParts,
  call: Call,
): Promise<Entitlement | 'nobody' | 'another'> {
  if (digest === null) return 'nobody';
  const holder = await entitlements.findByLicense(digest, call);
  if (holder !== null || call.products === null) return holder ?? 'nobody';
  const { digests } = await entitlements.findExisting({ ids: [], digests: [digest], references: [] }, call);
  return digests.size === 0 ? 'nobody' : 'another';
}

/** What else than the license keeps an entitlement from being added, so that no license moves in vain. */
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

import type { Call } from '../../call.ts';
import { canBeImported } from '../../license/license-key.ts';
import type { MakeLicense } from '../../license/license.ts';
import type { Products } from '../../product/products.port.ts';
import type { CommandRefusal } from '../../refusal.ts';
import { unknownTier, withoutTiers, type AllowanceParts, type UnknownTier } from '../../tier/allowance.ts';
import { standings, type Standing } from '../entitlement.ts';
import { additionWithAllowance, readingOnce } from '../event/shown-allowance.ts';
import type { FirstHold, Grant } from '../grant.ts';
import { AdditionDryRun } from './addition-dry-run.ts';
import type { AddOutcome, AllEntitlements } from './all-entitlements.port.ts';
import { additionRefusals, type AdditionDecision, type MakeAddition } from './make-addition.ts';

/** The statuses with which an entitlement can be imported. */
export const importStatuses = [...standings, 'suspended', 'revoked'] as const;

export type ImportStatus = (typeof importStatuses)[number];

/** The standing and the hold that a status stands for. */
export function standingAndHold(status: ImportStatus): {
  readonly standing: Standing;
  readonly hold: FirstHold | undefined;
} {
  const isHold = status === 'suspended' || status === 'revoked';
  return isHold ? { standing: 'active', hold: status } : { standing: status, hold: undefined };
}

/** An entitlement that was sold before Latchkey was used. */
export interface EntitlementDraft {
  readonly id: string;
  readonly grant: Grant;
  /** The key that the buyer has; null for an entitlement without a license. */
  readonly licenseKey: string | null;
  /** For a purchase that was suspended or revoked before; left out for any other. */
  readonly hold?: FirstHold | undefined;
}

export type ImportOutcome =
  ({ readonly kind: 'imported' } & UnknownTier) | { readonly kind: 'refused'; readonly code: ImportRefusal };

export type ImportRefusal = Extract<
  CommandRefusal,
  | 'product_not_found'
  | 'invalid_license_key'
  | 'period_end_too_early'
  | 'entitlement_exists'
  | 'license_key_exists'
  | 'reference_exists'
>;

/**
 * Adds each entitlement with its license and its hold in one atomic write, and returns the outcomes in the order of the
 * drafts. An entitlement that exists is never changed.
 */
export type ImportEntitlements = (drafts: readonly EntitlementDraft[], call: Call) => Promise<readonly ImportOutcome[]>;

type Decision = Exclude<AdditionDecision, { readonly kind: 'refused' }> | Extract<ImportOutcome, { kind: 'refused' }>;

export function importEntitlements(
  products: Products,
  entitlements: Pick<AllEntitlements, 'add'>,
  makeLicense: MakeLicense,
  makeAddition: MakeAddition,
  { tiers }: Pick<AllowanceParts, 'tiers'> = withoutTiers,
): ImportEntitlements {
  return async (drafts, call) => {
    const known = await knownProducts(products, drafts, call);
    const licenses = drafts.map(({ licenseKey }) =>
      licenseKey === null || !canBeImported(licenseKey) ? null : makeLicense(licenseKey, call.now),
    );
    const decisions = drafts.map(({ id, grant, licenseKey, hold }, position): Decision => {
      const made = licenses[position] ?? null;
      if (!known.has(grant.productId)) return { kind: 'refused', code: 'product_not_found' };
      if (licenseKey !== null && made === null) return { kind: 'refused', code: 'invalid_license_key' };
      return makeAddition(grant, { id, license: made?.license ?? null, hold }, 'imported', call);
    });
    const additions = decisions.flatMap((decision) => (decision.kind === 'granted' ? [decision.addition] : []));
    const reading = readingOnce(tiers);
    const shown = await Promise.all(additions.map((each) => additionWithAllowance(reading, each, call)));
    const warnings = await Promise.all(additions.map(({ entitlement }) => unknownTier(reading, entitlement, call)));
    const [added, warned] = [(await entitlements.add(shown, call)).values(), warnings.values()];
    return decisions.map((decision) =>
      decision.kind === 'refused' ? decision : outcomeOf(added.next().value, warned.next().value),
    );
  };
}

/** Begins a dry run, which returns the outcomes that an import would have and adds nothing. */
export type DryRunOfEntitlements = () => ImportEntitlements;

export function dryRunOfEntitlements(
  products: Products,
  entitlements: AllEntitlements,
  makeLicense: MakeLicense,
  makeAddition: MakeAddition,
  parts: Pick<AllowanceParts, 'tiers'> = withoutTiers,
): DryRunOfEntitlements {
  return () => importEntitlements(products, new AdditionDryRun(entitlements), makeLicense, makeAddition, parts);
}

async function knownProducts(
  products: Products,
  drafts: readonly EntitlementDraft[],
  call: Call,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(drafts.map(({ grant }) => grant.productId))];
  const found = await Promise.all(ids.map((id) => products.find(id, call)));
  return new Set(found.flatMap((product) => (product === null ? [] : [product.id])));
}

function outcomeOf(outcome: AddOutcome | undefined, warning: UnknownTier | undefined): ImportOutcome {
  if (outcome === undefined) throw new Error('the store returned fewer outcomes than entitlements');
  if (outcome.kind === 'added') return { kind: 'imported', ...warning };
  return { kind: 'refused', code: additionRefusals[outcome.kind] };
}

import type { Call } from '../call.ts';
import { featuresWith, noFeatures, type Features } from './features.ts';
import { isDeclared, type DeclaredTier, type Tier } from './tier.ts';
import type { Tiers } from './tiers.port.ts';

/** A limit of devices that an entitlement has of its own; null for that of its tier. */
export type OwnLimit = number | 'unlimited' | null;

/** The entitlement's own values of its allowance, which outlive a change of tier. */
export interface OwnAllowance {
  readonly deviceLimit: OwnLimit;
  /** Empty for none. */
  readonly features: Features;
}

/** The allowance of an entitlement: its own values, else those of its tier, else none. It is never stored. */
export interface Allowance {
  /** Null without a limit. */
  readonly deviceLimit: number | null;
  readonly features: Features;
  /** The revision of the tier; null for one that is not declared. */
  readonly tierRevision: number | null;
}

export function allowanceOf(own: OwnAllowance, tier: Tier | null): Allowance {
  const terms = tier?.terms ?? null;
  return {
    deviceLimit: limitOf(own.deviceLimit, terms?.deviceLimit ?? null),
    features: featuresWith(terms?.features ?? noFeatures, own.features),
    tierRevision: tier === null || terms === null ? null : tier.revision,
  };
}

function limitOf(own: OwnLimit, ofTier: number | null): number | null {
  return own === 'unlimited' ? null : (own ?? ofTier);
}

/** A limit of its own as a number; null for none and for the tier's. */
export function ownLimitOf(own: OwnLimit): number | null {
  return limitOf(own, null);
}

/** The declared tiers of all products, by `tierKey`. */
export type TierTable = ReadonlyMap<string, DeclaredTier>;

/** Returns the declared tiers as a process knows them. */
export type KnownTiers = (call: Call) => Promise<TierTable>;

/** The names of an entitlement's tier. */
export interface TierOf {
  readonly productId: string;
  readonly tierId: string;
}

export function tierTable(tiers: readonly DeclaredTier[]): TierTable {
  return new Map(tiers.map((tier) => [tierKey({ productId: tier.productId, tierId: tier.id }), tier]));
}

export function tierIn(table: TierTable, of: TierOf): DeclaredTier | null {
  return table.get(tierKey(of)) ?? null;
}

/** The allowance of an entitlement, by the tiers that the process knows. */
export async function allowanceKnown(
  known: KnownTiers,
  entitlement: OwnAllowance & TierOf,
  call: Call,
): Promise<Allowance> {
  return allowanceOf(entitlement, tierIn(await known(call), entitlement));
}

/** Reads the tiers of the store for each call, for a process that serves nobody. */
export function readTiers(tiers: Pick<Tiers, 'all'>): KnownTiers {
  return async (call) => tierTable(await tiers.all(call));
}

/** Names a tier among those of all products. No identifier has a slash. */
export function tierKey({ productId, tierId }: TierOf): string {
  return `${productId}/${tierId}`;
}

/** Reads the tier of an entitlement from the store; null if it is not declared. */
export async function readTier(
  tiers: Pick<Tiers, 'find'>,
  { productId, tierId }: TierOf,
  call: Call,
): Promise<DeclaredTier | null> {
  const tier = await tiers.find(productId, tierId, call);
  return isDeclared(tier) ? tier : null;
}

/** In an answer: the product has declared tiers, but not this one. It may be a typing mistake that no app knows. */
export interface UnknownTier {
  readonly isUnknownTier?: true;
}

/** Looks whether a product has declared tiers, but not this one. */
export async function unknownTier(tiers: AllowanceParts['tiers'], of: TierOf, call: Call): Promise<UnknownTier> {
  if ((await readTier(tiers, of, call)) !== null) return {};
  return (await tiers.page(of.productId, null, 1, call)).length > 0 ? { isUnknownTier: true } : {};
}

/** The parts that show allowances in answers and events. */
export interface AllowanceParts {
  readonly tiers: Pick<Tiers, 'find' | 'page'>;
  readonly knownTiers: KnownTiers;
}

/** Those of a service in which no tier is declared. */
export const withoutTiers: AllowanceParts = {
  tiers: { find: async () => null, page: async () => [] },
  knownTiers: async () => new Map(),
};

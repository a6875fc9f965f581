import type { Features } from '../../../core/tier/features.ts';
import type { TierEvent } from '../../../core/tier/tier-event.ts';
import { termsOf, type Tier, type TierTerms } from '../../../core/tier/tier.ts';

/** A document of `tiers`, by product and tier. `features` is null once the tier is deleted. */
export interface TierDocument {
  readonly _id: string;
  readonly productId: string;
  readonly id: string;
  readonly deviceLimit: number | null;
  readonly features: Features | null;
  /** Milliseconds. Absent in documents of release 0.2.0. */
  readonly trial?: number | null;
  readonly revision: number;
}

/** Leaves the events that wait out of a read of a tier. */
export const withoutEvents = { outbox: 0 };

/** An event in the `outbox` of its tier, where it waits for its position. The names are those of `OutboxEntry`. */
export interface TierOutboxEntry {
  readonly id: string;
  readonly type: TierEvent['type'];
  readonly told: Date;
  readonly at: Date;
  readonly n: number;
  readonly by: TierEvent['by'];
  readonly cid: string;
  readonly is: TierTerms | null;
  readonly was: TierTerms | null;
}

/** An event in the log. `of` is the id of the document of its tier. */
export interface TierLogEntry extends TierOutboxEntry {
  readonly of: string;
}

/** The id of a tier among all. Identifiers have no space. */
export function tierKey(productId: string, id: string): string {
  return `${productId} ${id}`;
}

/** Whether an id is that of a document of `tiers`, and not of an entitlement. */
export function isTierKey(id: string): boolean {
  return id.includes(' ');
}

export function toTierDocument({ productId, id, terms, revision }: Tier): TierDocument {
  const { deviceLimit = null, features = null, trial = null } = terms ?? {};
  return { _id: tierKey(productId, id), productId, id, deviceLimit, features, trial, revision };
}

export function fromTierDocument({ productId, id, revision, ...terms }: TierDocument): Tier {
  return { productId, id, terms: terms.features && termsOf(terms), revision };
}

export function toTierOutboxEntry(event: TierEvent, told: Date): TierOutboxEntry {
  const { id, type, at, sequence: n, by, correlationId: cid, tier: is, previous: was } = event;
  return { id, type, told, at, n, by, cid, is, was };
}

export function fromTierLogEntry(entry: TierLogEntry, productId: string): TierEvent {
  const { id, type, at, n: sequence, by, cid: correlationId, is: tier, was: previous, of } = entry;
  const tierId = of.slice(tierKey(productId, '').length);
  return { id, type, at, sequence, by, correlationId, productId, tierId, tier, previous };
}

import type { Call } from '../../call.ts';
import { allowanceOf, readTier, tierKey, type AllowanceParts } from '../../tier/allowance.ts';
import type { Tiers } from '../../tier/tiers.port.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt } from '../snapshot.ts';
import type { ChangeRecord } from './change-record.ts';
import { previousValues, type EntitlementEvent } from './entitlement-event.ts';

/** Reads tiers of the store. */
export type ReadTiers = Pick<Tiers, 'find'>;

/**
 * Shows the allowance of the entitlement in the event of a change, where it is new: at a grant, a change of its own
 * values and a change of tier. Reads the tier from the store, because a receiver of the event relies on it.
 */
export async function withAllowance(
  tiers: ReadTiers,
  seen: Entitlement,
  next: Entitlement,
  record: ChangeRecord,
  call: Call,
): Promise<ChangeRecord> {
  const own = record.events.at(-1);
  if (own === undefined || !showsAllowance(own)) return record;
  const after = await readTier(tiers, next, call);
  const before = seen.tierId === next.tierId ? after : await readTier(tiers, seen, call);
  const entitlement = { ...own.entitlement, ...allowanceOf(next, after) };
  const previous = previousValues({ ...snapshotAt(seen, own.at), ...allowanceOf(seen, before) }, entitlement);
  return { ...record, events: [...record.events.slice(0, -1), { ...own, entitlement, previous }] };
}

interface Granted {
  readonly entitlement: Entitlement;
  readonly changeRecord: ChangeRecord;
}

/** The same for a grant. */
export async function additionWithAllowance(tiers: ReadTiers, addition: Granted, call: Call): Promise<Granted> {
  const { entitlement, changeRecord } = addition;
  return { entitlement, changeRecord: await withAllowance(tiers, entitlement, entitlement, changeRecord, call) };
}

function showsAllowance({ type, previous }: EntitlementEvent): boolean {
  return type === 'entitlement.granted' || type === 'entitlement.allowance_changed' || previous.tierId !== undefined;
}

/** Reads each tier, and each page of tiers, once, for many entitlements at a time. */
export function readingOnce(tiers: AllowanceParts['tiers']): AllowanceParts['tiers'] {
  const found = new Map<string, ReturnType<Tiers['find']>>();
  const pages = new Map<string, ReturnType<Tiers['page']>>();
  return {
    find: (productId, tierId, call) =>
      readOnce(found, tierKey({ productId, tierId }), () => tiers.find(productId, tierId, call)),
    page: (productId, after, limit, call) =>
      readOnce(pages, `${productId}/${after ?? ''}/${limit}`, () => tiers.page(productId, after, limit, call)),
  };
}

function readOnce<Reading>(known: Map<string, Reading>, key: string, read: () => Reading): Reading {
  const reading = known.get(key) ?? read();
  known.set(key, reading);
  return reading;
}

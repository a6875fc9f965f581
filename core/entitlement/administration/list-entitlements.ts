import type { Call, NewCall } from '../../call.ts';
import { upperCase } from '../../license/folded-key.ts';
import { cursorAt, instantIn, positionIn, textIn, type ListName } from '../../paging/cursor.ts';
import { examinedPage } from '../../paging/examined-page.ts';
import type { Page, PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import { textThat } from '../../parsing/value-rule.ts';
import { Refusal } from '../../refusal.ts';
import { tierIn, withoutTiers, type AllowanceParts } from '../../tier/allowance.ts';
import type { Entitlement } from '../entitlement.ts';
import { effectiveAt, type Snapshot } from '../snapshot.ts';
import { entitlementStatuses, hasEnded } from '../status.ts';
import type { AllEntitlements, EntitlementPart, NewestPart, PlaceByAge } from './all-entitlements.port.ts';
import { fullSnapshotAt, type FullSnapshot } from './show-entitlement.ts';

export const entitlementOrders = ['id', 'newest'] as const;

/** By id in code-point order, or the newest first; those of one instant by id, descending. */
export type EntitlementOrder = (typeof entitlementOrders)[number];

/** The states by which a list can be filtered: each status, or all in which access has ended. */
export const listedStatuses = [...entitlementStatuses, 'ended'] as const;

export type ListedStatus = (typeof listedStatuses)[number];

/** The rule for the last four characters of a license key. */
export const lastFourRule = textThat(
  (text) => /^[^\s\p{Cc}\p{Cs}]{4}$/u.test(text),
  'must be the last four characters of a license key',
);

/** The conditions of a list. A condition that is null holds for every entitlement. */
export interface EntitlementFilter {
  readonly productId: string | null;
  /** Needs a product. At most one entitlement of the product has it. */
  readonly reference: string | null;
  /** The status at the instant of the call. */
  readonly status: ListedStatus | null;
  /** The current period, or the access of a purchase, ends before this instant. Those that never end are left out. */
  readonly endsBefore: Date | null;
  /** The id of its tier. */
  readonly tier?: string | null;
  /** The end of its license key as it is shown. Lower case also stands for upper. */
  readonly lastFour?: string | null;
  /** `id` by default. */
  readonly order?: EntitlementOrder;
}

/**
 * Lists entitlements in an order, as of the instant of the call. Looks at no more than 2,000 for one page: a page may have
 * fewer than `limit`, even none, and still a next one. Refuses with `invalid_parameter` for a cursor of another list, of
 * another order too, and for a reference without a product.
 */
export type ListEntitlements = (
  filter: EntitlementFilter,
  page: PageRequest,
  call: Call,
) => Promise<Page<FullSnapshot>>;

export function listEntitlements(
  entitlements: AllEntitlements,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): ListEntitlements {
  return async (filter, { after, limit }, call) => {
    const list = listOf(filter);
    const { status, endsBefore, tier = null, order = 'id' } = filter;
    const start = placeIn(list, order, after);
    const tiers = await knownTiers(call);
    const { items, last } = await examinedPage<Entitlement, FullSnapshot>({
      limit,
      showsAll: status === null && endsBefore === null && tier === null,
      read: (from, size) => entitlements.page(partOf(filter, from ?? start, size), call),
      show: (entitlement) => {
        const snapshot = fullSnapshotAt(entitlement, call.now, tiers);
        return passes(snapshot, entitlement, filter) ? snapshot : null;
      },
    });
    return { items, next: last === null ? null : cursorAt(list, positionOf(last, order)) };
  };
}

/** Walks over the entitlements of a filter in the order of `ListEntitlements`, all as of the instant of the first call. */
export type EveryEntitlement = (filter: EntitlementFilter, newCall: NewCall) => AsyncIterable<Snapshot>;

export function everyEntitlement(
  entitlements: AllEntitlements,
  { knownTiers }: Pick<AllowanceParts, 'knownTiers'> = withoutTiers,
): EveryEntitlement {
  return async function* every(filter, newCall) {
    const first = newCall();
    const { now } = first;
    const tiers = await knownTiers(first);
    const all = walk<Entitlement>((from, limit, call) => entitlements.page(partOf(filter, from, limit), call), newCall);
    for await (const entitlement of all) {
      const snapshot = effectiveAt(entitlement, now, tierIn(tiers, entitlement));
      if (passes(snapshot, entitlement, filter)) yield snapshot;
    }
  };
}

/** The part of a list after a place. A reference is unique in its product, so that those with one have one order. */
function partOf(
  { productId, reference, lastFour = null, order = 'id' }: EntitlementFilter,
  after: PlaceByAge | null,
  limit: number,
): EntitlementPart | NewestPart {
  if (reference !== null && productId === null) {
    throw new Refusal('invalid_parameter', { message: 'reference needs the product that it belongs to.' });
  }
  const shown = lastFour === null ? null : spellingsOf(lastFour);
  if (reference !== null) return { productId, reference, after: after?.id ?? null, limit };
  return order === 'id'
    ? { productId, reference, lastFour: shown, after: after?.id ?? null, limit }
    : { order, productId, lastFour: shown, after, limit };
}

/** The texts that the end of a key may be shown as, if it was typed so. */
export function spellingsOf(lastFour: string): readonly string[] {
  return [...new Set([lastFour, upperCase(lastFour)])];
}

function listOf(filter: EntitlementFilter): ListName {
  const { productId, reference, status, endsBefore, tier = null, lastFour = null, order = 'id' } = filter;
  const filters = [productId, reference, status, endsBefore?.toISOString() ?? null];
  // A walk that began before an upgrade goes on.
  if (order === 'id' && tier === null && lastFour === null) return ['entitlements', ...filters];
  return ['entitlements in order', ...filters, order, tier, lastFour];
}

function positionOf({ id, createdAt }: PlaceByAge, order: EntitlementOrder): readonly string[] {
  return order === 'id' ? [id] : [id, createdAt.toISOString()];
}

/** The place in a cursor of a list; null for its beginning. By id, the instant has no meaning. */
function placeIn(list: ListName, order: EntitlementOrder, cursor: string | null): PlaceByAge | null {
  if (cursor === null) return null;
  if (order === 'id') return { id: textIn(list, cursor) ?? '', createdAt: new Date(0) };
  const [id, at = ''] = positionIn(list, cursor);
  return { id, createdAt: instantIn(at) };
}

function passes(snapshot: Snapshot, { license }: Entitlement, filter: EntitlementFilter): boolean {
  const { currentPeriodEnd, accessEndsAt, tierId } = snapshot;
  const { tier = null, lastFour = null, endsBefore } = filter;
  const end = currentPeriodEnd ?? accessEndsAt;
  return (
    hasStatus(snapshot, filter.status) &&
    (tier === null || tier === tierId) &&
    (lastFour === null || spellingsOf(lastFour).includes(license?.lastFour ?? '')) &&
    (endsBefore === null || (end !== null && end < endsBefore))
  );
}

function hasStatus({ status }: Snapshot, wanted: ListedStatus | null): boolean {
  return wanted === null || (wanted === 'ended' ? hasEnded(status) : wanted === status);
}

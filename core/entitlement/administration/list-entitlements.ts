import type { Call, NewCall } from '../../call.ts';
import { cursorAt, textIn, type ListName } from '../../paging/cursor.ts';
import type { Page, PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import { Refusal } from '../../refusal.ts';
import type { Entitlement } from '../entitlement.ts';
import { snapshotAt, type Snapshot } from '../snapshot.ts';
import type { EntitlementStatus } from '../status.ts';
import type { AllEntitlements } from './all-entitlements.port.ts';
import { fullSnapshotAt, type FullSnapshot } from './show-entitlement.ts';

/** The conditions of a list. A condition that is null holds for every entitlement. */
export interface EntitlementFilter {
  readonly productId: string | null;
  /** Needs a product. At most one entitlement of the product has it. */
  readonly reference: string | null;
  /** The status at the instant of the call. */
  readonly status: EntitlementStatus | null;
  /** The current period, or the access of a purchase, ends before this instant. What never ends is left out. */
  readonly endsBefore: Date | null;
}

/**
 * Lists entitlements by id in code-point order, as of the instant of the call. Looks at no more than 2,000 for one page:
 * a page may have fewer than `limit`, even none, and still a next one. Refuses with `invalid_parameter` for a cursor of
 * another list and for a reference without a product.
 */
export type ListEntitlements = (
  filter: EntitlementFilter,
  page: PageRequest,
  call: Call,
) => Promise<Page<FullSnapshot>>;

/** Entitlements that one page looks at. */
const maxExamined = 2000;

/** Entitlements that are read at once if a page passes over some: about 2 ms of the process's time. */
const sliceSize = 200;

export function listEntitlements(entitlements: AllEntitlements): ListEntitlements {
  return async (filter, { after, limit }, call) => {
    const list = listOf(filter);
    const size = filter.status === null && filter.endsBefore === null ? limit : sliceSize;
    const items: FullSnapshot[] = [];
    let last = textIn(list, after);
    for (let examined = 0; examined < maxExamined; examined += size) {
      const part = { ...partOf(filter), after: last, limit: size + 1 };
      const found = await entitlements.page(part, call);
      for (const entitlement of found.slice(0, size)) {
        if (items.length === limit) return { items, next: cursorAt(list, [last ?? '']) };
        last = entitlement.id;
        const snapshot = fullSnapshotAt(entitlement, call.now);
        if (passes(snapshot, filter)) items.push(snapshot);
      }
      if (found.length <= size) return { items, next: null };
      if (items.length === limit) break;
    }
    return { items, next: cursorAt(list, [last ?? '']) };
  };
}

/** Walks over the entitlements of a filter in the order of `ListEntitlements`, all as of the instant of the first call. */
export type EveryEntitlement = (filter: EntitlementFilter, newCall: NewCall) => AsyncIterable<Snapshot>;

export function everyEntitlement(entitlements: AllEntitlements): EveryEntitlement {
  return async function* every(filter, newCall) {
    const { now } = newCall();
    const parts = partOf(filter);
    const all = walk<Entitlement>(
      (from, limit, call) => entitlements.page({ ...parts, after: from?.id ?? null, limit }, call),
      newCall,
    );
    for await (const entitlement of all) {
      const snapshot = snapshotAt(entitlement, now);
      if (passes(snapshot, filter)) yield snapshot;
    }
  };
}

function partOf({ productId, reference }: EntitlementFilter): Pick<EntitlementFilter, 'productId' | 'reference'> {
  if (reference === null || productId !== null) return { productId, reference };
  throw new Refusal('invalid_parameter', { message: 'reference needs the product that it belongs to.' });
}

function listOf({ productId, reference, status, endsBefore }: EntitlementFilter): ListName {
  return ['entitlements', productId, reference, status, endsBefore?.toISOString() ?? null];
}

function passes({ status, currentPeriodEnd, accessEndsAt }: Snapshot, filter: EntitlementFilter): boolean {
  if (filter.status !== null && filter.status !== status) return false;
  const end = currentPeriodEnd ?? accessEndsAt;
  return filter.endsBefore === null || (end !== null && end < filter.endsBefore);
}

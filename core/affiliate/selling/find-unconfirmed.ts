import type { NewCall } from '../../call.ts';
import type { Sales } from '../sale/sales.port.ts';

/** Sales that are looked at each time. */
const sliceSize = 20;

/** Milliseconds before a sale that no look has confirmed is found again, so that it holds up no others. */
const pause = 600_000;

/** Finds sales that a look has to confirm, the longest due first, each at most once in ten minutes. */
export type FindUnconfirmed = (newCall: NewCall) => Promise<readonly string[]>;

export function findUnconfirmed(sales: Pick<Sales, 'toLookAt'>): FindUnconfirmed {
  const found = new Map<string, number>();
  return async (newCall) => {
    const call = newCall();
    const now = call.now.getTime();
    for (const [id, at] of found) if (at + pause <= now) found.delete(id);
    const due = await sales.toLookAt(call.now, sliceSize + found.size, call);
    const ids = due.map(({ entitlementId }) => entitlementId).filter((id) => !found.has(id));
    for (const id of ids) found.set(id, now);
    return ids;
  };
}

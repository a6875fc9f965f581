import type { Data } from '../data/seed-store.ts';
import { catalogWorkloads, entitlementWorkloads, type Workload } from './workloads.ts';

/** Requests of each kind in a hundred. A durable cancel is a cancel or a resume, with an idempotency key of its own. */
const shares: ReadonlyMap<string, number> = new Map([
  ['verification', 40],
  ['entitlement read', 16],
  ['slug', 16],
  ['first page', 9],
  ['search, one of 1,000', 9],
  ['durable cancel', 6],
  ['waitlist', 4],
]);

/** Prime to a hundred, so that the kinds are spread evenly. */
const step = 37;

/** Creates the requests of merchants, buyers and affiliates together, one after another. */
export function mixedRequests(data: Data): () => string {
  const kinds = [...entitlementWorkloads(data), ...catalogWorkloads(data)].flatMap((workload: Workload) => {
    let own = 0;
    const next = (): string => workload.request(own++);
    return Array.from({ length: shares.get(workload.name) ?? 0 }, () => next);
  });
  let number = 0;
  return () => {
    number += 1;
    return kinds[(number * step) % kinds.length]?.() ?? '';
  };
}

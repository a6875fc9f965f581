import { saleInSubject, statementInSubject, tierInSubject } from '../../../core/feed/logged-event.ts';
import { isTierKey, tierKey } from '../tier/tier-document.ts';

/** The collections whose documents have events that wait. */
export const holderCollections = ['entitlements', 'tiers', 'sales', 'statements'] as const;

export type HolderCollection = (typeof holderCollections)[number];

/** The document in whose outbox an event waits. */
export interface Holder {
  readonly collection: HolderCollection;
  /** Its name (`nameIn`). */
  readonly name: string;
}

/** The member by which the documents of a collection are named: a sale is not stored under the id that its event has. */
export function nameIn(collection: HolderCollection): '_id' | 'id' {
  return collection === 'sales' ? 'id' : '_id';
}

/** The holder of an entry of the log, by its `of`: the key of a tier, the subject of a sale or statement, or an entitlement. */
export function holderOf(of: string): Holder {
  const statement = statementInSubject(of);
  if (statement !== null) return { collection: 'statements', name: statement };
  const sale = saleInSubject(of);
  if (sale !== null) return { collection: 'sales', name: sale };
  return { collection: isTierKey(of) ? 'tiers' : 'entitlements', name: of };
}

/** The holder of the events of a subject of a product. */
export function holderOfSubject(productId: string, subject: string): Holder {
  const tier = tierInSubject(subject);
  return holderOf(tier === null ? subject : tierKey(productId, tier));
}

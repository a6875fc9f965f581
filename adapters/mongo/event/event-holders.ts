import { statementInSubject, tierInSubject } from '../../../core/feed/logged-event.ts';
import { isTierKey, tierKey } from '../tier/tier-document.ts';

/** The collections whose documents have events that wait. */
export const holderCollections = ['entitlements', 'tiers', 'statements'] as const;

export type HolderCollection = (typeof holderCollections)[number];

/** The document in whose outbox an event waits. */
export interface Holder {
  readonly collection: HolderCollection;
  readonly _id: string;
}

/** The holder of an entry of the log, by its `of`: the key of a tier, the subject of a statement, or an entitlement. */
export function holderOf(of: string): Holder {
  const statement = statementInSubject(of);
  if (statement !== null) return { collection: 'statements', _id: statement };
  return { collection: isTierKey(of) ? 'tiers' : 'entitlements', _id: of };
}

/** The holder of the events of a subject of a product. */
export function holderOfSubject(productId: string, subject: string): Holder {
  const tier = tierInSubject(subject);
  return holderOf(tier === null ? subject : tierKey(productId, tier));
}

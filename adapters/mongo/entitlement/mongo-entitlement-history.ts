import type { Call } from '../../../core/call.ts';
import type { EntitlementHistory } from '../../../core/entitlement/administration/all-entitlements.port.ts';
import type { HistoryEntry } from '../../../core/entitlement/history-entry.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import type { StoredEntitlement } from './entitlement-document.ts';
import { fromHistoryDocuments } from './history-document.ts';

export class MongoEntitlementHistory implements EntitlementHistory {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async list(entitlementId: string, call: Call): Promise<readonly HistoryEntry[]> {
    const query = { filter: { _id: entitlementId }, projection: { history: 1 }, limit: 1 };
    const [document] = await this.#database.find<Pick<StoredEntitlement, 'history'>>('entitlements', query, call);
    return fromHistoryDocuments(document?.history);
  }
}

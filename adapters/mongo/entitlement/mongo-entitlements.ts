import { ObjectId } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { Entitlements, ReplaceOutcome } from '../../../core/entitlement/merchant/entitlements.port.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { expiredAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import { fromDocument, withoutRecords, type EntitlementDocument } from './entitlement-document.ts';
import { findDocuments, oneOf } from '../driver/find.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { clearExpiredHolder, obstacle } from './record-holders.ts';
import { replaceStatement } from './replace-statement.ts';

export class MongoEntitlements implements Entitlements {
  readonly #store: MongoStore;
  readonly #retention: Retention;
  readonly #lookups: ReadBatcher<EntitlementDocument>;

  constructor(store: MongoStore, retention: Retention) {
    this.#store = store;
    this.#retention = retention;
    this.#lookups = new ReadBatcher(async (ids) => {
      const documents = await findDocuments<EntitlementDocument>(store.database, 'entitlements', {
        filter: { _id: oneOf(ids) },
        projection: withoutRecords,
        batchSize: ids.length,
      });
      return new Map(documents.map((document) => [document._id, document]));
    });
  }

  async find(id: string, productId: string, call: Call): Promise<Entitlement | null> {
    const document = await this.#lookups.find(id, call);
    return document?.productId === productId ? fromDocument(document) : null;
  }

  async replace(seen: Entitlement, next: Entitlement, record: IdempotencyRecord, call: Call): Promise<ReplaceOutcome> {
    const expired = expiredAt(this.#retention, call.now);
    const most = this.#retention.recordsPerEntitlement;
    for (;;) {
      const statement = replaceStatement(seen, next, record, { expired, most, token: new ObjectId() });
      const verdict = await this.#store.writes.write(statement, call);
      switch (verdict.kind) {
        case 'won':
          return { kind: 'replaced' };
        case 'lost':
          if (verdict.revision !== seen.revision) return { kind: 'stale' };
          return obstacle(this.#store, seen, record.key, { expired, retention: this.#retention }, call);
        case 'duplicate':
          if (!(await clearExpiredHolder(this.#store, record, expired, call))) return { kind: 'key taken' };
          break;
      }
    }
  }
}

import { ObjectId } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Entitlement } from '../../../core/entitlement/entitlement.ts';
import type { ChangeRecord } from '../../../core/entitlement/event/change-record.ts';
import type { IdempotencyRecord } from '../../../core/entitlement/idempotency/idempotency-record.ts';
import { expiredAt } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import type { Licenses } from '../../../core/entitlement/license/licenses.port.ts';
import type { Entitlements, NoRecord } from '../../../core/entitlement/merchant/entitlements.port.ts';
import { oneOf } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { ReadBatcher } from '../driver/read-batcher.ts';
import { fromEntitlementDocument, withoutLists, type EntitlementDocument } from './entitlement-document.ts';
import { reasonNotReplaced, removeExpiredRecord } from './record-holders.ts';
import { replaceStatement } from './replace-statement.ts';
import { WriteBatcher } from './write-batcher.ts';

export class MongoEntitlements implements Entitlements {
  readonly #database: MongoDatabase;
  readonly #retention: SharedRetention;
  readonly #lookups: ReadBatcher<EntitlementDocument>;
  readonly #writes: WriteBatcher;
  readonly #onEvents: () => void;

  /** `onEvents` is called after a write that has stored events. */
  constructor(database: MongoDatabase, retention: SharedRetention, onEvents: () => void) {
    this.#onEvents = onEvents;
    this.#database = database;
    this.#retention = retention;
    this.#writes = new WriteBatcher(database);
    this.#lookups = new ReadBatcher(async (ids) => {
      const query = { filter: { _id: oneOf(ids) }, projection: withoutLists, limit: ids.length };
      const documents = await database.findOnce<EntitlementDocument>('entitlements', query);
      return new Map(documents.map((document) => [document._id, document]));
    }, database.onBatch);
  }

  async find(id: string, productId: string, call: Call): Promise<Entitlement | null> {
    const document = await this.#lookups.find(id, call);
    return document?.productId === productId ? fromEntitlementDocument(document) : null;
  }

  async replace(
    seen: Entitlement,
    next: Entitlement,
    record: IdempotencyRecord,
    changeRecord: ChangeRecord | null,
    call: Call,
  ): Promise<ReplaceOutcome<NoRecord>> {
    const retention = await this.#retention.current(call);
    const expired = expiredAt(retention, call.now);
    const maxRecords = retention.recordsPerEntitlement;
    for (;;) {
      const statement = replaceStatement(seen, next, record, changeRecord, {
        expired,
        maxRecords,
        token: new ObjectId(),
      });
      const outcome = await this.#writes.write(statement, call);
      switch (outcome.kind) {
        case 'applied':
          if (changeRecord !== null) this.#onEvents();
          return { kind: 'replaced' };
        case 'no match':
          if (outcome.revision !== seen.revision) return { kind: 'stale' };
          return reasonNotReplaced(this.#database, seen, record.key, { expired, retention }, call);
        case 'duplicate key':
          if (!(await removeExpiredRecord(this.#database, record, expired, call))) return { kind: 'key taken' };
          break;
      }
    }
  }
}

export class MongoLicenses implements Licenses {
  readonly #lookups: ReadBatcher<EntitlementDocument>;

  constructor(database: MongoDatabase) {
    this.#lookups = new ReadBatcher(async (digests) => {
      const documents = await database.findOnce<EntitlementDocument>('entitlements', {
        filter: { 'license.digest': oneOf(digests) },
        projection: withoutLists,
        limit: digests.length,
      });
      return new Map(documents.map((document) => [document.license?.digest ?? '', document]));
    }, database.onBatch);
  }

  async find(digest: string, call: Call): Promise<Entitlement | null> {
    const document = await this.#lookups.find(digest, call);
    return document === null ? null : fromEntitlementDocument(document);
  }
}

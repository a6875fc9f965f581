import { ObjectId } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { expiredAt } from '../../../core/entitlement/idempotency/retention.ts';
import type { SharedRetention } from '../../../core/entitlement/idempotency/shared-retention.ts';
import type {
  BackupOutcome,
  Finding,
  LastBackup,
  Maintenance,
  Pruned,
} from '../../../core/maintenance/maintenance.port.ts';
import { UnusableStore } from '../../../core/store/store.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import type { StoredEntitlement } from '../entitlement/entitlement-document.ts';
import { holderCollections, holderOfSubject, nameIn } from '../event/event-holders.ts';
import { checkIndexes } from '../schema/check-indexes.ts';
import { currentSchemaVersion, readSchemaVersion } from '../schema/schema-version.ts';

interface ExpiredCount {
  readonly _id: string;
  readonly expired: number;
}

interface LastWaiting {
  readonly name: string;
  readonly last: number;
}

/** Entitlements of one slice: a tenth of a second for the server if each has a hundred records. */
const sliceSize = 500;

export class MongoMaintenance implements Maintenance {
  readonly #database: MongoDatabase;
  readonly #retention: SharedRetention;

  constructor(database: MongoDatabase, retention: SharedRetention) {
    this.#database = database;
    this.#retention = retention;
  }

  async check(call: Call): Promise<readonly Finding[]> {
    return [await this.#checkSchema(call), await this.#checkIndexes(call), await this.#checkWrite(call)];
  }

  /** Refuses: the database is spread over several servers, and only MongoDB's own tools copy it as of one instant. */
  async backup(): Promise<BackupOutcome> {
    return { kind: 'no file' };
  }

  async lastBackup(): Promise<LastBackup> {
    return { kind: 'unknown' };
  }

  async oldestWaitingEvent(call: Call): Promise<Date | null> {
    const query = {
      filter: { 'outbox.told': { $exists: true } },
      projection: { oldest: { $min: '$outbox.told' } },
      sort: { 'outbox.told': 1 },
      limit: 1,
    };
    const found = await Promise.all(
      holderCollections.map((name) => this.#database.find<{ readonly oldest: Date }>(name, query, call)),
    );
    const oldest = found.flat().map((waiting) => waiting.oldest);
    return oldest.toSorted((a, b) => a.getTime() - b.getTime()).at(0) ?? null;
  }

  async waitingSequences(
    productId: string,
    subjects: readonly string[],
    call: Call,
  ): Promise<ReadonlyMap<string, number>> {
    const held = subjects.map((subject) => ({ subject, ...holderOfSubject(productId, subject) }));
    const found = await Promise.all(
      [...Map.groupBy(held, ({ collection }) => collection)].map(async ([collection, own]) => {
        const subjectsByName = new Map(own.map(({ name, subject }) => [name, subject]));
        const member = nameIn(collection);
        const query = {
          filter: { [member]: { $in: [...subjectsByName.keys()] }, 'outbox.told': { $exists: true } },
          projection: { name: `$${member}`, last: { $max: '$outbox.n' } },
          limit: own.length,
        };
        const waiting = await this.#database.find<LastWaiting>(collection, query, call);
        return waiting.map(({ name, last }) => [subjectsByName.get(name) ?? name, last] as const);
      }),
    );
    return new Map(found.flat());
  }

  async prune(from: string | null, call: Call): Promise<Pruned> {
    const expired = expiredAt(await this.#retention.current(call), call.now);
    const isExpired = { $lte: ['$$this.at', expired] };
    const query = {
      filter: { _id: { $gt: from ?? '' } },
      projection: { expired: { $size: { $filter: { input: { $ifNull: ['$records', []] }, cond: isExpired } } } },
      sort: { _id: 1 },
      limit: sliceSize,
    };
    const counts = await this.#database.find<ExpiredCount>('entitlements', query, call);
    const last = counts.length < sliceSize ? undefined : counts.at(-1);
    const ids = counts.filter((one) => one.expired > 0).map(({ _id }) => _id);
    if (ids.length > 0) await this.#removeExpired(ids, expired, call);
    return { removed: counts.reduce((sum, one) => sum + one.expired, 0), next: last?._id ?? null };
  }

  async #removeExpired(ids: readonly string[], expired: Date, call: Call): Promise<void> {
    const entitlements = this.#database.collection<StoredEntitlement>('entitlements');
    const removal = { $pull: { records: { at: { $lte: expired } } } };
    await this.#database.write(call, (session) => entitlements.updateMany({ _id: { $in: ids } }, removal, { session }));
  }

  async #checkSchema(call: Call): Promise<Finding> {
    const read = this.#database.read(call, (session) => readSchemaVersion(this.#database.db, session));
    const version = await read.catch(() => null);
    return {
      check: 'schema',
      ok: version === currentSchemaVersion,
      message: `The schema is ${version === null ? 'unknown' : `version ${version}`}; this release uses version ${currentSchemaVersion}.`,
    };
  }

  /** Checks no files: MongoDB checks them as it reads them, and `validate` would block the writes of a store in use. */
  async #checkIndexes(call: Call): Promise<Finding> {
    try {
      await this.#database.read(call, () => checkIndexes(this.#database.db));
      return { check: 'integrity', ok: true, message: 'Every index that the store depends on exists.' };
    } catch (error) {
      const message = error instanceof UnusableStore ? error.message : 'The indexes could not be read.';
      return { check: 'integrity', ok: false, message };
    }
  }

  async #checkWrite(call: Call): Promise<Finding> {
    const counters = this.#database.collection<{ readonly _id: string; readonly count: number }>('counters');
    const probe = { _id: `check ${new ObjectId().toHexString()}` };
    try {
      await this.#database.writeOnce(call, (session) => counters.insertOne({ ...probe, count: 0 }, { session }));
      const { deletedCount } = await this.#database.writeOnce(call, (session) =>
        counters.deleteOne(probe, { session }),
      );
      if (deletedCount === 1) {
        return { check: 'write', ok: true, message: 'A document was written and removed again.' };
      }
    } catch {
      return { check: 'write', ok: false, message: 'The store could not be written: is there a primary?' };
    }
    return { check: 'write', ok: false, message: 'A document that was just written could not be found.' };
  }
}

import { ObjectId } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import { expiredAt, type Retention } from '../../../core/entitlement/idempotency/retention.ts';
import type { BackupOutcome, Finding, Maintenance, Pruned } from '../../../core/maintenance/maintenance.port.ts';
import { UnusableStore } from '../../../core/store/unusable-store.ts';
import { within } from '../driver/deadline.ts';
import { findInTime } from '../driver/find.ts';
import type { MongoStore } from '../driver/mongo-store.ts';
import { checkIndexes, migrations } from '../schema/indexes.ts';
import { retryWrite } from '../driver/retry-write.ts';

interface Counted {
  readonly _id: string;
  readonly expired: number;
}

/** Entitlements looked at in one slice: a tenth of a second of the server where each has a hundred records. */
const sliceSize = 500;

export class MongoMaintenance implements Maintenance {
  readonly #store: MongoStore;
  readonly #retention: Retention;

  constructor(store: MongoStore, retention: Retention) {
    this.#store = store;
    this.#retention = retention;
  }

  async check(call: Call): Promise<readonly Finding[]> {
    return [await this.#schemaFinding(call), await this.#indexFinding(call), await this.#writeFinding(call)];
  }

  /** A database is spread over the files of several servers, which only MongoDB's own tools copy as of one instant. */
  async backup(): Promise<BackupOutcome> {
    return { kind: 'no file' };
  }

  async prune(from: string | null, call: Call): Promise<Pruned> {
    const expired = expiredAt(this.#retention, call.now);
    const isExpired = { $lte: ['$$this.at', expired] };
    const parts = {
      filter: { _id: { $gt: from ?? '' } },
      projection: { expired: { $size: { $filter: { input: { $ifNull: ['$records', []] }, cond: isExpired } } } },
      sort: { _id: 1 },
      batchSize: sliceSize,
    };
    const counted = await findInTime<Counted>(this.#store.database, 'entitlements', parts, call);
    const last = counted.length < sliceSize ? undefined : counted.at(-1);
    const ids = counted.filter((one) => one.expired > 0).map(({ _id }) => _id);
    const removal = { $pull: { records: { at: { $lte: expired } } } };
    if (ids.length > 0) {
      const remove = () => this.#store.entitlements.updateMany({ _id: { $in: ids } }, removal);
      await within(call, retryWrite(remove));
    }
    return { removed: counted.reduce((sum, one) => sum + one.expired, 0), next: last?._id ?? null };
  }

  async #schemaFinding(call: Call): Promise<Finding> {
    const schema = this.#store.database.collection<{ _id: string; version: number }>('schema');
    const found = await within(call, schema.findOne({ _id: 'latchkey' })).catch(() => null);
    const ok = found?.version === migrations.length;
    const is = found === null ? 'unknown' : `version ${found.version}`;
    return { check: 'schema', ok, message: `The schema is ${is}; this release uses version ${migrations.length}.` };
  }

  /** MongoDB checks its own files as it reads them; `validate` would stop the writers of a store that serves. */
  async #indexFinding(call: Call): Promise<Finding> {
    try {
      await within(call, checkIndexes(this.#store.database));
      return { check: 'integrity', ok: true, message: 'Every index that the store rests on is in place.' };
    } catch (error) {
      const message = error instanceof UnusableStore ? error.message : 'The indexes could not be read.';
      return { check: 'integrity', ok: false, message };
    }
  }

  async #writeFinding(call: Call): Promise<Finding> {
    const probe = { _id: `check ${new ObjectId().toHexString()}` };
    try {
      await within(call, this.#store.counters.insertOne({ ...probe, count: 0 }));
      const { deletedCount } = await within(call, this.#store.counters.deleteOne(probe));
      if (deletedCount === 1) return { check: 'write', ok: true, message: 'A document was written and removed again.' };
    } catch {
      return { check: 'write', ok: false, message: 'The store could not be written: is there a primary?' };
    }
    return { check: 'write', ok: false, message: 'A document that had been written was not there any more.' };
  }
}

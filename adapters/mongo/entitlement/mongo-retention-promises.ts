import type { Call } from '../../../core/call.ts';
import type { RetentionPromises } from '../../../core/entitlement/idempotency/idempotency.port.ts';
import type { RetentionPromise } from '../../../core/entitlement/idempotency/retention.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `retention_promises`, stored under its length in milliseconds. */
export interface PromiseDocument {
  readonly _id: number;
  readonly until: Date;
}

/** More lengths than the settings of one store ever have. */
const maxPromises = 1000;

export class MongoRetentionPromises implements RetentionPromises {
  readonly #database: MongoDatabase;

  constructor(database: MongoDatabase) {
    this.#database = database;
  }

  async list(call: Call): Promise<readonly RetentionPromise[]> {
    const query = { filter: {}, limit: maxPromises };
    const documents = await this.#database.find<PromiseDocument>('retention_promises', query, call);
    return documents.map(({ _id, until }) => ({ milliseconds: _id, until }));
  }

  async add({ milliseconds, until }: RetentionPromise, call: Call): Promise<void> {
    const promises = this.#database.collection<PromiseDocument>('retention_promises');
    await this.#database.write(call, () =>
      promises.updateOne({ _id: milliseconds }, { $max: { until } }, { upsert: true }),
    );
  }
}

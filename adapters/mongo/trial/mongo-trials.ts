import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { Trial } from '../../../core/trial/trial.ts';
import type { TrialPart, Trials } from '../../../core/trial/trials.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `trials`. */
export interface TrialDocument extends Omit<Trial, 'id'> {
  readonly _id: string;
}

export class MongoTrials implements Trials {
  readonly #database: MongoDatabase;
  readonly #trials: Collection<TrialDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#trials = database.collection('trials');
  }

  async find(id: string, call: Call): Promise<Trial | null> {
    const [document] = await this.#database.find<TrialDocument>('trials', { filter: { _id: id }, limit: 1 }, call);
    return document === undefined ? null : fromTrialDocument(document);
  }

  async page({ productId, entitlementId, after, limit }: TrialPart, call: Call): Promise<readonly Trial[]> {
    const filter = {
      productId,
      ...(entitlementId !== null && { 'converted.entitlementId': entitlementId }),
      ...(after !== null && {
        $or: [{ startedAt: { $lt: after.startedAt } }, { startedAt: after.startedAt, _id: { $lt: after.id } }],
      }),
    };
    const query = { filter, sort: { startedAt: -1, _id: -1 }, limit };
    return (await this.#database.find<TrialDocument>('trials', query, call)).map(fromTrialDocument);
  }

  async add(trial: Trial, call: Call): Promise<void> {
    const { _id, ...facts } = toTrialDocument(trial);
    await this.#database.write(call, (session) =>
      this.#trials.updateOne({ _id }, { $setOnInsert: facts }, { upsert: true, session }),
    );
  }

  async replace(next: Trial, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...facts } = toTrialDocument(next);
    const filter = { _id, revision: next.revision - 1 };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#trials.updateOne(filter, { $set: facts }, { session }),
    );
    return { kind: modifiedCount > 0 ? 'replaced' : 'stale' };
  }

  async prune(end: Date, call: Call): Promise<number> {
    const query = { filter: { endsAt: { $lte: end } }, projection: { _id: 1 }, limit: 500 };
    const found = await this.#database.find<{ readonly _id: string }>('trials', query, call);
    if (found.length === 0) return 0;
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#trials.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, endsAt: { $lte: end } }, { session }),
    );
    return deletedCount;
  }
}

export function toTrialDocument({ id, ...facts }: Trial): TrialDocument {
  return { _id: id, ...facts };
}

export function fromTrialDocument({ _id, ...facts }: TrialDocument): Trial {
  return { id: _id, ...facts };
}

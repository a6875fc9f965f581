import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { EndOfSessions, OperatorSession } from '../../../core/operator-session/operator-session.ts';
import { prunedSessions, type OperatorSessions } from '../../../core/operator-session/operator-sessions.port.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `operator_sessions`: a session under the digest of its token. */
type SessionDocument = { readonly _id: string } & Omit<OperatorSession, 'digest'>;

export class MongoOperatorSessions implements OperatorSessions {
  readonly #database: MongoDatabase;
  readonly #sessions: Collection<SessionDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#sessions = database.collection('operator_sessions');
  }

  async add({ digest, ...facts }: OperatorSession, call: Call): Promise<void> {
    await this.#database.write(call, (session) =>
      this.#sessions.updateOne({ _id: digest }, { $setOnInsert: facts }, { upsert: true, session }),
    );
  }

  async find(digest: string, call: Call): Promise<OperatorSession | null> {
    const query = { filter: { _id: digest }, limit: 1 };
    const [document] = await this.#database.find<SessionDocument>('operator_sessions', query, call);
    if (document === undefined) return null;
    const { _id, ...facts } = document;
    return { digest: _id, ...facts };
  }

  async recordUse(digest: string, at: Date, call: Call): Promise<void> {
    await this.#database.write(call, (session) =>
      this.#sessions.updateOne({ _id: digest }, { $max: { lastUsedAt: at } }, { session }),
    );
  }

  async remove(digest: string, call: Call): Promise<void> {
    await this.#database.write(call, (session) => this.#sessions.deleteOne({ _id: digest }, { session }));
  }

  async prune({ createdAt, lastUsedAt }: EndOfSessions, call: Call): Promise<number> {
    const hasEnded = { $or: [{ createdAt: { $lte: createdAt } }, { lastUsedAt: { $lte: lastUsedAt } }] };
    const query = { filter: hasEnded, projection: { _id: 1 }, limit: prunedSessions };
    const ended = await this.#database.find<{ readonly _id: string }>('operator_sessions', query, call);
    if (ended.length === 0) return 0;
    // A session may have been used meanwhile, so the condition is checked again.
    const filter = { _id: { $in: ended.map(({ _id }) => _id) }, ...hasEnded };
    // Sent once: a second deletion would find nothing, and report that nothing was removed.
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#sessions.deleteMany(filter, { session }),
    );
    return deletedCount;
  }
}

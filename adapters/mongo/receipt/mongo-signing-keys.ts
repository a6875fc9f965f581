import type { Collection } from 'mongodb';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { keyRingId, type KeyRing } from '../../../core/receipt/key-ring.ts';
import type { SigningKeys } from '../../../core/receipt/signing-keys.port.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { fromKeyRingDocument, toKeyRingDocument, type KeyRingDocument } from './key-ring-document.ts';

export class MongoSigningKeys implements SigningKeys {
  readonly #database: MongoDatabase;
  readonly #rings: Collection<KeyRingDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#rings = database.collection('signing_keys');
  }

  async read(call: Call): Promise<KeyRing | null> {
    const query = { filter: { _id: keyRingId }, limit: 1 };
    const [document] = await this.#database.find<KeyRingDocument>('signing_keys', query, call);
    return document === undefined ? null : fromKeyRingDocument(document);
  }

  async replace(next: KeyRing, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...ring } = toKeyRingDocument(next, keyRingId);
    if (next.revision === 1) {
      const isNew = await insertNew(this.#database, 'signing_keys', { _id, ...ring }, call);
      return { kind: isNew ? 'replaced' : 'stale' };
    }
    const filter = { _id, revision: next.revision - 1 };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#rings.replaceOne(filter, ring, { session }),
    );
    return { kind: modifiedCount > 0 ? 'replaced' : 'stale' };
  }
}

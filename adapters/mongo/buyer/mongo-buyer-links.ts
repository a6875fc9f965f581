import type { Collection } from 'mongodb';
import { maxLinks, type BuyerLink } from '../../../core/buyer/buyer-link.ts';
import { prunedLinks, type BuyerLinks } from '../../../core/buyer/buyer-links.port.ts';
import type { Call } from '../../../core/call.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';

/** A document of `buyer_links`: a link under the digest of its token. Its subject has the name that release 0.2.0 reads. */
interface LinkDocument extends Omit<BuyerLink, 'digest' | 'subject' | 'isForLostKeys'> {
  readonly _id: string;
  readonly entitlementId: string;
  /** Absent from links of release 0.2.0. */
  readonly isForLostKeys?: boolean;
}

export class MongoBuyerLinks implements BuyerLinks {
  readonly #database: MongoDatabase;
  readonly #links: Collection<LinkDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#links = database.collection('buyer_links');
  }

  async add({ digest, subject: entitlementId, ...members }: BuyerLink, call: Call): Promise<void> {
    const facts = { entitlementId, ...members };
    await this.#database.write(call, (session) =>
      this.#links.updateOne({ _id: digest }, { $setOnInsert: facts }, { upsert: true, session }),
    );
    const { isForLostKeys } = members;
    const filter = { entitlementId, isForLostKeys: isForLostKeys ? true : { $ne: true } };
    const sort = { createdAt: -1, _id: 1 };
    // Of several that add at once, the last one sees all links.
    const all = await this.#ids({ filter, sort, limit: 10 * maxLinks }, call);
    const oldest = all.slice(maxLinks);
    if (oldest.length === 0) return;
    await this.#database.write(call, (session) => this.#links.deleteMany({ _id: { $in: oldest } }, { session }));
  }

  async find(digest: string, call: Call): Promise<BuyerLink | null> {
    const query = { filter: { _id: digest }, limit: 1 };
    const [document] = await this.#database.find<LinkDocument>('buyer_links', query, call);
    if (document === undefined) return null;
    const { _id: found, entitlementId: subject, isForLostKeys = false, ...facts } = document;
    return { digest: found, subject, isForLostKeys, ...facts };
  }

  async removeAll(subject: string, call: Call): Promise<number> {
    // Sent once: a second deletion would find nothing, and report that nothing was removed.
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#links.deleteMany({ entitlementId: subject }, { session }),
    );
    return deletedCount;
  }

  async prune(end: Date, call: Call): Promise<number> {
    const ended = await this.#ids({ filter: { expiresAt: { $lte: end } }, limit: prunedLinks }, call);
    if (ended.length === 0) return 0;
    const { deletedCount } = await this.#database.writeOnce(call, (session) =>
      this.#links.deleteMany({ _id: { $in: ended } }, { session }),
    );
    return deletedCount;
  }

  async #ids(query: Query, call: Call): Promise<string[]> {
    const only = { ...query, projection: { _id: 1 } };
    const found = await this.#database.find<{ readonly _id: string }>('buyer_links', only, call);
    return found.map(({ _id }) => _id);
  }
}

import type { Collection, Document } from 'mongodb';
import type { Affiliate } from '../../../core/affiliate/affiliate.ts';
import type { Affiliates } from '../../../core/affiliate/affiliates.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { addressOf } from '../../../core/waitlist/sign-up.ts';
import { insertNew, replaceSeen } from '../driver/commands.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';

/** A document of `affiliates`, by handle. `address` is the e-mail address as `addressOf` normalizes it. */
export type AffiliateDocument = Omit<Affiliate, 'handle'> & { readonly _id: string; readonly address: string | null };

export function toAffiliateDocument({ handle: _id, ...members }: Affiliate): AffiliateDocument {
  return { _id, ...members, address: members.email && addressOf(members.email) };
}

export function fromAffiliateDocument({ _id: handle, address: _address, ...members }: AffiliateDocument): Affiliate {
  return { handle, ...members };
}

export class MongoAffiliates implements Affiliates {
  readonly #database: MongoDatabase;
  readonly #affiliates: Collection<AffiliateDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#affiliates = database.collection('affiliates');
  }

  async find(handle: string, call: Call): Promise<Affiliate | null> {
    return this.#findOne({ _id: handle }, call);
  }

  async findByAddress(email: string, call: Call): Promise<Affiliate | null> {
    return this.#findOne({ address: addressOf(email) }, call);
  }

  page(after: string | null, limit: number, call: Call): Promise<readonly Affiliate[]> {
    return this.#read({ filter: { _id: { $gt: after ?? '' } }, sort: { _id: 1 }, limit }, call);
  }

  async replace(seen: Affiliate | null, next: Affiliate, call: Call): Promise<ReplaceOutcome> {
    const document = toAffiliateDocument(next);
    const isReplaced =
      seen === null
        ? await insertNew(this.#database, 'affiliates', document, call)
        : await replaceSeen(this.#database, this.#affiliates, seen.revision, document, call);
    return { kind: isReplaced ? 'replaced' : 'stale' };
  }

  async #findOne(filter: Document, call: Call): Promise<Affiliate | null> {
    const [found = null] = await this.#read({ filter, limit: 1 }, call);
    return found;
  }

  async #read(query: Query, call: Call): Promise<readonly Affiliate[]> {
    return (await this.#database.find<AffiliateDocument>('affiliates', query, call)).map(fromAffiliateDocument);
  }
}

import type { Collection, Document } from 'mongodb';
import type { CaseKind, CasePlace, StripeCase, StripeCases } from '../../../core/billing/stripe-cases.port.ts';
import type { Call } from '../../../core/call.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';

/** A document of `stripe_cases`: a case under its sale and kind. */
type CaseDocument = { readonly _id: string; readonly sale: string } & Omit<StripeCase, 'id'>;

/** A sale has no more cases than there are kinds. */
const maxCases = 100;

export class MongoStripeCases implements StripeCases {
  readonly #database: MongoDatabase;
  readonly #cases: Collection<CaseDocument>;

  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#cases = database.collection('stripe_cases');
  }

  async find(id: string, call: Call): Promise<readonly StripeCase[]> {
    // The ids that begin with the id and a slash, which is followed by 0.
    const filter = { _id: { $gt: `${id}/`, $lt: `${id}0` } };
    const query = { filter, sort: { _id: 1 }, limit: maxCases };
    return (await this.#database.find<CaseDocument>('stripe_cases', query, call)).map(fromDocument);
  }

  async page(after: CasePlace | null, limit: number, call: Call): Promise<readonly StripeCase[]> {
    const filter = after === null ? {} : behind(after);
    const query = { filter, sort: { since: 1, sale: 1, kind: 1 }, limit };
    return (await this.#database.find<CaseDocument>('stripe_cases', query, call)).map(fromDocument);
  }

  async count(call: Call): Promise<ReadonlyMap<CaseKind, number>> {
    const pipeline = [{ $group: { _id: '$kind', count: { $sum: 1 } } }];
    const found = await this.#database.read(call, (session) =>
      this.#cases.aggregate<{ readonly _id: CaseKind; readonly count: number }>(pipeline, { session }).toArray(),
    );
    return new Map(found.map(({ _id, count }) => [_id, count]));
  }

  async put({ id, kind, since, ...facts }: StripeCase, call: Call): Promise<void> {
    const change = { $set: facts, $setOnInsert: { sale: id, kind, since } };
    await this.#database.write(call, (session) =>
      this.#cases.updateOne({ _id: keyOf(id, kind) }, change, { upsert: true, session }),
    );
  }

  async remove(id: string, kinds: readonly CaseKind[], call: Call): Promise<void> {
    const filter = { _id: { $in: kinds.map((kind) => keyOf(id, kind)) } };
    await this.#database.write(call, (session) => this.#cases.deleteMany(filter, { session }));
  }
}

function keyOf(id: string, kind: CaseKind): string {
  return `${id}/${kind}`;
}

function behind({ since, id: sale, kind }: CasePlace): Document {
  return {
    $or: [{ since: { $gt: since } }, { since, sale: { $gt: sale } }, { since, sale, kind: { $gt: kind } }],
  };
}

function fromDocument({ _id, sale, ...facts }: CaseDocument): StripeCase {
  return { id: sale, ...facts };
}

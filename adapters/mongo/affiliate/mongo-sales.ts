import type { Collection, Document } from 'mongodb';
import type { SaleEvent } from '../../../core/affiliate/sale/sale-event.ts';
import type { Sale } from '../../../core/affiliate/sale/sale.ts';
import type { LinePlace, Sales, SalesFilter, SalesPart } from '../../../core/affiliate/sale/sales.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase, Query } from '../driver/mongo-database.ts';
import {
  fromSaleDocument,
  toSaleDocument,
  toSaleOutboxEntry,
  withoutOutbox,
  type SaleDocument,
} from './sale-document.ts';

export class MongoSales implements Sales {
  readonly #database: MongoDatabase;
  readonly #onEvents: () => void;
  readonly #sales: Collection<SaleDocument>;

  /** `onEvents` is called after each write that has stored events. */
  constructor(database: MongoDatabase, onEvents: () => void) {
    this.#onEvents = onEvents;
    this.#database = database;
    this.#sales = database.collection('sales');
  }

  async find(entitlementId: string, call: Call): Promise<Sale | null> {
    const [sale = null] = await this.#read({ filter: { _id: entitlementId }, limit: 1 }, call);
    return sale;
  }

  async named(names: readonly string[], call: Call): Promise<readonly Sale[]> {
    if (names.length === 0) return [];
    // The server returns fewer if they exceed the 16 MB of a reply.
    const found = await this.#read({ filter: { id: { $in: names } }, limit: names.length }, call);
    const known = new Set(found.map(({ id }) => id));
    const left = found.length === 0 ? [] : names.filter((name) => !known.has(name));
    return left.length === 0 ? found : [...found, ...(await this.named(left, call))];
  }

  page({ after, limit, ...asked }: SalesPart, call: Call): Promise<readonly Sale[]> {
    const filter = after === null ? wanted(asked) : { ...wanted(asked), ...behind(after) };
    return this.#read({ filter, sort: { attributedAt: -1, id: -1 }, limit }, call);
  }

  async replace(seen: Sale | null, next: Sale, event: SaleEvent | null, call: Call): Promise<ReplaceOutcome> {
    const { _id, ...document } = toSaleDocument(next);
    const isReplaced =
      seen === null
        ? await insertNew(this.#database, 'sales', { _id, ...document, ...(event && outboxOf(event, call)) }, call)
        : await this.#update({ _id, revision: seen.revision }, document, call);
    if (isReplaced && event !== null) this.#onEvents();
    return { kind: isReplaced ? 'replaced' : 'stale' };
  }

  async #update(filter: Document, document: Omit<SaleDocument, '_id'>, call: Call): Promise<boolean> {
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#sales.updateOne(filter, { $set: document }, { session }),
    );
    return modifiedCount > 0;
  }

  toLookAt(until: Date, limit: number, call: Call): Promise<readonly Sale[]> {
    return this.#read({ filter: { lookAt: { $type: 'date', $lte: until } }, sort: { lookAt: 1 }, limit }, call);
  }

  withLines(
    asked: SalesFilter,
    until: Date,
    after: LinePlace | null,
    limit: number,
    call: Call,
  ): Promise<readonly Sale[]> {
    const filter = {
      ...wanted(asked),
      lineAt: { $type: 'date', $lte: until },
      ...(after !== null && behindLine(after)),
    };
    return this.#read({ filter, sort: { productId: 1, handle: 1, currency: 1, id: 1 }, limit }, call);
  }

  async #read(query: Query, call: Call): Promise<readonly Sale[]> {
    const read = { ...query, projection: withoutOutbox };
    return (await this.#database.find<SaleDocument>('sales', read, call)).map(fromSaleDocument);
  }
}

/** The event of a new sale waits in its document. */
function outboxOf(event: SaleEvent, { now }: Call): object {
  return { outbox: [toSaleOutboxEntry(event, now)] };
}

/** The condition of a filter, whose null is no condition. */
function wanted(filter: SalesFilter): Document {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
}

function behind({ attributedAt, id }: NonNullable<SalesPart['after']>): Document {
  return { $or: [{ attributedAt: { $lt: attributedAt } }, { attributedAt, id: { $lt: id } }] };
}

function behindLine({ productId, handle, currency, id }: LinePlace): Document {
  return {
    $or: [
      { productId: { $gt: productId } },
      { productId, handle: { $gt: handle } },
      { productId, handle, currency: { $gt: currency } },
      { productId, handle, currency, id: { $gt: id } },
    ],
  };
}

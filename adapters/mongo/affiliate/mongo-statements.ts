import type { Collection, Document } from 'mongodb';
import type { Chain } from '../../../core/affiliate/sale/sale.ts';
import type { StatementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import {
  chainOf,
  type ClosedStatement,
  type Statement,
  type StatementLine,
} from '../../../core/affiliate/statement/statement.ts';
import type { AddOutcome, Statements, StatementsPart } from '../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import { insertNew } from '../driver/commands.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { allFit, carryOutLines } from './carry-out-lines.ts';
import {
  fromStatementDocument,
  fromStoredLines,
  toClosedDocument,
  toStatementDocument,
  toStatementOutboxEntry,
  withoutLines,
  type ClosedDocument,
  type StatementDocument,
  type StatementOutboxEntry,
} from './statement-document.ts';

type StoredStatement = ClosedDocument & { readonly outbox?: readonly StatementOutboxEntry[] };

export class MongoStatements implements Statements {
  readonly #database: MongoDatabase;
  readonly #statements: Collection<StoredStatement>;
  readonly #onEvents: () => void;

  /** `onEvents` is called after each write that has stored events. */
  constructor(database: MongoDatabase, onEvents: () => void) {
    this.#database = database;
    this.#statements = database.collection('statements');
    this.#onEvents = onEvents;
  }

  async last(chain: Chain, call: Call): Promise<Statement | null> {
    const query = { filter: chainOf(chain), projection: { lines: 0, outbox: 0 }, sort: { number: -1 }, limit: 1 };
    const [last] = await this.#database.find<Omit<ClosedDocument, 'lines'>>('statements', query, call);
    if (last === undefined) return null;
    const { applied, ...document } = last;
    if (!applied) await carryOutLines(this.#database, document, call);
    return fromStatementDocument(document);
  }

  async find(id: string, call: Call): Promise<Statement | null> {
    const [statement = null] = await this.#read({ _id: id }, 1, call);
    return statement;
  }

  page({ productId, handle, month, state, after, limit }: StatementsPart, call: Call): Promise<readonly Statement[]> {
    const wanted = Object.entries({ productId, handle, month, state }).filter(([, value]) => value !== null);
    return this.#read({ ...Object.fromEntries(wanted), ...(after !== null && behind(after)) }, limit, call);
  }

  async lines(id: string, after: string | null, limit: number, call: Call): Promise<readonly StatementLine[]> {
    const query = { filter: { _id: id }, projection: { lines: 1 }, limit: 1 };
    const [found] = await this.#database.find<Pick<ClosedDocument, 'lines'>>('statements', query, call);
    const lines = fromStoredLines(found?.lines ?? []);
    return lines.slice(lines.findIndex(({ sale }) => sale === after) + 1).slice(0, limit);
  }

  async add(closed: ClosedStatement, event: StatementEvent, call: Call): Promise<AddOutcome> {
    if (!(await allFit(this.#database, closed, call))) return { kind: 'taken' };
    const document = toClosedDocument(closed, false);
    const outbox = [toStatementOutboxEntry(event, call.now)];
    if (!(await insertNew(this.#database, 'statements', { ...document, outbox }, call))) return { kind: 'taken' };
    this.#onEvents();
    await carryOutLines(this.#database, document, call);
    return { kind: 'added' };
  }

  async setPaid(seen: Statement, next: Statement, event: StatementEvent, call: Call): Promise<ReplaceOutcome> {
    const { _id, paid, state, revision } = toStatementDocument(next);
    const change = { $set: { paid, state, revision }, $push: { outbox: toStatementOutboxEntry(event, call.now) } };
    const { modifiedCount } = await this.#database.writeOnce(call, (session) =>
      this.#statements.updateOne({ _id, revision: seen.revision }, change, { session }),
    );
    if (modifiedCount === 0) return { kind: 'stale' };
    this.#onEvents();
    return { kind: 'replaced' };
  }

  async #read(filter: Document, limit: number, call: Call): Promise<readonly Statement[]> {
    const sort = { month: -1, handle: 1, productId: 1, currency: 1 };
    const query = { filter, projection: withoutLines, sort, limit };
    return (await this.#database.find<StatementDocument>('statements', query, call)).map(fromStatementDocument);
  }
}

function behind({ month, handle, productId, currency }: NonNullable<StatementsPart['after']>): Document {
  return {
    $or: [
      { month: { $lt: month } },
      { month, handle: { $gt: handle } },
      { month, handle, productId: { $gt: productId } },
      { month, handle, productId, currency: { $gt: currency } },
    ],
  };
}

import type { Document } from 'mongodb';
import { fits, withLine } from '../../../core/affiliate/statement/decide-statement.ts';
import { chainOf, type ClosedStatement } from '../../../core/affiliate/statement/statement.ts';
import type { Call } from '../../../core/call.ts';
import type { MongoDatabase } from '../driver/mongo-database.ts';
import { fromSaleDocument, toSaleDocument, type SaleDocument } from './sale-document.ts';
import type { ClosedDocument, StatementDocument } from './statement-document.ts';

/** Lines that are brought into their sales at once. The server returns fewer sales if they exceed the 16 MB of a reply. */
const batchSize = 200;

type Line = ClosedDocument['lines'][number];

/** Whether every sale is what its line says. It can change hands until the statement is stored: `store check` finds that. */
export async function allFit(
  database: MongoDatabase,
  { statement, lines }: ClosedStatement,
  call: Call,
): Promise<boolean> {
  const projection = { id: 1, stated: 1, productId: 1, handle: 1, currency: 1 };
  for (let start = 0; start < lines.length; start += batchSize) {
    const batch = lines.slice(start, start + batchSize);
    const query = { filter: { id: { $in: batch.map(({ sale }) => sale) } }, projection, limit: batchSize };
    const sales = await database.find<Pick<SaleDocument, keyof typeof projection>>('sales', query, call);
    const byName = new Map(sales.map((sale) => [sale.id, sale]));
    const doFit = batch.every((line) => {
      const sale = byName.get(line.sale);
      return sale !== undefined && fits(line, sale, statement);
    });
    if (!doFit) return false;
  }
  return true;
}

/**
 * Brings the lines of a statement into its sales, and then says so. Any number of processes may do so at the same time,
 * die, and come late: a line changes only a sale that has no line of this statement or a later one, as it was read.
 */
export async function carryOutLines(database: MongoDatabase, statement: StatementDocument, call: Call): Promise<void> {
  const { _id } = statement;
  const [stored] = await database.find<Pick<ClosedDocument, 'lines'>>(
    'statements',
    { filter: { _id }, projection: { lines: 1 }, limit: 1 },
    call,
  );
  const lines = stored?.lines ?? [];
  for (let start = 0; start < lines.length; start += batchSize)
    await carryOutBatch(database, statement, lines.slice(start, start + batchSize), call);
  await database.write(call, (session) =>
    database.collection<ClosedDocument>('statements').updateOne({ _id }, { $set: { applied: true } }, { session }),
  );
}

/** Carries out the lines that a process has left. Returns false if there may be more. */
export async function carryOutUnapplied(database: MongoDatabase, call: Call): Promise<boolean> {
  const query = { filter: { applied: false }, projection: { lines: 0, outbox: 0 }, limit: 1 };
  const [unapplied] = await database.find<StatementDocument>('statements', query, call);
  if (unapplied === undefined) return true;
  await carryOutLines(database, unapplied, call);
  return false;
}

async function carryOutBatch(
  database: MongoDatabase,
  statement: StatementDocument,
  lines: readonly Line[],
  call: Call,
): Promise<void> {
  const due = new Map(lines.map(([sale, , to]) => [sale, to]));
  const query = {
    filter: { id: { $in: [...due.keys()] }, ...chainOf(statement), statements: { $lt: statement.number } },
    limit: batchSize,
  };
  for (;;) {
    const found = await database.find<SaleDocument>('sales', query, call);
    if (found.length === 0) return;
    const updates = found.map((document) => updateOf(document, due.get(document.id) ?? 0, statement));
    await database.writeOnce(call, (session) =>
      database.collection<SaleDocument>('sales').bulkWrite(updates, { ordered: false, session }),
    );
  }
}

/** Changes what follows from the line, unless a look has written the sale meanwhile: then it is read again. */
function updateOf(document: SaleDocument, to: number, statement: StatementDocument): UpdateOfSale {
  const { _id, revision } = document;
  const next = toSaleDocument(withLine(fromSaleDocument(document), { to }, statement));
  const { stated, statements, statedUntil, lineAt } = next;
  const $set = { stated, statements, statedUntil, lineAt, revision: next.revision };
  return { updateOne: { filter: { _id, revision }, update: { $set } } };
}

interface UpdateOfSale {
  readonly updateOne: {
    readonly filter: { readonly _id: string; readonly revision: number };
    readonly update: Document;
  };
}

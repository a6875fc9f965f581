import type { Affiliates } from '../affiliate/affiliates.port.ts';
import type { Chain, Sale } from '../affiliate/sale/sale.ts';
import type { Sales } from '../affiliate/sale/sales.port.ts';
import { totalOf } from '../affiliate/statement/decide-statement.ts';
import { isOfChain, type Statement, type StatementLine } from '../affiliate/statement/statement.ts';
import { allStatements, type Statements } from '../affiliate/statement/statements.port.ts';
import type { NewCall } from '../call.ts';
import { walk } from '../paging/walk.ts';
import type { EventFaults } from './event-faults.ts';

export interface StatementCheckParts {
  readonly affiliates: Pick<Affiliates, 'find'>;
  readonly sales: Pick<Sales, 'named' | 'page'>;
  readonly statements: Pick<Statements, 'last' | 'lines' | 'page'>;
}

/** Lines and sales that are read at once. */
const sliceSize = 200;

/**
 * Checks that the statements of each chain add up, that each line continues where the one before it ended, and that
 * each sale agrees with its last line. Returns the number of statements. Statements that are closed meanwhile are left
 * out.
 */
export async function checkStatements(
  parts: StatementCheckParts,
  faults: EventFaults,
  newCall: NewCall,
): Promise<number> {
  const walked = walk<Statement>(
    (after, limit, call) => parts.statements.page({ ...allStatements, after, limit }, call),
    newCall,
  );
  const all = (await Array.fromAsync(walked)).toSorted((a, b) => a.number - b.number);
  const lastTo = new Map<string, StatementLine['to']>();
  const chains = Map.groupBy(all, nameOfChain);
  for (const chain of chains.values()) {
    const [first] = chain;
    // It finishes the work that a process has left.
    if (first !== undefined) await parts.statements.last(first, newCall());
    for (const [index, statement] of chain.entries()) {
      checkSums(statement, chain[index - 1] ?? null, faults);
      await checkLines(parts, statement, lastTo, faults, newCall);
    }
  }
  for (const handle of new Set(all.map((statement) => statement.handle))) {
    if ((await parts.affiliates.find(handle, newCall())) === null)
      faults.add(`Statements are of the affiliate ${handle}, who does not exist.`);
  }
  const newest = new Map([...chains].map(([name, chain]) => [name, chain.length] as const));
  await checkSales(parts, lastTo, newest, faults, newCall);
  return all.length;
}

function nameOfChain({ productId, handle, currency }: Chain): string {
  return `${productId} ${handle} ${currency}`;
}

function checkSums(statement: Statement, before: Statement | null, faults: EventFaults): void {
  const { id, number, month, opening, total, balance } = statement;
  const expected = (before?.number ?? 0) + 1;
  if (number !== expected) faults.add(`Statement ${id} has the number ${number}, where ${expected} is expected.`);
  if (before !== null && before.month >= month)
    faults.add(`Statement ${id} is of no later month than the one before it.`);
  const carried = Math.min(before?.balance ?? 0, 0);
  if (opening !== carried) faults.add(`Statement ${id} begins with ${opening}, but ${carried} was carried over.`);
  if (balance !== opening + total)
    faults.add(`Statement ${id} has the balance ${balance}, which is not ${opening + total}.`);
}

async function checkLines(
  { statements, sales }: StatementCheckParts,
  statement: Statement,
  lastTo: Map<string, number>,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const { id, lineCount, total } = statement;
  const all: StatementLine[] = [];
  for (;;) {
    const lines = await statements.lines(id, all.at(-1)?.sale ?? null, sliceSize, newCall());
    all.push(...lines);
    const names = lines.map(({ sale }) => sale);
    const found = new Map((await sales.named(names, newCall())).map((sale) => [sale.id, sale]));
    for (const line of lines) {
      const sale = found.get(line.sale);
      if (sale === undefined || !isOfChain(sale, statement))
        faults.add(`Statement ${id} has a line of ${line.sale}, which is no sale of the affiliate for the product.`);
      const from = lastTo.get(line.sale) ?? 0;
      if (line.from !== from)
        faults.add(`Statement ${id} states ${line.sale} from ${line.from} on, but it ended at ${from}.`);
      lastTo.set(line.sale, line.to);
    }
    if (lines.length < sliceSize) break;
  }
  if (all.length !== lineCount || totalOf(all) !== total)
    faults.add(`Statement ${id} says ${lineCount} lines and ${total}, but has ${all.length} and ${totalOf(all)}.`);
}

async function checkSales(
  { sales }: StatementCheckParts,
  lastTo: ReadonlyMap<string, number>,
  newest: ReadonlyMap<string, number>,
  faults: EventFaults,
  newCall: NewCall,
): Promise<void> {
  const filter = { productId: null, handle: null, currency: null };
  const all = walk<Sale>((after, limit, call) => sales.page({ ...filter, after, limit }, call), newCall);
  for await (const sale of all) {
    const { id, stated, statements } = sale;
    // It has a line of a statement that was closed meanwhile.
    if (statements > (newest.get(nameOfChain(sale)) ?? 0)) continue;
    const to = lastTo.get(id) ?? 0;
    if (stated !== to) faults.add(`Sale ${id} says that ${stated} is stated, but its statements say ${to}.`);
  }
}

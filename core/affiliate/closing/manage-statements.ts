import type { Call, NewCall } from '../../call.ts';
import { untilStored } from '../../compare-and-set.ts';
import type { NewId } from '../../identifier.ts';
import { cursorAt, positionIn, textIn } from '../../paging/cursor.ts';
import { pageOf, type Page, type PageRequest } from '../../paging/page.ts';
import { walk } from '../../paging/walk.ts';
import { Refusal } from '../../refusal.ts';
import type { Affiliate } from '../affiliate.ts';
import type { Affiliates } from '../affiliates.port.ts';
import type { Sale } from '../sale/sale.ts';
import type { Sales } from '../sale/sales.port.ts';
import { paidStatement, unpaidStatement, type PaidAsked } from '../statement/decide-statement.ts';
import { statementEvent } from '../statement/statement-event.ts';
import type { Statement, StatementLine } from '../statement/statement.ts';
import type { StatementFilter, StatementPlace, Statements } from '../statement/statements.port.ts';

/** Lists statements: the newest month first, then by affiliate, product and currency. Refuses with `invalid_parameter`. */
export type ListStatements = (filter: StatementFilter, page: PageRequest, call: Call) => Promise<Page<Statement>>;

export function listStatements(statements: Pick<Statements, 'page'>): ListStatements {
  return async (filter, page, call) => {
    const { productId, handle, month, state } = filter;
    const list = ['statements', productId, handle, month, state] as const;
    const after = page.after === null ? null : placeIn(positionIn(list, page.after));
    const found = await statements.page({ ...filter, after, limit: page.limit + 1 }, call);
    return pageOf(found, page, (last) => cursorAt(list, [last.month, last.handle, last.productId, last.currency]));
  };
}

function placeIn([month, handle = '', productId = '', currency = '']: readonly [string, ...string[]]): StatementPlace {
  return { month, handle, productId, currency };
}

/** Reads all statements, in the same order. */
export type EveryStatement = (filter: StatementFilter, newCall: NewCall) => AsyncIterable<Statement>;

export function everyStatement(statements: Pick<Statements, 'page'>): EveryStatement {
  return (filter, newCall) =>
    walk<Statement>((after, limit, call) => statements.page({ ...filter, after, limit }, call), newCall);
}

/** A statement, and whom it is owed to, as she is now. Null if the caller does not know her. */
export interface StatementShown {
  readonly statement: Statement;
  readonly affiliate: Affiliate | null;
}

/** Reads a statement. Refuses with `statement_not_found`. */
export type ShowStatement = (id: string, call: Call) => Promise<StatementShown>;

export function showStatement(
  statements: Pick<Statements, 'find'>,
  affiliates: Pick<Affiliates, 'find'>,
): ShowStatement {
  return async (id, call) => {
    const statement = await existing(statements, id, call);
    return { statement, affiliate: await affiliates.find(statement.handle, call) };
  };
}

/** A line, and its sale as it is now. */
export interface ShownLine extends StatementLine {
  readonly amount: number;
  readonly of: Sale | null;
}

/** Lists the lines of a statement, by the name of the sale. Refuses with `statement_not_found` and `invalid_parameter`. */
export type ListLines = (id: string, page: PageRequest, call: Call) => Promise<Page<ShownLine>>;

interface LinePorts {
  readonly statements: Pick<Statements, 'find' | 'lines'>;
  readonly sales: Pick<Sales, 'named'>;
}

export function listLines(ports: LinePorts): ListLines {
  return async (id, page, call) => {
    const list = ['statement lines', id] as const;
    const after = textIn(list, page.after);
    await existing(ports.statements, id, call);
    const found = await shownLines(ports, id, after, page.limit + 1, call);
    return pageOf(found, page, ({ sale }) => cursorAt(list, [sale]));
  };
}

/** Reads all lines of a statement, in the same order. Refuses with `statement_not_found`. */
export type EveryLine = (id: string, newCall: NewCall) => AsyncIterable<ShownLine>;

export function everyLine(ports: LinePorts): EveryLine {
  return async function* (id, newCall) {
    await existing(ports.statements, id, newCall());
    yield* walk<ShownLine>((after, limit, call) => shownLines(ports, id, after?.sale ?? null, limit, call), newCall);
  };
}

async function shownLines(
  { statements, sales }: LinePorts,
  id: string,
  after: string | null,
  limit: number,
  call: Call,
): Promise<readonly ShownLine[]> {
  const lines = await statements.lines(id, after, limit, call);
  const found = await sales.named(
    lines.map(({ sale }) => sale),
    call,
  );
  const byName = new Map(found.map((sale) => [sale.id, sale]));
  return lines.map((line) => ({ ...line, amount: line.to - line.from, of: byName.get(line.sale) ?? null }));
}

/** The statement as a change leaves it, and whether it has changed. */
export interface ChangedStatement {
  readonly statement: Statement;
  readonly changed: boolean;
}

/**
 * Records that a statement was paid; Latchkey moves no money. The same again changes nothing. Refuses with
 * `statement_not_found`, `statement_paid`, `nothing_to_pay` and `changed_meanwhile`, and with `invalid_body` for a payment
 * that is later than now.
 */
export type PayStatement = (id: string, paid: PaidAsked, call: Call) => Promise<ChangedStatement>;

export function payStatement(statements: Pick<Statements, 'find' | 'setPaid'>, newEventId: NewId): PayStatement {
  return async (id, paid, call) => {
    if (paid.at !== null && paid.at > call.now)
      throw new Refusal('invalid_body', { message: 'at must not be later than now.' });
    return change(statements, newEventId, id, call, (statement) => {
      const next = paidStatement(statement, paid, call);
      if (next === 'nothing to pay') throw new Refusal('nothing_to_pay');
      if (next === 'paid otherwise') throw new Refusal('statement_paid');
      return next;
    });
  };
}

/** Takes the record that a statement was paid away. Refuses with `statement_not_found` and `changed_meanwhile`. */
export type UnpayStatement = (id: string, call: Call) => Promise<ChangedStatement>;

export function unpayStatement(statements: Pick<Statements, 'find' | 'setPaid'>, newEventId: NewId): UnpayStatement {
  return (id, call) => change(statements, newEventId, id, call, unpaidStatement);
}

function change(
  statements: Pick<Statements, 'find' | 'setPaid'>,
  newEventId: NewId,
  id: string,
  call: Call,
  decide: (statement: Statement) => Statement,
): Promise<ChangedStatement> {
  return untilStored(call, async () => {
    const seen = await existing(statements, id, call);
    const next = decide(seen);
    if (next === seen) return { statement: seen, changed: false };
    const { kind } = await statements.setPaid(seen, next, statementEvent(next, call, newEventId), call);
    return kind === 'stale' ? 'stale' : { statement: next, changed: true };
  });
}

async function existing(statements: Pick<Statements, 'find'>, id: string, call: Call): Promise<Statement> {
  const statement = await statements.find(id, call);
  if (statement === null) throw new Refusal('statement_not_found');
  return statement;
}

import type { Call } from '../../call.ts';
import { requireTrust, type TrustsClock } from '../../clock/clock-trust.ts';
import { untilStored } from '../../compare-and-set.ts';
import type { NewId } from '../../identifier.ts';
import { Refusal } from '../../refusal.ts';
import type { Digest } from '../../secret.ts';
import { lineAt } from '../sale/commission.ts';
import type { Chain, Sale } from '../sale/sale.ts';
import type { LinePlace, Sales } from '../sale/sales.port.ts';
import { decideClosing } from '../statement/decide-statement.ts';
import { endOfMonth, isOver, type Month } from '../statement/month.ts';
import { statementEvent } from '../statement/statement-event.ts';
import { chainOf, type Statement } from '../statement/statement.ts';
import type { Statements } from '../statement/statements.port.ts';

/** A month of all products and affiliates, or of one. */
export interface MonthAsked {
  readonly month: Month;
  readonly productId: string | null;
  readonly handle: string | null;
}

export interface ClosedMonth {
  readonly closed: readonly Statement[];
  /** Whether there may be others: the same call closes them. */
  readonly more: boolean;
}

interface Ports {
  readonly sales: Pick<Sales, 'withLines'>;
  readonly statements: Statements;
}

export interface ClosingParts extends Ports {
  readonly trustsClock: TrustsClock;
  readonly digest: Digest;
  readonly newEventId: NewId;
}

/** Statements of one call: a second or two of work. */
const maxClosed = 100;

/** Sales of a chain that are read at once. */
const sliceSize = 200;

/** Sorts after the name of every sale. */
const lastName = '~';

/**
 * Closes a month: a statement for each chain that has a line, at most 100 of them. Repeated, it closes what is left, and
 * then nothing. Refuses with `month_not_over`, and with `clock_not_trusted`, because a statement never changes.
 */
export type CloseStatements = (asked: MonthAsked, call: Call) => Promise<ClosedMonth>;

export function closeStatements(parts: ClosingParts): CloseStatements {
  return async (asked, call) => {
    await requireTrust(
      parts.trustsClock,
      call,
      'The clock of the service is in doubt, so it closes no month. Repeat the request.',
    );
    if (!isOver(asked.month, call.now)) throw new Refusal('month_not_over');
    const time = call.deadline.remaining();
    const closed: Statement[] = [];
    for await (const chain of openChains(parts, asked, call)) {
      const isLate = closed.length > 0 && call.deadline.remaining() < time / 2;
      if (closed.length === maxClosed || isLate) return { closed, more: true };
      const statement = await closeChain(parts, chain, asked.month, call);
      if (statement !== null) closed.push(statement);
    }
    return { closed, more: false };
  };
}

function closeChain(parts: ClosingParts, chain: Chain, month: Month, call: Call): Promise<Statement | null> {
  const { sales, statements, digest, newEventId } = parts;
  return untilStored(call, async () => {
    // After this call, the sales contain the lines of the last statement.
    const last = await statements.last(chain, call);
    const known = { chain, last, sales: await salesOf(sales, chain, endOfMonth(month), call) };
    const closing = decideClosing(known, month, call, digest);
    if (closing.kind !== 'closed') return null;
    const event = statementEvent(closing.statement, call, newEventId);
    const { kind } = await statements.add(closing, event, call);
    return kind === 'added' ? closing.statement : 'stale';
  });
}

/** Every sale of a chain that may have a line. */
async function salesOf(sales: Ports['sales'], chain: Chain, until: Date, call: Call): Promise<readonly Sale[]> {
  const found: Sale[] = [];
  for (;;) {
    const slice = await sales.withLines(chain, until, found.at(-1) ?? null, sliceSize, call);
    found.push(...slice);
    if (slice.length < sliceSize) return found;
  }
}

/** The chains that may have a line in a month and no statement of it or of a later one. */
async function* openChains(
  { sales, statements }: Ports,
  { month, productId, handle }: MonthAsked,
  call: Call,
): AsyncGenerator<Chain, void, undefined> {
  const filter = { productId, handle, currency: null };
  let after: LinePlace | null = null;
  for (;;) {
    const [first]: readonly Sale[] = await sales.withLines(filter, endOfMonth(month), after, 1, call);
    if (first === undefined) return;
    const chain = chainOf(first);
    after = { ...chain, id: lastName };
    const last = await statements.last(chain, call);
    if (last === null || last.month < month) yield chain;
  }
}

/** The counts of what a closing would find now. */
export interface OpenMonth {
  /** The number of affiliates, and of statements. If `isAll` is false, there are more. */
  readonly affiliates: number;
  readonly statements: number;
  readonly isAll: boolean;
  /**
   * The number of sales, up to the limit, that are left for a later month because no look has confirmed their payments
   * since a hold ended. Null for a caller who does not reach every product: it is only known for all products together.
   */
  readonly waiting: number | null;
}

/**
 * Counts what is to be closed in a month for all products and affiliates: at most `limit` statements, and at most
 * `limit` sales that wait.
 */
export type CountOpen = (month: Month, limit: number, call: Call) => Promise<OpenMonth>;

interface CountingPorts {
  readonly sales: Pick<Sales, 'withLines' | 'toLookAt'>;
  readonly statements: Statements;
}

export function countOpen(ports: CountingPorts): CountOpen {
  return async (month, limit, call) => {
    const handles = new Set<string>();
    const until = endOfMonth(month);
    const waiting = await countWaiting(ports, until, limit, call);
    let count = 0;
    for await (const chain of openChains(ports, { month, productId: null, handle: null }, call)) {
      if (count === limit) return { affiliates: handles.size, statements: count, isAll: false, waiting };
      const sales = await ports.sales.withLines(chain, until, null, sliceSize, call);
      if (!sales.some((sale) => lineAt(sale, until) !== 0)) continue;
      count += 1;
      handles.add(chain.handle);
    }
    return { affiliates: handles.size, statements: count, isAll: true, waiting };
  };
}

async function countWaiting({ sales }: CountingPorts, until: Date, limit: number, call: Call): Promise<number | null> {
  if (call.products !== null) return null;
  const found = await sales.toLookAt(until, limit, call);
  // Sales that no look has seen yet are found whatever their date.
  return found.filter(({ attributedAt }) => attributedAt < until).length;
}

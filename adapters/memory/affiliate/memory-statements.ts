import type { Chain, Sale } from '../../../core/affiliate/sale/sale.ts';
import { fits, withLine } from '../../../core/affiliate/statement/decide-statement.ts';
import type { StatementEvent } from '../../../core/affiliate/statement/statement-event.ts';
import {
  isOfChain,
  stateOf,
  type ClosedStatement,
  type Statement,
  type StatementLine,
} from '../../../core/affiliate/statement/statement.ts';
import {
  compareStatementPlaces,
  type AddOutcome,
  type Statements,
  type StatementsPart,
} from '../../../core/affiliate/statement/statements.port.ts';
import type { Call } from '../../../core/call.ts';
import type { ReplaceOutcome } from '../../../core/compare-and-set.ts';
import type { MemoryStore } from '../data/memory-store.ts';
import { appendEvents } from '../event/memory-events.ts';

export class MemoryStatements implements Statements {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async last(chain: Chain): Promise<Statement | null> {
    return this.#all().findLast((statement) => isOfChain(statement, chain)) ?? null;
  }

  async find(id: string): Promise<Statement | null> {
    return this.#store.statements.get(id)?.statement ?? null;
  }

  async page({ productId, handle, month, state, after, limit }: StatementsPart): Promise<readonly Statement[]> {
    return this.#all()
      .filter(
        (statement) =>
          (productId === null || statement.productId === productId) &&
          (handle === null || statement.handle === handle) &&
          (month === null || statement.month === month) &&
          (state === null || stateOf(statement) === state) &&
          (after === null || compareStatementPlaces(statement, after) > 0),
      )
      .toSorted(compareStatementPlaces)
      .slice(0, limit);
  }

  async lines(id: string, after: string | null, limit: number): Promise<readonly StatementLine[]> {
    const lines = this.#store.statements.get(id)?.lines ?? [];
    return lines.slice(lines.findIndex(({ sale }) => sale === after) + 1).slice(0, limit);
  }

  async add(closed: ClosedStatement, event: StatementEvent, call: Call): Promise<AddOutcome> {
    const { statements, sales } = this.#store;
    const { statement, lines } = closed;
    if (statements.has(statement.id)) return { kind: 'taken' };
    const byName = new Map([...sales.values()].map((sale) => [sale.id, sale]));
    const next: Sale[] = [];
    for (const line of lines) {
      const sale = byName.get(line.sale);
      if (sale === undefined || !fits(line, sale, statement)) return { kind: 'taken' };
      next.push(withLine(sale, line, statement));
    }
    for (const sale of next) sales.set(sale.entitlementId, sale);
    statements.set(statement.id, closed);
    appendEvents(this.#store, statement.productId, [event], call.now);
    return { kind: 'added' };
  }

  async setPaid(seen: Statement, next: Statement, event: StatementEvent, call: Call): Promise<ReplaceOutcome> {
    const stored = this.#store.statements.get(next.id);
    if (stored?.statement.revision !== seen.revision) return { kind: 'stale' };
    this.#store.statements.set(next.id, { ...stored, statement: next });
    appendEvents(this.#store, next.productId, [event], call.now);
    return { kind: 'replaced' };
  }

  /** In the order in which they were closed. */
  #all(): readonly Statement[] {
    return [...this.#store.statements.values()].map(({ statement }) => statement);
  }
}

import { expect } from 'chai';
import { nodePlatform } from '../../../app/service/platform.ts';
import { administrationOf } from '../../../core/administration/administration.ts';
import type { Payment } from '../../../core/affiliate/sale/sale.ts';
import type { Terms } from '../../../core/affiliate/sale/terms.ts';
import { lastMonthOver, type Month } from '../../../core/affiliate/statement/month.ts';
import type { StatementLine } from '../../../core/affiliate/statement/statement.ts';
import { allStatements } from '../../../core/affiliate/statement/statements.port.ts';
import type { StorePorts } from '../../../core/store/store.port.ts';
import { aCall, day } from '../builders.ts';

/** A sale of an affiliate by the facts of a shop, with terms that pay for every payment. */
export interface SoldFacts {
  readonly sale: string;
  readonly handle: string;
  readonly terms: Pick<Terms, 'commissionPercent' | 'holdDays'>;
  readonly isVoid: boolean;
  readonly payments: readonly Payment[];
}

/** Closes the last month that is over, until nothing is left. */
export async function closeLastMonth(ports: StorePorts, now: Date): Promise<void> {
  const { closeStatements } = administrationOf(ports, nodePlatform, { trustsClock: () => true });
  const asked = { month: lastMonthOver(now), productId: null, handle: null };
  for (let more = true; more;) ({ more } = await closeStatements(asked, aCall({ now, by: 'operator:opk_1' })));
}

/** The statements of a store as they were first read, which they have to remain. */
export class StatedMonths {
  readonly #ports: Pick<StorePorts, 'statements'>;
  readonly #first = new Map<string, string>();
  readonly #totals = new Map<string, number>();
  readonly #stated = new Map<string, number>();
  /** Of each payment, the most that was kept at the end of its hold or later. */
  readonly #most = new Map<string, number>();

  constructor(ports: Pick<StorePorts, 'statements'>) {
    this.#ports = ports;
  }

  /** Notes what is kept of payments after each step of a history. */
  note(payments: readonly Payment[], { holdDays }: Pick<Terms, 'holdDays'>, now: Date): void {
    for (const { id, paidAt, kept } of payments) {
      const isHeld = now.getTime() <= paidAt.getTime() + holdDays * day;
      this.#most.set(id, isHeld ? kept : Math.max(kept, this.#most.get(id) ?? 0));
    }
  }

  /**
   * Reads all statements once a month was closed. What went back within its hold is in none. If everything was looked at
   * before, those of the month have the lines that the facts of the shop ask for.
   */
  async read(month: Month, sold: readonly SoldFacts[], isLookedAt: boolean): Promise<void> {
    const expected = this.#linesOf(sold, month);
    const all = await this.#ports.statements.page({ ...allStatements, after: null, limit: 1000 }, aCall());
    const found: string[] = [];
    for (const statement of all.toReversed()) {
      const lines = await this.#ports.statements.lines(statement.id, null, 1000, aCall());
      const text = JSON.stringify([statement, lines]);
      const first = this.#first.get(statement.id);
      if (first === undefined) {
        const { handle, total } = statement;
        expect(lines.reduce((sum, { from, to }) => sum + to - from, 0)).to.equal(total);
        this.#totals.set(handle, (this.#totals.get(handle) ?? 0) + total);
        for (const line of lines) this.#take(line, sold);
      } else expect(text).to.equal(first);
      this.#first.set(statement.id, text);
      if (statement.month === month) found.push(...lines.map((line) => lineText(statement.handle, line)));
    }
    expect(all).to.have.length(this.#first.size);
    if (isLookedAt) expect(found.toSorted()).to.deep.equal(expected);
  }

  /** Expects that the statements of each affiliate have the commission of what is kept, no more and no less. */
  expectAll(sold: readonly SoldFacts[]): void {
    for (const [handle, own] of Map.groupBy(sold, (each) => each.handle)) {
      const kept = own.reduce((sum, each) => sum + dueOf(each, Infinity), 0);
      expect(this.#totals.get(handle) ?? 0, handle).to.equal(kept);
    }
  }

  #take({ sale, from, to }: StatementLine, all: readonly SoldFacts[]): void {
    expect(from, sale).to.equal(this.#stated.get(sale) ?? 0);
    const sold = all.find((each) => each.sale === sale);
    const payments = sold?.payments.map((each) => ({ ...each, kept: this.#most.get(each.id) ?? 0 })) ?? [];
    const most = sold === undefined ? 0 : dueOf({ ...sold, payments, isVoid: false }, Infinity);
    expect(to, sale).to.be.at.most(most);
    this.#stated.set(sale, to);
  }

  #linesOf(sold: readonly SoldFacts[], month: Month): readonly string[] {
    const [year = 0, number = 0] = month.split('-').map(Number);
    return sold
      .map((each) => ({ ...each, from: this.#stated.get(each.sale) ?? 0, to: dueOf(each, Date.UTC(year, number)) }))
      .filter(({ from, to }) => from !== to)
      .map((each) => lineText(each.handle, each))
      .toSorted();
  }
}

function lineText(handle: string, { sale, from, to }: StatementLine): string {
  return `${handle} ${sale} ${from} ${to}`;
}

/** The commission of what is kept of the payments whose hold has ended by then. */
function dueOf({ terms, isVoid, payments }: SoldFacts, until: number): number {
  if (isVoid) return 0;
  const due = payments.filter(({ paidAt }) => paidAt.getTime() + terms.holdDays * day <= until);
  return due.reduce((sum, { kept }) => sum + Math.floor((kept * terms.commissionPercent) / 10_000), 0);
}

import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { saleSources } from '../../core/affiliate/sale/sale.ts';
import type { Sales } from '../../core/affiliate/sale/sales.port.ts';
import type { Call } from '../../core/call.ts';
import { hour } from '../../core/parsing/duration.ts';

/** The maximum number of sales that the gauge counts. */
const maxCounted = 1000;

/** Counts the sales that affiliates have brought, and shows those whose payments nothing confirms. */
export class SaleMetrics {
  readonly #counter: Counter<'by'>;
  readonly #unconfirmed: Gauge;
  readonly #sales: Pick<Sales, 'toLookAt'>;

  constructor(sales: Pick<Sales, 'toLookAt'>, registry: Registry) {
    const registers = [registry];
    this.#sales = sales;
    this.#counter = new Counter({
      name: 'latchkey_sales_total',
      help: `Sales that affiliates have brought, by what has told it (${saleSources.join(', ')}).`,
      labelNames: ['by'],
      registers,
    });
    for (const by of saleSources) this.#counter.inc({ by }, 0);
    const help = `Sales with a payment whose hold has ended for an hour and that no look has confirmed; at most ${maxCounted}.`;
    this.#unconfirmed = new Gauge({ name: 'latchkey_sales_unconfirmed', help, registers });
  }

  /** The same port, which counts each new sale that it stores. */
  counting(sales: Sales): Sales {
    return {
      find: sales.find.bind(sales),
      named: sales.named.bind(sales),
      page: sales.page.bind(sales),
      toLookAt: sales.toLookAt.bind(sales),
      withLines: sales.withLines.bind(sales),
      replace: async (seen, next, ...others) => {
        const outcome = await sales.replace(seen, next, ...others);
        if (seen === null && outcome.kind === 'replaced') this.#counter.inc({ by: next.by });
        return outcome;
      },
    };
  }

  /** Reads the value of the store. It stays as it was if it cannot be read. */
  async refresh(call: Call): Promise<void> {
    const until = new Date(call.now.getTime() - hour);
    const due = await this.#sales.toLookAt(until, maxCounted, call).catch(() => null);
    if (due !== null) this.#unconfirmed.set(due.length);
  }
}

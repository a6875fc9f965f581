import type { Call } from '../../../../core/call.ts';
import { maxPageSize } from '../../../../core/paging/page.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { operatorNames } from '../events/actors.ts';
import { goTo, shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { KeptReading } from '../frame/kept-reading.ts';
import { consolePath, firstPage } from '../frame/navigation.ts';
import { affiliatesToDo } from './affiliates-to-do.ts';
import { overviewPage } from './overview-page.ts';
import { salesToDo } from './sales-to-do.ts';
import { statementsToDo } from './statements-to-do.ts';
import type { Todo } from './todo-list.ts';

/** The first page of the console. A key that may not read goes on to the first page that it may see. */
export function overviewRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { administration, isWritable } = parts;
  const kept = new KeptReading(administration.showOverview);
  const ofAffiliates = new KeptReading(async (call) => {
    const todos = await Promise.all([affiliatesToDo(administration, call), statementsToDo(administration, call)]);
    return todos.flat();
  });
  return [
    {
      id: 'consoleOverview',
      method: 'GET',
      path: consolePath,
      access: null,
      handle: async (request) => {
        const { call, view } = request;
        const first = firstPage(view);
        if (first === null) throw new Refusal('insufficient_scope', { scope: 'admin:read' });
        if (first !== consolePath) return goTo(first);
        const [overview, canBeWritten, sales, affiliates] = await Promise.all([
          kept.read(call),
          isWritable(call),
          view.isLimited ? [] : readSales(parts, call, view.now),
          view.may('admin:affiliates') ? ofAffiliates.read(call) : [],
        ]);
        const actors = overview.changes.map(({ event }) => event.by);
        const names = await operatorNames(administration, actors, request);
        return shown(overviewPage(overview, names, [...sales, ...affiliates], canBeWritten, view));
      },
    },
  ];
}

/** The sales at Stripe that need a person. They are those of the owner of the service. */
async function readSales(
  { administration, stripePage }: ConsoleParts,
  call: Call,
  now: Date,
): Promise<readonly Todo[]> {
  const [cases, counts] = await Promise.all([
    administration.listStripeCases({ after: null, limit: maxPageSize }, call),
    administration.countStripeCases(call),
  ]);
  const products = new Map<string, string>();
  if (counts.get('several_products') === 1) {
    for await (const { price, productId } of administration.everyPrice(() => call)) products.set(price, productId);
  }
  const productOf = (price: string): string | null => products.get(price) ?? null;
  return salesToDo(cases.items, counts, { stripePage, productOf }, now);
}

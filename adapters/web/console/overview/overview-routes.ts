import { maxPageSize } from '../../../../core/paging/page.ts';
import { operatorNames } from '../events/actors.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { KeptReading } from '../frame/kept-reading.ts';
import { consolePath } from '../frame/navigation.ts';
import { overviewPage } from './overview-page.ts';
import { salesToDo } from './sales-to-do.ts';

/** The first page of the console. */
export function overviewRoutes({ administration, isWritable, stripePage }: ConsoleParts): readonly ConsoleRoute[] {
  const kept = new KeptReading(administration.showOverview);
  return [
    {
      id: 'consoleOverview',
      method: 'GET',
      path: consolePath,
      access: 'admin:read',
      handle: async (request) => {
        const { call, view } = request;
        const [overview, canBeWritten, cases, counts] = await Promise.all([
          kept.read(call),
          isWritable(call),
          administration.listStripeCases({ after: null, limit: maxPageSize }, call),
          administration.countStripeCases(call),
        ]);
        const sales = salesToDo(cases.items, counts, stripePage, view.now);
        const actors = overview.changes.map(({ event }) => event.by);
        const names = await operatorNames(administration, actors, request);
        return shown(overviewPage(overview, names, sales, canBeWritten, view));
      },
    },
  ];
}

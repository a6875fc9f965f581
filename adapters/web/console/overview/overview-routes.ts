import { operatorNames } from '../events/actors.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { KeptReading } from '../frame/kept-reading.ts';
import { consolePath } from '../frame/navigation.ts';
import { overviewPage } from './overview-page.ts';

/** The first page of the console. */
export function overviewRoutes({ administration, isWritable }: ConsoleParts): readonly ConsoleRoute[] {
  const kept = new KeptReading(administration.showOverview);
  return [
    {
      id: 'consoleOverview',
      method: 'GET',
      path: consolePath,
      access: 'admin:read',
      handle: async (request) => {
        const { call, view } = request;
        const [overview, canBeWritten] = await Promise.all([kept.read(call), isWritable(call)]);
        const actors = overview.changes.map(({ event }) => event.by);
        const names = await operatorNames(administration, actors, request);
        return shown(overviewPage(overview, names, canBeWritten, view));
      },
    },
  ];
}

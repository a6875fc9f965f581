import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { consolePath } from '../frame/navigation.ts';
import { keptOverview } from './kept-overview.ts';
import { overviewPage } from './overview-page.ts';

/** The first page of the console. */
export function overviewRoutes({ administration, isWritable }: ConsoleParts): readonly ConsoleRoute[] {
  const showOverview = keptOverview(administration.showOverview);
  return [
    {
      id: 'showOverview',
      method: 'GET',
      path: consolePath,
      access: 'admin:read',
      handle: async ({ call, view }) => {
        const [overview, canBeWritten] = await Promise.all([showOverview(call), isWritable(call)]);
        return shown(overviewPage(overview, canBeWritten, view));
      },
    },
  ];
}

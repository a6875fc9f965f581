import type { Call } from '../../../../core/call.ts';
import type { Overview, ShowOverview } from '../../../../core/overview/show-overview.ts';
import { operatorNames } from '../events/actors.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { consolePath } from '../frame/navigation.ts';
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
      handle: async (request) => {
        const { call, view } = request;
        const [overview, canBeWritten] = await Promise.all([showOverview(call), isWritable(call)]);
        const actors = overview.changes.map(({ event }) => event.by);
        const names = await operatorNames(administration, actors, request);
        return shown(overviewPage(overview, names, canBeWritten, view));
      },
    },
  ];
}

const maxAge = 60_000;

/** Reads the overview at most once a minute, for all who look at it. A failure is not kept. */
function keptOverview(read: ShowOverview): ShowOverview {
  let kept: { readonly at: Date; readonly overview: Promise<Overview> } | null = null;
  return (call: Call) => {
    const age = kept === null ? Infinity : Math.abs(call.now.getTime() - kept.at.getTime());
    if (kept !== null && age < maxAge) return kept.overview;
    const overview = read(call);
    const own = { at: call.now, overview };
    kept = own;
    overview.catch(() => {
      if (kept === own) kept = null;
    });
    return overview;
  };
}

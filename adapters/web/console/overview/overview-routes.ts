import { html } from '../../markup/html.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import { consolePath } from '../frame/navigation.ts';

/** The first page of the console. */
export function overviewRoutes(): readonly ConsoleRoute[] {
  return [
    {
      id: 'showOverview',
      method: 'GET',
      path: consolePath,
      access: 'admin:read',
      handle: async () => shown({ title: 'Overview', main: html`<div class="page"><h1>Overview</h1></div>` }),
    },
  ];
}

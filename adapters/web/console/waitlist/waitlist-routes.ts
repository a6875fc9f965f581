import { csvLine } from '../../../../core/csv-line.ts';
import { type SignUp } from '../../../../core/waitlist/sign-up.ts';
import { entryMembers } from '../../../administration/commands/waitlist-commands.ts';
import { pageIn } from '../display/paging.ts';
import { statusLine } from '../display/parts.ts';
import { goTo, shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import {
  eraseFormPage,
  eraseFromWaitlistPath,
  eraseMembers,
  erasePage,
  waitlistDone,
  waitlistFilePath,
  waitlistPage,
  waitlistPath,
} from './waitlist-pages.ts';

async function* linesOf(entries: AsyncIterable<SignUp>): AsyncIterable<string> {
  yield csvLine(entryMembers);
  for await (const entry of entries) yield csvLine(entryMembers.map((column) => entry[column]));
}

const access = 'admin:waitlist';

export function waitlistRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  const { listWaitlist, everySignUp, eraseFromWaitlist } = administration;
  return [
    {
      id: 'consoleWaitlist',
      method: 'GET',
      path: waitlistPath,
      access,
      handle: async ({ call, query, view }) => {
        const found = await listWaitlist(null, pageIn(''), call);
        return shown(waitlistPage(view, found, true, statusLine(query, waitlistDone)));
      },
    },
    {
      id: 'consoleWaitlistPage',
      method: 'POST',
      path: waitlistPath,
      access,
      handle: async ({ call, form, view }) => {
        const part = pageIn(form);
        return shown(waitlistPage(view, await listWaitlist(null, part, call), part.after === null, null));
      },
    },
    {
      id: 'consoleWaitlistFile',
      method: 'GET',
      path: waitlistFilePath,
      access,
      handle: async () => ({
        kind: 'file',
        name: 'waitlist.csv',
        contentType: 'text/csv; charset=utf-8',
        lines: (newCall) => linesOf(everySignUp(newCall)),
      }),
    },
    ...formRoutes({
      name: 'EraseFromWaitlist',
      path: eraseFromWaitlistPath,
      access,
      find: async () => null,
      page: ({ view }, _none, state) => eraseFormPage(view, state),
      members: eraseMembers,
      act: async ({ email }, _none, { call, form, view }) => {
        if (form.get('step') !== 'erase') return shown(erasePage(view, email));
        const erased = await eraseFromWaitlist(email, call);
        return goTo(waitlistPath, erased === 1 ? 'erased' : 'unknown');
      },
    }),
  ];
}

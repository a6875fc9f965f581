import type { Administration } from '../../../../core/administration/administration.ts';
import { csvLine } from '../../../../core/csv-line.ts';
import { defaultPageSize } from '../../../../core/paging/page.ts';
import { oneOf } from '../../../../core/parsing/value-rule.ts';
import type { WaitlistEntry } from '../../../../core/waitlist/invitation.ts';
import { waitlistRoles } from '../../../../core/waitlist/sign-up.ts';
import { entryMembers, erased } from '../../../administration/commands/waitlist-commands.ts';
import { mayInvite } from '../affiliates/affiliate-list-page.ts';
import { statusLine } from '../display/parts.ts';
import { hidden } from '../display/view.ts';
import { must } from '../form/form-members.ts';
import { goTo, shown, type ConsoleAnswer, type ConsoleRequest, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { countedItems } from '../list/list-page.ts';
import { inviteRoutes } from './invite-pages.ts';
import {
  eraseFromWaitlistPath,
  erasePage,
  waitlistCrumb,
  waitlistDone,
  waitlistFilePath,
  waitlistPage,
  waitlistPath,
} from './waitlist-pages.ts';

async function* linesOf(entries: AsyncIterable<WaitlistEntry>): AsyncIterable<string> {
  yield csvLine(entryMembers);
  for await (const entry of entries) yield csvLine(entryMembers.map((column) => entry[column]));
}

/** The first page is a link, and any other a form, because `after` contains an address. An unknown role is ignored. */
async function answerPage(
  { listWaitlist, countList, findAffiliateByAddress }: Administration,
  { call, query, view }: ConsoleRequest,
  asked: URLSearchParams,
  after: string | null,
): Promise<ConsoleAnswer> {
  const role = oneOf(waitlistRoles).parse(asked.get('role') ?? '');
  const page = await listWaitlist(role, { limit: defaultPageSize, after }, call);
  const size = await countList({ kind: 'waitlist' }, countedItems, call);
  const handles = new Map<string, string>();
  if (mayInvite(view)) {
    const found = await Promise.all(
      page.items.map(async ({ email }) => [email, await findAffiliateByAddress(email, call)] as const),
    );
    for (const [email, affiliate] of found) if (affiliate !== null) handles.set(email, affiliate.handle);
  }
  const done = after === null ? statusLine(query, waitlistDone) : null;
  return shown(waitlistPage(view, { page, role, isFirst: after === null, size, handles }, done));
}

const access = 'admin:waitlist';

export function waitlistRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { administration } = parts;
  const { everySignUp, eraseFromWaitlist } = administration;
  return [
    {
      id: 'consoleWaitlist',
      method: 'GET',
      path: waitlistPath,
      access,
      handle: (request) => answerPage(administration, request, new URLSearchParams(request.query), null),
    },
    {
      id: 'consoleWaitlistPage',
      method: 'POST',
      path: waitlistPath,
      access,
      handle: (request) => answerPage(administration, request, request.form, request.form.get('after')),
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
    ...inviteRoutes(parts),
    ...formRoutes({
      name: 'EraseFromWaitlist',
      path: eraseFromWaitlistPath,
      access,
      find: async () => null,
      asks: () => ({
        path: [waitlistCrumb],
        here: 'Erase',
        title: 'Erase an address',
        text: 'For those who ask to be forgotten. You see what is erased before anything happens.',
        above: hidden('step', 'ask'),
        button: 'Continue',
      }),
      back: () => ({ href: waitlistPath, text: 'Back to the waitlist' }),
      members: { email: must(erased, { maxLength: 254 }) },
      act: async ({ email }, _none, { call, form, view }) => {
        if (form.get('step') !== 'erase') return shown(erasePage(view, email));
        const count = await eraseFromWaitlist(email, call);
        return goTo(waitlistPath, count === 1 ? 'erased' : 'unknown');
      },
    }),
  ];
}

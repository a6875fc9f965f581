import { emailAddressRule, waitlistRoles } from '../../../core/waitlist/sign-up.ts';
import { command, list, type CommandGroup } from '../declaration/command.ts';
import { required } from '../declaration/member.ts';
import {
  described,
  enumOf,
  instant,
  nullableText,
  objectOf,
  orNull,
  pageOf,
  text,
} from '../declaration/schema-parts.ts';
import { only } from '../declaration/view.ts';

/** The members of an entry, which an export has as columns. */
export const entryMembers = ['email', 'name', 'handle', 'role', 'at'] as const;

/** The address whose entry is erased. */
export const erased = {
  ...required('<email>', 'the e-mail address, in any case', emailAddressRule),
  label: 'E-mail address',
};

export const waitlistCommands: CommandGroup = {
  name: 'waitlist',
  tag: { name: 'Waitlist', description: 'The addresses of people who want to hear more.' },
  schemas: {
    WaitlistEntry: objectOf({
      email: text,
      name: nullableText,
      handle: nullableText,
      role: orNull(described('Null if the person gave none.', enumOf(waitlistRoles))),
      at: instant,
    }),
    WaitlistPage: pageOf('WaitlistEntry'),
    Erasure: objectOf({ erased: enumOf([0, 1]) }),
  },
  commands: [
    list({
      verb: null,
      does: '',
      operation: {
        id: 'listWaitlist',
        route: 'GET /admin/waitlist',
        access: 'admin:waitlist',
        summary: 'List the waitlist.',
        description: 'By address. `next` contains an address, so keep it out of logs.',
        answer: { schema: 'WaitlistPage', description: 'A page of entries.' },
        refusals: [],
      },
      members: {},
      page: ({ listWaitlist }, _all, page, call) => listWaitlist(null, page, call),
      view: (entry) => only(entry, entryMembers),
    }),
    command({
      verb: 'erase',
      does: 'erase the entry of an e-mail address',
      operation: {
        id: 'eraseFromWaitlist',
        route: 'POST /admin/waitlist/erase',
        access: 'admin:waitlist',
        summary: 'Erase the entry of an e-mail address.',
        description: 'The address may be in any case. One without an entry is no error.',
        request: { schema: 'ErasureRequest', example: { email: 'ada@example.com' } },
        answer: { schema: 'ErasureAnswer', description: 'How many entries there were.' },
        refusals: [],
      },
      members: { email: erased },
      log: { eraseFromWaitlist: (entries) => (entries === 0 ? null : { entries }) },
      run: async ({ eraseFromWaitlist }, { email }, call) => {
        const count = await eraseFromWaitlist(email, call);
        return { data: { erased: count }, text: count === 1 ? 'Erased.' : 'There is no such entry.' };
      },
    }),
  ],
};

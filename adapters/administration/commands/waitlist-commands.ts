import { maxMailTime } from '../../../core/mail/mail-sender.port.ts';
import type { MadeInvitation } from '../../../core/waitlist/invite.ts';
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
import { invitation } from './key/key-members.ts';

/** The members of an entry, which an export has as columns. */
export const entryMembers = ['email', 'name', 'handle', 'role', 'at', 'invitedAt'] as const;

/** The address whose entry is erased. */
export const erased = {
  ...required('<email>', 'the e-mail address, in any case', emailAddressRule),
  label: 'E-mail address',
};

/** The address of the person who is invited. */
export const invited = {
  ...required('<email>', 'the e-mail address of the entry, in any case', emailAddressRule),
  label: 'E-mail address',
};

const noMerchantUrl =
  'MERCHANT_URL is not set, so the link has no host: put the address of the console in front of it.';

/** The warning that the link of an invitation is only a path; null if it has a host. */
export function invitationWarning({ hasAddress }: Pick<MadeInvitation, 'hasAddress'>): string | null {
  return hasAddress ? null : noMerchantUrl;
}

const invite = command({
  verb: 'invite',
  does: 'make a link by which somebody of the waitlist gets an operator key for products',
  operation: {
    id: 'inviteFromWaitlist',
    route: 'POST /admin/waitlist/invite',
    access: 'admin:access',
    summary: 'Invite somebody of the waitlist.',
    description:
      'Makes a link by which the person gets an operator key that is limited to `products`, once. It works for `expires` (`1h` to `30d`, `7d` by default). Inviting again makes another link, and ends the one before.',
    request: { schema: 'InvitationRequest', example: { email: 'ada@example.com', products: ['sketchpad'] } },
    answer: { schema: 'InvitationAnswer', description: 'The link.' },
    extraTime: maxMailTime,
    refusals: [
      'limited_key',
      'signup_not_found',
      'product_not_found',
      'invalid_email',
      'mail_unavailable',
      'changed_meanwhile',
    ],
  },
  members: { email: invited, ...invitation },
  hasBatch: false,
  log: { inviteFromWaitlist: (_made, { products }) => ({ products: products.join(' ') }) },
  run: async ({ inviteFromWaitlist }, { mail: isMailed, ...request }, call) => {
    const made = await inviteFromWaitlist({ ...request, isMailed }, call);
    const { url, expiresAt, invitedAt } = made;
    const warning = invitationWarning(made);
    const data = { url, expiresAt, invitedAt };
    if (warning === null) return { data };
    return { data: { ...data, warning }, shown: data, note: `Warning: ${warning}` };
  },
});

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
      invitedAt: orNull(described('When the person was invited last. Null if never.', instant)),
    }),
    Invitation: objectOf(
      {
        url: described('A secret, which is shown only this once.', text),
        expiresAt: instant,
        invitedAt: instant,
        warning: described('That `url` is a path, because `MERCHANT_URL` is not set. Absent otherwise.', text),
      },
      { optional: ['warning'] },
    ),
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
    invite,
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

import type { InvitedAffiliate } from '../../../../core/affiliate/manage-affiliates.ts';
import { maxMailTime } from '../../../../core/mail/mail-sender.port.ts';
import { requireUnlimited } from '../../../../core/reach.ts';
import { Refusal } from '../../../../core/refusal.ts';
import { affiliateFacts, invitedNames } from '../../../administration/commands/affiliate-commands.ts';
import { instantText, relativeText } from '../display/dates.ts';
import { mono, written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import type { PageContent } from '../display/view.ts';
import { may, must } from '../form/form-members.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { addAffiliatePath, affiliatePath, affiliatesPath } from '../state/affiliate-paths.ts';

const members = {
  email: must(affiliateFacts.email, { maxLength: 254 }),
  handle: may(invitedNames.handle, {
    hint: '3 to 30 of a-z, 0-9 and “-”. It stays for good. Empty: that of the waitlist.',
    maxLength: 30,
  }),
  name: may(invitedNames.name, { input: undefined, maxLength: 200, hint: 'Empty: that of the waitlist.' }),
};

const affiliatesCrumb = { href: affiliatesPath, text: 'Affiliates' };

/** The pages that invite an affiliate. The waitlist leads to the form. */
export function inviteAffiliateRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'AddAffiliate',
    path: addAffiliatePath,
    access: 'admin:affiliates',
    extraTime: maxMailTime,
    find: async ({ call }) => requireUnlimited(call),
    isLedTo: true,
    asks: () => ({
      path: [affiliatesCrumb],
      here: 'Invite',
      title: 'Invite an affiliate',
      text: 'You get a link to the own page of the affiliate, which is mailed, too, if the service sends mail. Inviting the same address again makes another link, and changes nothing else.',
      button: 'Invite',
    }),
    back: () => ({ href: affiliatesPath, text: 'Back to the affiliates' }),
    members,
    refusals: {
      invalid_body: {
        member: 'handle',
        problem: 'is needed: the waitlist has none that fits, or is not yours to read',
      },
      invalid_email: { member: 'email', problem: 'must be one that mails can be sent to' },
      affiliate_exists: { member: 'handle', problem: 'must be the one that this address has already, or empty' },
      affiliate_ended: { member: 'email', problem: 'is that of an affiliate who has ended' },
      handle_taken: { member: 'handle', problem: 'is taken' },
    },
    act: async ({ email, handle = null, name = null }, _none, { call, view }) => {
      // A member that is left out is read from the waitlist.
      if ((handle === null || name === null) && !view.may('admin:waitlist')) throw new Refusal('invalid_body');
      const made = await administration.addAffiliate({ email, handle, name }, call);
      return shown(invitedPage(made, call.now));
    },
  });
}

function invitedPage({ affiliate, link, mailed }: InvitedAffiliate, now: Date): PageContent {
  const { handle, name } = affiliate;
  return shownOncePage({
    path: [affiliatesCrumb],
    here: 'Invite',
    heading: mailed ? 'The link is ready, and was mailed' : 'The link is ready',
    label: 'Link',
    secret: link.url,
    advice: 'Send it to this person, and to nobody else. Only a digest is stored. If it is lost, make another one.',
    facts: [
      ['Affiliate', written(name)],
      ['Handle', mono(`@${handle}`)],
      ['Works until', `${instantText(link.expiresAt)}, ${relativeText(link.expiresAt, now)}`],
    ],
    back: affiliatePath(handle),
  });
}

import { maxMailTime } from '../../../../core/mail/mail-sender.port.ts';
import { day } from '../../../../core/parsing/duration.ts';
import { requireUnlimited } from '../../../../core/reach.ts';
import { defaultInvitationTime, invitedScopes } from '../../../../core/waitlist/invitation.ts';
import type { MadeInvitation } from '../../../../core/waitlist/invite.ts';
import { invitation } from '../../../administration/commands/key/key-members.ts';
import { invitationWarning, invited } from '../../../administration/commands/waitlist-commands.ts';
import { instantText, relativeText } from '../display/dates.ts';
import { written } from '../display/parts.ts';
import { shownOncePage } from '../display/shown-once.ts';
import type { PageContent } from '../display/view.ts';
import { may, must } from '../form/form-members.ts';
import { shown, type ConsoleRoute } from '../frame/console-page.ts';
import type { ConsoleParts } from '../frame/console-parts.ts';
import { formRoutes } from '../frame/form-routes.ts';
import { inviteFromWaitlistPath, waitlistCrumb, waitlistPath } from './waitlist-pages.ts';

const members = {
  email: must(invited, { maxLength: 254 }),
  products: must(invitation.products),
  scopes: must(invitation.scopes, { input: { several: invitedScopes.map((scope) => [scope, scope] as const) } }),
  expires: may(invitation.expires),
  mail: may(invitation.mail, { input: 'check', label: 'Mail the link to the address' }),
};

/** The pages that invite somebody of the waitlist. The list leads to the form. */
export function inviteRoutes({ administration }: ConsoleParts): readonly ConsoleRoute[] {
  return formRoutes({
    name: 'InviteFromWaitlist',
    path: inviteFromWaitlistPath,
    access: 'admin:access',
    extraTime: maxMailTime,
    find: async ({ call }) => requireUnlimited(call),
    isLedTo: true,
    asks: () => ({
      path: [waitlistCrumb],
      here: 'Invite',
      title: 'Invite somebody of the waitlist',
      text: 'You get a link. Who opens it gets an operator key for the products, once, and signs in with it. An earlier link of the same address ends.',
      button: 'Make the link',
    }),
    back: () => ({ href: waitlistPath, text: 'Back to the waitlist' }),
    proposes: () => ({ scopes: invitedScopes.join(' '), expires: `${defaultInvitationTime / day}d` }),
    members,
    refusals: {
      signup_not_found: { member: 'email', problem: 'must be on the waitlist' },
      product_not_found: { member: 'products', problem: 'must be ids of products' },
      invalid_email: { member: 'email', problem: 'must be one that mails can be sent to' },
      mail_unavailable: {
        member: 'mail',
        problem: 'needs SMTP_URL, MERCHANT_URL and a mail server that takes the mail. Invite again, with or without it',
      },
    },
    act: async ({ email, products, scopes, expires = null, mail: isMailed = false }, _none, { call }) => {
      const made = await administration.inviteFromWaitlist({ email, products, scopes, expires, isMailed }, call);
      return shown(invitedPage(made, email, isMailed, call.now));
    },
  });
}

function invitedPage(made: MadeInvitation, email: string, isMailed: boolean, now: Date): PageContent {
  const { url, expiresAt } = made;
  return shownOncePage({
    path: [waitlistCrumb],
    here: 'Invite',
    heading: isMailed ? 'The link is ready, and was mailed' : 'The link is ready',
    label: 'Link',
    secret: url,
    advice: 'Send it to this person, and to nobody else. Only a digest is stored. If it is lost, invite again.',
    facts: [
      ['E-mail', written(email)],
      ['Works until', `${instantText(expiresAt)}, ${relativeText(expiresAt, now)}`],
    ],
    warning: invitationWarning(made) ?? undefined,
    back: waitlistPath,
  });
}

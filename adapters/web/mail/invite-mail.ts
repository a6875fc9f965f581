import type { InviteMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { addressed, footer, mailOf, named, paragraph, say, type MailSite } from './mail-parts.ts';

/** The invitation of somebody who has signed up on the waitlist. */
export function inviteMail(site: MailSite, { url, expiresAt }: InviteMail): MailContent {
  const { words, name } = site;
  return mailOf(site, words.plain('mailInviteSubject', { site: name }), [
    paragraph(say(words, 'mailInvited', { site: named(name) })),
    paragraph(say(words, 'mailGetKey', { time: words.plainInstant(expiresAt) }), addressed(site, url)),
    footer(say(words, 'mailKeyOnce'), say(words, 'mailLostIgnore')),
  ]);
}

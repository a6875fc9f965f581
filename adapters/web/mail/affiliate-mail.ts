import type { AffiliateMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { addressed, footer, mailOf, named, paragraph, say, type MailSite } from './mail-parts.ts';

/** The link to the own page of an affiliate, who was invited or has asked for it. */
export function affiliateMail(site: MailSite, { handle, link, isInvitation }: AffiliateMail): MailContent {
  const { words, name } = site;
  const reason = isInvitation
    ? say(words, 'mailAffiliateInvited', { site: named(name), handle: named(`@${handle}`) })
    : say(words, 'mailAffiliateAsked', { site: named(name) });
  return mailOf(site, words.plain('mailAffiliateSubject', { site: name }), [
    paragraph(reason),
    paragraph(say(words, 'mailAffiliateOpen', { time: words.plainInstant(link.expiresAt) }), addressed(site, link.url)),
    footer(say(words, 'mailAffiliateSecret'), say(words, 'mailLostIgnore')),
  ]);
}

import type { MailWriter } from '../../../core/mail/mail-writer.port.ts';
import { affiliateMail } from './affiliate-mail.ts';
import { endingMail } from './ending-mail.ts';
import { inviteMail } from './invite-mail.ts';
import { keyMail } from './key-mail.ts';
import { linkMail, lostMail } from './lost-mail.ts';
import { mailOf, paragraph, say, type MailSite } from './mail-parts.ts';
import { replacedMail } from './replaced-mail.ts';
import { statementMail } from './statement-mail.ts';

/** Writes the mails of a site. */
export function mailWriter(site: MailSite): MailWriter {
  const { words, name } = site;
  return {
    key: (mail) => keyMail(site, mail),
    link: (mail) => linkMail(site, mail),
    replaced: (mail) => replacedMail(site, mail),
    ending: (mail) => endingMail(site, mail),
    lost: (mail) => lostMail(site, mail),
    affiliate: (mail) => affiliateMail(site, mail),
    statement: (mail) => statementMail(site, mail),
    invite: (mail) => inviteMail(site, mail),
    test: () =>
      mailOf(site, words.plain('mailTestSubject', { site: name }), [
        paragraph(say(words, 'mailTestSays', { site: name })),
      ]),
  };
}

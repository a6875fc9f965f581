import type { MailContent, ReplacedMail } from '../../../core/mail/mail-writer.port.ts';
import { lostPath } from '../markup/layout.ts';
import { helpOf, iconOf, namesOf, questions } from './bought-parts.ts';
import { addressed, footer, mailOf, paragraph, say, type MailSite } from './mail-parts.ts';

/** The notice that a key was replaced, which says where to get another one. */
export function replacedMail(site: MailSite, mail: ReplacedMail): MailContent {
  const { words, href, hasLostPage } = site;
  const { product, replacedAt, oldLastFour } = mail;
  const names = namesOf(mail);
  return mailOf(
    site,
    say(words, 'mailReplacedSubject', names).text,
    [
      paragraph(
        say(words, 'mailReplaced', { ...names, time: words.plainInstant(replacedAt) }),
        oldLastFour === null ? say(words, 'mailOldKey') : say(words, 'mailOldKeyEnd', { lastFour: oldLastFour }),
      ),
      hasLostPage
        ? paragraph(say(words, 'mailGetAnother'), addressed(site, href(lostPath)))
        : paragraph(say(words, 'mailAskForAnother')),
      footer(questions(site, helpOf(site, product))),
    ],
    iconOf(site, mail),
  );
}

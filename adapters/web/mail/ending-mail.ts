import { hasAccess } from '../../../core/entitlement/why/why.ts';
import type { EndingMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { lostPath } from '../markup/layout.ts';
import { helpOf, iconOf, namesOf, questions, stateOf } from './bought-parts.ts';
import { addressed, footer, mailOf, paragraph, say, type MailSite, type Said } from './mail-parts.ts';

/** The notice that access ends soon. It has no key, and no link that changes something. */
export function endingMail(site: MailSite, mail: EndingMail): MailContent {
  const { words } = site;
  const { product, ending, now } = mail;
  const names = namesOf(mail);
  return mailOf(
    site,
    say(words, 'mailEndingSubject', { ...names, date: words.plainDay(ending.endsAt) }).text,
    [
      paragraph(stateOf(words, mail, hasAccess, now), say(words, 'mailEndingUntil')),
      ...wayOn(site, mail),
      ...lostKey(site),
      footer(questions(site, helpOf(site, product)), say(words, 'mailEndingOnce', names)),
    ],
    iconOf(site, mail),
  );
}

/** Where the buyer goes on with it: only a cancellation can be undone. */
function wayOn(site: MailSite, { product, ending }: EndingMail): readonly Said[] {
  const url = product?.accountUrl ?? null;
  if (url === null) return [];
  const way = ending.reason === 'canceled' ? 'mailEndingResume' : 'mailEndingBuy';
  return [paragraph(say(site.words, way), addressed(site, url))];
}

function lostKey(site: MailSite): readonly Said[] {
  if (!site.hasLostPage) return [];
  return [paragraph(say(site.words, 'mailEndingLost'), addressed(site, site.href(lostPath)))];
}

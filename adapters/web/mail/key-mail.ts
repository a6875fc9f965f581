import type { KeyMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { namesOf, questions, type BoughtNames } from './bought-parts.ts';
import { addressed, footer, keyBox, mailOf, paragraph, say, type MailSite, type Said } from './mail-parts.ts';

/** The mail with the key of a purchase. */
export function keyMail(site: MailSite, mail: KeyMail): MailContent {
  const { words } = site;
  const { product, licenseKey } = mail;
  const names = namesOf(mail);
  const key = keyBox(licenseKey);
  return mailOf(words, say(words, 'mailKeySubject', { ...names }).text, [
    paragraph(say(words, 'mailThanks', { ...names })),
    { text: `${words.plain('mailYourKey')}\n\n${key.text}`, html: key.html },
    instructions(site, mail, names),
    keep(site),
    footer(questions(site, product?.supportUrl ?? null), say(words, 'mailYouGet', { ...names })),
  ]);
}

/** Where the key goes, and where to download the product. */
function instructions({ words }: MailSite, { product }: KeyMail, names: BoughtNames): Said {
  const enter = say(words, 'mailEnterKey', { ...names });
  const url = product?.downloadUrl ?? null;
  return url === null ? paragraph(enter) : paragraph(enter, say(words, 'mailDownload', { url: addressed(url) }));
}

function keep({ words, href, hasLicensePage }: MailSite): Said {
  if (!hasLicensePage) return paragraph(say(words, 'mailKeep'));
  const url = href('/license');
  const worth = addressed(url, words.of('mailWorth'));
  return {
    text: `${words.plain('mailKeepFor')}\n${url}`,
    html: paragraph(say(words, 'mailKeepLink', { worth })).html,
  };
}

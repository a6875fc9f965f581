import type { KeyMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { withNames } from '../../../core/product/product-mail.ts';
import { licensePath } from '../markup/layout.ts';
import { namesOf, questions, type BoughtNames } from './bought-parts.ts';
import { addressed, footer, keyBox, mailOf, paragraph, plain, say, type MailSite, type Said } from './mail-parts.ts';

/** The mail with the key of a purchase. */
export function keyMail(site: MailSite, mail: KeyMail): MailContent {
  const { words } = site;
  const { product, licenseKey } = mail;
  const names = namesOf(mail);
  const key = keyBox(licenseKey);
  const subject = product?.mailSubject ?? null;
  return mailOf(words, subject === null ? say(words, 'mailKeySubject', names).text : filled(subject, names), [
    paragraph(say(words, 'mailThanks', names)),
    { text: `${words.plain('mailYourKey')}\n\n${key.text}`, html: key.html },
    ...instructions(site, mail, names),
    keep(site),
    footer(questions(site, product?.supportUrl ?? null), say(words, 'mailYouGet', names)),
  ]);
}

/** What the seller says of the product, or else where the key goes, and where to download it. */
function instructions({ words }: MailSite, { product }: KeyMail, names: BoughtNames): readonly Said[] {
  const text = product?.mailText ?? null;
  const own = text === null ? [[say(words, 'mailEnterKey', names)]] : paragraphsOf(filled(text, names));
  const url = product?.downloadUrl ?? null;
  if (url === null || text?.includes(url) === true) return own.map((lines) => paragraph(...lines));
  const download = say(words, 'mailDownload', { url: addressed(url) });
  return own.map((lines, index) => paragraph(...lines, ...(index === own.length - 1 ? [download] : [])));
}

function paragraphsOf(text: string): readonly (readonly Said[])[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((lines) => lines.split('\n').map((line) => plain(line.trimEnd())));
}

function filled(text: string, { product, tier }: BoughtNames): string {
  return withNames(text, product.text, tier.text);
}

function keep({ words, href, hasLicensePage }: MailSite): Said {
  if (!hasLicensePage) return paragraph(say(words, 'mailKeep'));
  const url = href(licensePath);
  const worth = addressed(url, words.of('mailWorth'));
  return {
    text: `${words.plain('mailKeepFor')}\n${url}`,
    html: paragraph(say(words, 'mailKeepLink', { worth })).html,
  };
}

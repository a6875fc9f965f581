import type { LinkMail, LostLicense, LostMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { changesOf } from '../buyers/link-page.ts';
import type { TextName } from '../markup/buyer-texts.ts';
import { html } from '../markup/html.ts';
import { helpOf, iconOf, namesOf, questions, stateOf } from './bought-parts.ts';
import { addressed, footer, indented, keyBox, mailOf, paragraph, say, type MailSite, type Said } from './mail-parts.ts';

/** The mail with all licenses of an address. */
export function lostMail(site: MailSite, { licenses, now }: LostMail): MailContent {
  const { words } = site;
  const helps = new Set(licenses.map(({ product }) => helpOf(site, product)));
  const [help = null] = helps;
  const isSameHelp = helps.size <= 1;
  return mailOf(site, words.plain('mailLostSubject', { site: site.name }), [
    paragraph(say(words, 'mailLostAsked'), say(words, 'mailLostIgnore')),
    ...licenses.map((license) => {
      const more = isSameHelp ? [] : [questions(site, helpOf(site, license.product))];
      const part = licensePart(site, license, now, more);
      return { ...part, html: html`${iconOf(site, license)}${part.html}` };
    }),
    footer(say(words, 'mailDoNotPass'), ...(isSameHelp ? [questions(site, help)] : [])),
  ]);
}

/** The mail with the link of one license. */
export function linkMail(site: MailSite, mail: LinkMail): MailContent {
  const { words } = site;
  const { product, now } = mail;
  return mailOf(
    site,
    say(words, 'mailLinkSubject', namesOf(mail)).text,
    [
      licensePart(site, { ...mail, licenseKey: null }, now),
      footer(say(words, 'mailDoNotPassOne'), questions(site, helpOf(site, product))),
    ],
    iconOf(site, mail),
  );
}

/** The state of a license, its key where it is known, what its link is for, and what follows. */
function licensePart(site: MailSite, license: LostLicense, now: Date, more: readonly Said[] = []): Said {
  const { words } = site;
  const { licenseKey, entitlement, why, link } = license;
  const state = paragraph(stateOf(words, license, why, now));
  const lastFour = entitlement.license?.lastFour ?? '';
  const time = words.plainSoon(link.expiresAt);
  const way = paragraph(say(words, linkText(license, now), { lastFour, time }), addressed(site, link.url), ...more);
  const shifted = { ...way, text: indented(way.text) };
  const parts = licenseKey === null ? [state, shifted] : [state, keyBox(licenseKey), shifted];
  return { text: parts.map(({ text }) => text).join('\n\n'), html: html`${parts.map((part) => part.html)}` };
}

/** The purpose of a link: the changes that it allows. */
function linkText({ licenseKey, entitlement }: LostLicense, now: Date): TextName {
  const changes = changesOf(entitlement, now);
  if (!changes.includes('replace')) return 'mailLook';
  if (licenseKey === null) {
    if (entitlement.license === null) return 'mailNoKey';
    return entitlement.license.lastFour === null ? 'mailKeyUnknown' : 'mailKeyEnd';
  }
  if (changes.includes('cancel')) return 'mailCancelOrReplace';
  return changes.includes('resume') ? 'mailResumeOrReplace' : 'mailReplace';
}

import { statusAt } from '../../../core/entitlement/status.ts';
import type { KeyMail, MailContent } from '../../../core/mail/mail-writer.port.ts';
import { withNames } from '../../../core/product/product-mail.ts';
import { licensePath } from '../markup/layout.ts';
import type { Words } from '../markup/words.ts';
import { helpOf, iconOf, namesOf, questions, type BoughtNames } from './bought-parts.ts';
import { addressed, footer, keyBox, mailOf, paragraph, plain, say, type MailSite, type Said } from './mail-parts.ts';

/** The mail with the key of a purchase. */
export function keyMail(site: MailSite, mail: KeyMail): MailContent {
  const { words } = site;
  const { product, licenseKey } = mail;
  const names = namesOf(mail);
  const key = keyBox(licenseKey);
  const subject = product?.mailSubject ?? null;
  const trialEnd = trialEndOf(mail);
  return mailOf(
    site,
    subject === null ? say(words, 'mailKeySubject', names).text : filled(subject, names),
    [
      paragraph(thanks(words, names, trialEnd), ...download(site, mail)),
      { text: `${words.plain('mailYourKey')}\n\n${key.text}`, html: key.html },
      ...instructions(site, mail, names),
      keep(site),
      footer(
        questions(site, helpOf(site, product)),
        say(words, trialEnd === null ? 'mailYouGet' : 'mailYouGetTrial', names),
      ),
    ],
    iconOf(site, mail),
  );
}

/** When a trial ends; null for a purchase. */
function trialEndOf({ entitlement, now }: KeyMail): Date | null {
  if (statusAt(entitlement, now) !== 'trialing') return null;
  if (entitlement.kind === 'one_time') return entitlement.accessEndsAt;
  return entitlement.cancellation?.at ?? entitlement.currentPeriodEnd;
}

function thanks(words: Words, names: BoughtNames, trialEnd: Date | null): Said {
  if (trialEnd === null) return say(words, 'mailThanks', names);
  return say(words, 'mailThanksTrial', { ...names, date: words.plainDay(trialEnd) });
}

/** Where to download it: before the key, which is pasted into it. Nothing where the seller's own text says it. */
function download(site: MailSite, { product }: KeyMail): readonly Said[] {
  const url = product?.downloadUrl ?? null;
  if (url === null || product?.mailText?.includes(url) === true) return [];
  return [say(site.words, 'mailDownload', { url: addressed(site, url) })];
}

/** The seller's text about the product, or else the place where the key goes. */
function instructions({ words }: MailSite, { product }: KeyMail, names: BoughtNames): readonly Said[] {
  const text = product?.mailText ?? null;
  if (text === null) return [paragraph(say(words, 'mailEnterKey', names))];
  return paragraphsOf(filled(text, names)).map((lines) => paragraph(...lines));
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

function keep(site: MailSite): Said {
  const { words, href, hasLicensePage } = site;
  if (!hasLicensePage) return paragraph(say(words, 'mailKeep'));
  const url = href(licensePath);
  const worth = addressed(site, url, words.of('mailWorth'));
  return {
    text: `${words.plain('mailKeepFor')}\n${url}`,
    html: paragraph(say(words, 'mailKeepLink', { worth })).html,
  };
}

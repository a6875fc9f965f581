import { keptPromise } from '../../core/kept-promise.ts';
import type { LoadMail, Mail } from '../../core/mail/mail.ts';
import { hasBuyerPages } from '../settings/buyer-pages.ts';
import type { Settings } from '../settings/settings.ts';

export type MailSettings = Pick<
  Settings,
  | 'buyerPages'
  | 'mailFrom'
  | 'mailReplyTo'
  | 'pages'
  | 'siteAccent'
  | 'siteHelp'
  | 'siteImageHosts'
  | 'siteLanguage'
  | 'siteName'
  | 'siteTexts'
  | 'smtpUrl'
  | 'stripeApiKey'
>;

export const noPublicUrl =
  'PUBLIC_URL is not set: the links in mails begin with the listening address, which buyers cannot reach';

/** Whether the settings name a server for mail. */
export function sendsMail({ smtpUrl, mailFrom }: Pick<Settings, 'smtpUrl' | 'mailFrom'>): boolean {
  return smtpUrl !== null && mailFrom !== null;
}

/**
 * Loads what mails need when the first one is sent, because most processes send none. Links begin with `baseUrl`, which is
 * called when a mail needs it.
 */
export function mailLoader(settings: MailSettings, baseUrl: () => string): LoadMail {
  const { smtpUrl, mailFrom } = settings;
  if (smtpUrl === null || mailFrom === null) return async () => null;
  return keptPromise(() => loadMail({ ...settings, smtpUrl, mailFrom }, baseUrl));
}

type SendingSettings = MailSettings & {
  readonly [Name in 'smtpUrl' | 'mailFrom']: NonNullable<MailSettings[Name]>;
};

async function loadMail(settings: SendingSettings, baseUrl: () => string): Promise<Mail> {
  const { SmtpMailSender } = await import('../../adapters/mail/smtp-mail-sender.ts');
  const { greetingName } = await import('../../adapters/mail/smtp-name.ts');
  const { mailWriter } = await import('../../adapters/web/mail/mail-writer.ts');
  const { Words } = await import('../../adapters/web/markup/words.ts');
  const { smtpUrl, mailFrom, mailReplyTo, siteName, siteHelp, stripeApiKey } = settings;
  const hasLicensePage = hasBuyerPages(settings);
  return {
    sender: new SmtpMailSender(smtpUrl, {
      from: mailFrom,
      replyTo: mailReplyTo,
      get name() {
        return greetingName(baseUrl(), mailFrom.address);
      },
    }),
    writer: mailWriter({
      words: new Words(settings.siteTexts, settings.siteLanguage),
      name: siteName,
      accent: settings.siteAccent,
      href: (path) => baseUrl() + path,
      hasLicensePage,
      hasLostPage: hasLicensePage && stripeApiKey !== null,
      get help() {
        return siteHelp === null ? null : new URL(siteHelp, baseUrl()).href;
      },
      imageHosts: settings.siteImageHosts ?? [],
      takesAnswers: mailReplyTo !== null,
    }),
    get host() {
      return new URL(baseUrl()).hostname;
    },
    hasLicensePages: hasLicensePage,
    hasAffiliatePages: settings.pages === 'on',
  };
}

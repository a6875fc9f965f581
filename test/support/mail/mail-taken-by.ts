import { mailWriter } from '../../../adapters/web/mail/mail-writer.ts';
import { englishTexts } from '../../../adapters/web/markup/buyer-texts.ts';
import { Words } from '../../../adapters/web/markup/words.ts';
import type { MailSender } from '../../../core/mail/mail-sender.port.ts';
import type { LoadMail } from '../../../core/mail/mail.ts';

/** Mails of a site, which a function takes in place of a server. */
export function mailTakenBy(send: MailSender['send']): LoadMail {
  const writer = mailWriter({
    words: new Words(englishTexts, 'en'),
    name: 'Latchkey',
    accent: '#0f766e',
    href: (path) => `https://latchkey.test${path}`,
    hasLicensePage: true,
    hasLostPage: true,
    help: null,
    imageHosts: ['cdn.example'],
    takesAnswers: true,
  });
  return async () => ({
    sender: { send },
    writer,
    host: 'latchkey.test',
    hasLicensePages: true,
    hasAffiliatePages: true,
  });
}

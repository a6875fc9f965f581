import { mailReports } from '../../adapters/metrics/reports.ts';
import type { LoadMail } from '../../core/mail/mail.ts';

/** Counts the mails that operators send. */
export function countedMail(load: LoadMail): LoadMail {
  return async () => {
    const mail = await load();
    if (mail === null) return null;
    const { sender, writer, host, hasLicensePages } = mail;
    return {
      writer,
      host,
      hasLicensePages,
      sender: {
        send: async (...sent) => {
          const result = await sender.send(...sent);
          mailReports.send({ kind: 'sent', outcome: result.outcome });
          return result;
        },
      },
    };
  };
}

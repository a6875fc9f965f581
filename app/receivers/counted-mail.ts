import { mailReports } from '../../adapters/metrics/reports.ts';
import type { MailSender } from '../../core/mail/mail-sender.port.ts';
import type { LoadMail } from '../../core/mail/mail.ts';

const kinds = ['affiliate', 'invite'] as const;

/** Counts the mails that operators send. */
export function countedMail(load: LoadMail): LoadMail {
  return async () => {
    const mail = await load();
    if (mail === null) return null;
    const send: MailSender['send'] = async (...sent) => {
      const result = await mail.sender.send(...sent);
      const [{ messageId }] = sent;
      mailReports.send({
        kind: kinds.find((each) => messageId.startsWith(`${each}.`)) ?? 'sent',
        outcome: result.outcome,
      });
      return result;
    };
    return { ...mail, sender: { send } };
  };
}

import type { MailSender } from './mail-sender.port.ts';
import type { MailWriter } from './mail-writer.port.ts';

/** The parts that write and send mails. */
export interface Mail {
  readonly sender: MailSender;
  readonly writer: MailWriter;
  /** The host in the ids of mails. */
  readonly host: string;
  /** Whether the links of buyers lead to pages. */
  readonly hasLicensePages: boolean;
  /** Whether affiliates have pages. */
  readonly hasAffiliatePages: boolean;
}

/** Loads what mails need, once; null for a process that sends none. */
export type LoadMail = () => Promise<Mail | null>;

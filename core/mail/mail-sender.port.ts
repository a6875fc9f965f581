import type { MailContent } from './mail-writer.port.ts';

/** A mail to one address. */
export interface OutgoingMail extends MailContent {
  readonly to: string;
  /** The same in every attempt, so that copies are known: `grant.evt_1@licenses.example`, without angle brackets. */
  readonly messageId: string;
}

/**
 * What became of a mail. `sent`: the server has taken it. `refused`: the server knows no such mailbox, and will not.
 * `failed`: anything else; the mail may have arrived although no answer came. The code is the server's reply code, its enhanced
 * status or a word about the connection, such as `timeout`: never the server's text, which quotes addresses.
 */
export type MailResult =
  { readonly outcome: 'sent' } | { readonly outcome: 'failed' | 'refused'; readonly code: string };

export interface MailSender {
  /** Sends a mail, within 12 seconds and until the signal is aborted. Throws nothing. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<MailResult>;
}

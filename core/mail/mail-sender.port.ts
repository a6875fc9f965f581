import type { MailContent } from './mail-writer.port.ts';

/** A mail to one address. */
export interface OutgoingMail extends MailContent {
  readonly to: string;
  /** The same in every attempt, so that copies are known: `grant.evt_1@licenses.example`, without angle brackets. */
  readonly messageId: string;
}

/**
 * The outcome of sending a mail. `sent`: the server has taken it. `refused`: the server knows no such mailbox, and will
 * not. `unconfirmed`: the server got all of it and has not said whether it has taken it, so that nobody knows. `failed`:
 * anything else. The code is the server's reply code, its enhanced status or a word about the connection, such as
 * `timeout`: never the server's text, which quotes addresses.
 */
export type MailResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused' | 'unconfirmed'; readonly code: string }
  | {
      readonly outcome: 'failed';
      readonly code: string;
      /** The advice for the settings; absent where no advice is known. */
      readonly advice?: string;
    };

/** Milliseconds within which a mail has one of these results. */
export const maxMailTime = 15 * 60_000;

export interface MailSender {
  /** Sends a mail, within `maxMailTime` and until the signal is aborted. Throws nothing. */
  send(mail: OutgoingMail, signal?: AbortSignal): Promise<MailResult>;
}

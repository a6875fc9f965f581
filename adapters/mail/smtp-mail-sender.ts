import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mailbox } from '../../core/mail/mail-address.ts';
import type { MailResult, MailSender, OutgoingMail } from '../../core/mail/mail-sender.port.ts';
import { withoutReordering } from '../../core/parsing/reordering.ts';
import { SmtpDelivery, smtpTimes, type SmtpTimes } from './smtp-delivery.ts';
import { failureOf } from './smtp-failure.ts';
import type { SmtpServer } from './smtp-server.ts';

/** The members that all mails have in common. */
export interface Sender {
  readonly from: Mailbox;
  /** Null for `from`. */
  readonly replyTo: Mailbox | null;
  /** The name by which the server is greeted; null for that of this machine. */
  readonly name: string | null;
}

/**
 * The header fields of a mail that is part of no list and wants no automatic answer (RFC 3834, and Microsoft's
 * MS-OXCMAIL).
 */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Sends each mail by a connection of its own. */
export class SmtpMailSender implements MailSender {
  readonly #server: SmtpServer;
  readonly #sender: Sender;
  readonly #times: SmtpTimes;

  constructor(server: SmtpServer, sender: Sender, times = smtpTimes) {
    this.#server = server;
    this.#sender = sender;
    this.#times = times;
  }

  async send(mail: OutgoingMail, signal: AbortSignal = new AbortController().signal): Promise<MailResult> {
    const { from, name } = this.#sender;
    let delivery: SmtpDelivery | null = null;
    try {
      const message = await composed(mail, this.#sender);
      signal.throwIfAborted();
      const handed = { name, from: from.address, to: withAsciiDomain(mail.to), message };
      delivery = new SmtpDelivery(this.#server, handed, this.#times);
      await delivery.run(signal);
      return { outcome: 'sent' };
    } catch (error) {
      return failureOf(signal.aborted ? { code: 'aborted' } : error, delivery?.stage ?? 'connecting', this.#server);
    }
  }
}

/** The bytes of a mail. */
function composed(mail: OutgoingMail, { from, replyTo }: Sender): Promise<Buffer> {
  const { to, messageId, subject, text, html } = mail;
  return new MailComposer({
    from: boxOf(from),
    to: { name: '', address: to },
    ...(replyTo !== null && { replyTo: boxOf(replyTo) }),
    messageId,
    subject: headerText(subject),
    text,
    html,
    headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

function boxOf({ address, name }: Mailbox): { readonly name: string; readonly address: string } {
  return { name: headerText(name ?? ''), address };
}

/** An address whose domain is written as in the DNS: a server without SMTPUTF8 refuses any other. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isAscii = /^[!-~]*$/.test(domain);
  return address.slice(0, at) + (isAscii ? domain : domainToASCII(domain) || domain);
}

/**
 * Separates characters that a reader would decode as an encoded word (RFC 2047), which could hide line ends, and
 * removes characters that change the visible order.
 */
function headerText(text: string): string {
  return withoutReordering(text).replaceAll('=?', '= ?');
}

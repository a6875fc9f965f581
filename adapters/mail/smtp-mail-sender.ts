import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { domainToASCII } from 'node:url';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Mailbox } from '../../core/mail/mail-address.ts';
import type { MailResult, MailSender, OutgoingMail } from '../../core/mail/mail-sender.port.ts';
import { failureOf } from './smtp-failure.ts';
import type { SmtpServer } from './smtp-server.ts';

/** Milliseconds from the first byte to the last answer of a mail. */
const maxTime = 12_000;

/** What all mails have in common. */
export interface Sender {
  readonly from: Mailbox;
  /** Null for `from`. */
  readonly replyTo: Mailbox | null;
}

/** What is part of no list and wants no automatic answer (RFC 3834, and Microsoft's MS-OXCMAIL). */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** Sends each mail by a connection of its own. */
export class SmtpMailSender implements MailSender {
  readonly #server: SmtpServer;
  readonly #sender: Sender;
  readonly #maxTime: number;

  constructor(server: SmtpServer, sender: Sender, time = maxTime) {
    this.#server = server;
    this.#sender = sender;
    this.#maxTime = time;
  }

  async send(mail: OutgoingMail, signal?: AbortSignal): Promise<MailResult> {
    const timeout = AbortSignal.timeout(this.#maxTime);
    const ending = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      const message = await composed(mail, this.#sender);
      ending.throwIfAborted();
      await deliver(this.#server, { from: this.#sender.from.address, to: withAsciiDomain(mail.to), message }, ending);
      return { outcome: 'sent' };
    } catch (error) {
      if (ending.aborted) return { outcome: 'failed', code: timeout.aborted ? 'timeout' : 'aborted' };
      return failureOf(error);
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
    subject: withoutEncodedWords(subject),
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
  return { name: withoutEncodedWords(name ?? ''), address };
}

/** An address whose domain is written as in the DNS: a server without SMTPUTF8 refuses any other. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isAscii = /^[!-~]*$/.test(domain);
  return address.slice(0, at) + (isAscii ? domain : domainToASCII(domain) || domain);
}

/** Separates what a reader would decode as an encoded word (RFC 2047), which could hide line ends. */
function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', '= ?');
}

interface Delivery {
  readonly from: string;
  readonly to: string;
  readonly message: Buffer;
}

/** Hands a mail over. Rejects if the server does not say that it has taken it, or the signal is aborted before. */
async function deliver(server: SmtpServer, { from, to, message }: Delivery, signal: AbortSignal): Promise<void> {
  const socket = connected(server);
  const connection = new SMTPConnection({
    connection: socket,
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    secured: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'plain',
  });
  try {
    await new Promise<void>((resolve, reject) => {
      const { credentials } = server;
      const next = (step: () => void) => (error?: Error | null) => (error ? reject(error) : step());
      const hand = (): void => connection.send({ from, to: [to] }, message, next(resolve));
      const logIn = (): void =>
        credentials === null
          ? hand()
          : connection.login({ user: credentials.user, pass: credentials.password }, next(hand));
      signal.addEventListener('abort', () => reject(signal.reason));
      socket.on('error', reject);
      connection.on('error', reject);
      connection.on('end', () => reject(new ConnectionClosed()));
      socket.once(server.security === 'tls' ? 'secureConnect' : 'connect', () => connection.connect(next(logIn)));
    });
  } catch (error) {
    connection.close();
    socket.destroy();
    throw error;
  }
  connection.quit();
  socket.destroySoon();
}

class ConnectionClosed extends Error {
  readonly code = 'connection_closed';
}

function connected({ host, port, security }: SmtpServer): Socket {
  if (security !== 'tls') return connectPlain({ host, port });
  // RFC 6066 has no addresses as names of servers. The certificate is checked against the host all the same.
  return connectTls({ host, port, servername: isIP(host) === 0 ? host : '' });
}

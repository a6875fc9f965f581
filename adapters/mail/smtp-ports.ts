import type { SmtpServer } from './smtp-server.ts';

/** Ports that begin with TLS, and ports that begin without it (RFC 8314 §3.3, RFC 6409 §3.1; 2525 is used for 587). */
const withTls: ReadonlySet<number> = new Set([465]);
const withoutTls: ReadonlySet<number> = new Set([25, 587, 2525]);

/** Ports for reading mail: POP3 and IMAP, with and without TLS. */
const forReading: ReadonlySet<number> = new Set([110, 143, 993, 995]);

const writeSmtps = 'write smtps:// instead of smtp:// in SMTP_URL';
const writeSmtp = 'write smtp:// instead of smtps:// in SMTP_URL';

/** Says what to write for a port that is known for something else; null for any other. */
export function portAdvice({ port, security }: Pick<SmtpServer, 'port' | 'security'>): string | null {
  if (security !== 'tls' && withTls.has(port)) return `Port ${port} begins with TLS: ${writeSmtps}.`;
  if (security === 'tls' && withoutTls.has(port)) return `Port ${port} begins without TLS: ${writeSmtp}.`;
  return forReading.has(port) ? `Port ${port} is for reading mail: SMTP_URL needs one for sending, 465 or 587.` : null;
}

/** A connection whose server has not greeted. */
export interface UngreetedConnection {
  readonly server: Pick<SmtpServer, 'port' | 'security'>;
  /** Whether the server has answered with TLS. */
  readonly isSecure: boolean;
  /** The code of the error, in lower case. */
  readonly word: string;
  /** The server's words in place of a greeting; empty if it has said nothing. */
  readonly said: string;
}

/** Says what to write where a server has accepted a connection and sent no greeting; null if that is not known. */
export function greetingAdvice({ server, isSecure, word, said }: UngreetedConnection): string | null {
  if (server.security === 'tls' && !isSecure) return tlsAdvice(word);
  // A server that speaks TLS would first send a record, an alert, which is not text.
  const isText = /^[ -~]/.test(said) && !/^\d{3}[ -]/.test(said);
  if (isText) return 'What answers there does not speak SMTP: SMTP_URL needs the host and port for sending mail.';
  if (/^\d{3}/.test(said) || server.security === 'tls') return null;
  return `The server has sent no greeting. If its port begins with TLS, as 465 does, ${writeSmtps}.`;
}

/** Alerts and faults of certificates come from a server that speaks TLS. */
function tlsAdvice(word: string): string | null {
  if (/^err_ssl_(?:wrong_version_number|packet_length_too_long|http_request|unknown_protocol)$/.test(word)) {
    return `The server begins without TLS: ${writeSmtp}.`;
  }
  const isSilent = ['timeout', 'econnreset', 'connection_closed', 'epipe'].includes(word);
  return isSilent ? `The server does not answer TLS. If its port begins without it, as 587 does, ${writeSmtp}.` : null;
}

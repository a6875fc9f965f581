import type { MailResult } from '../../core/mail/mail-sender.port.ts';

/** Statuses of RFC 3463 by which a server says that there is no such mailbox: nothing that is sent there arrives. */
const noMailbox: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** What is known of an error of the library. Its message is left out: servers quote addresses in theirs. */
interface SmtpError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

/** Tells what an error of the connection means for the mail. */
export function failureOf(error: unknown): MailResult {
  const { code, command, response, responseCode } = (error ?? {}) as SmtpError;
  const reply = replyOf(response, responseCode);
  if (reply === null) return { outcome: 'failed', code: wordOf(code) };
  const isRefused = command === 'RCPT TO' && reply.code >= 500 && noMailbox.has(reply.status);
  return { outcome: isRefused ? 'refused' : 'failed', code: `${reply.code} ${reply.status}`.trim() };
}

/** The reply code of a server and its enhanced status, which is empty without one; null if it has not replied. */
function replyOf(response: unknown, code: unknown): { readonly code: number; readonly status: string } | null {
  if (typeof code !== 'number' || code < 200 || code > 599) return null;
  const [, status = ''] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(String(response)) ?? [];
  return { code, status };
}

/** Such as `econnrefused` or `cert_has_expired`. */
function wordOf(code: unknown): string {
  const word = String(code).toLowerCase();
  if (!/^[a-z][a-z0-9_]{2,60}$/.test(word) || code === undefined) return 'failed';
  return word === 'etimedout' ? 'timeout' : word;
}

import type { MailResult } from '../../core/mail/mail-sender.port.ts';
import { greetingAdvice, portAdvice } from './smtp-ports.ts';
import type { SmtpServer } from './smtp-server.ts';

/** Statuses of RFC 3463 by which a server says that there is no such mailbox: nothing that is sent there arrives. */
const noMailbox: ReadonlySet<string> = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** The stage of a connection. */
export type Stage =
  /** Nobody has accepted it. */
  | 'connecting'
  /** It is accepted. */
  | 'connected'
  /** TLS is set up, from the first byte. */
  | 'secured'
  /** The server has sent its greeting. */
  | 'greeted'
  /** The last byte of the mail is written: whether the server has taken it is known by its answer alone. */
  | 'handed over';

/** The known members of an error of the library. Its message is left out: servers quote addresses in theirs. */
interface SmtpError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

/** Translates an error of the connection into the result of the mail. */
export function failureOf(error: unknown, stage: Stage, server: Pick<SmtpServer, 'port' | 'security'>): MailResult {
  const { code, command, response, responseCode } = (error ?? {}) as SmtpError;
  const reply = replyOf(response, responseCode);
  if (reply !== null) {
    const isRefused = command === 'RCPT TO' && isUnknownMailbox(reply);
    return { outcome: isRefused ? 'refused' : 'failed', code: `${reply.code} ${reply.status}`.trim() };
  }
  const word = wordOf(code);
  if (stage === 'handed over') return { outcome: 'unconfirmed', code: word };
  const said = typeof response === 'string' ? response : '';
  const advice = stage === 'greeted' ? null : adviceFor(stage, server, word, said);
  return { outcome: 'failed', code: word, ...(advice !== null && { advice }) };
}

function adviceFor(
  stage: Stage,
  server: Pick<SmtpServer, 'port' | 'security'>,
  word: string,
  said: string,
): string | null {
  if (stage === 'connecting') return portAdvice(server);
  return greetingAdvice({ server, isSecure: stage === 'secured', word, said });
}

/** A reply to an address: 550 alone says that there is no mailbox (RFC 5321 §4.2.3), unless its status says something else. */
function isUnknownMailbox({ code, status }: Reply): boolean {
  return status === '' ? code === 550 : code >= 500 && noMailbox.has(status);
}

interface Reply {
  readonly code: number;
  /** The enhanced status; empty without one. */
  readonly status: string;
}

/** The reply of a server; null if it has not replied. Some servers put the enhanced status in brackets: `(#5.7.1)`. */
function replyOf(response: unknown, code: unknown): Reply | null {
  if (typeof code !== 'number' || code < 200 || code > 599) return null;
  const found = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?:\s|$)|\(#([245]\.\d{1,3}\.\d{1,3})\)/.exec(String(response));
  return { code, status: found?.[1] ?? found?.[2] ?? '' };
}

/** Such as `econnrefused` or `cert_has_expired`. */
function wordOf(code: unknown): string {
  const word = String(code).toLowerCase();
  if (!/^[a-z][a-z0-9_]{2,60}$/.test(word) || code === undefined) return 'failed';
  return word === 'etimedout' ? 'timeout' : word;
}

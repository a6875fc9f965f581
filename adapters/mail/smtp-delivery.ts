import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Stage } from './smtp-failure.ts';
import { portAdvice } from './smtp-ports.ts';
import type { SmtpServer } from './smtp-server.ts';

/** Milliseconds that a server has. */
export interface SmtpTimes {
  /** For each answer before the mail is handed over. RFC 5321 §4.5.3.2 has five minutes; the lease of a stream has less. */
  readonly answer: number;
  /** For its greeting where the port is known to need another scheme, so that this is said soon. */
  readonly unlikelyGreeting: number;
  /** For all answers before the mail is handed over. */
  readonly allAnswers: number;
  /** After the end of the mail (RFC 5321 §4.5.3.2.6): filters look at it. */
  readonly taking: number;
}

const minute = 60_000;

export const smtpTimes: SmtpTimes = {
  answer: 2 * minute,
  unlikelyGreeting: 10_000,
  allAnswers: 5 * minute,
  taking: 10 * minute,
};

/** The library's own timeouts are longer than any of Latchkey's. */
const noTime = 30 * minute;

/** A mail as the server gets it. */
export interface HandedMail {
  /** The name by which the server is greeted; null for that of this machine. */
  readonly name: string | null;
  readonly from: string;
  readonly to: string;
  readonly message: Buffer;
}

/** One mail, by a connection of its own. */
export class SmtpDelivery {
  /** The stage that it has reached. */
  stage: Stage = 'connecting';
  readonly #server: SmtpServer;
  readonly #mail: HandedMail;
  readonly #times: SmtpTimes;
  #timers: { readonly answer: NodeJS.Timeout; readonly all: NodeJS.Timeout } | null = null;
  #onTimeout: () => void = () => undefined;

  constructor(server: SmtpServer, mail: HandedMail, times: SmtpTimes) {
    this.#server = server;
    this.#mail = mail;
    this.#times = times;
  }

  /** Resolves when the server says that it has taken the mail. Rejects if it does not, or if the signal is aborted before. */
  async run(signal: AbortSignal): Promise<void> {
    const socket = connected(this.#server);
    const connection = this.#connection(socket);
    const over = new AbortController();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#onTimeout = () => reject(new SmtpTimeout());
        this.#startTimers();
        signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
        socket.on('error', reject);
        connection.on('error', reject);
        connection.on('end', () => reject(new ConnectionClosed()));
        this.#talk(socket, connection, resolve, reject);
      });
    } catch (error) {
      connection.close();
      socket.destroy();
      throw error;
    } finally {
      over.abort();
      this.#stopTimers();
    }
    connection.quit();
    socket.destroySoon();
  }

  #talk(socket: Socket, connection: SMTPConnection, resolve: () => void, reject: (error: Error) => void): void {
    const { credentials, security } = this.#server;
    const { from, to, message } = this.#mail;
    const next = (step: () => void) => (error?: Error | null) => (error ? reject(error) : step());
    const hand = (): void => connection.send({ from, to: [to] }, message, next(resolve));
    const logIn = (): void =>
      credentials === null
        ? hand()
        : connection.login({ user: credentials.user, pass: credentials.password }, next(hand));
    socket.once('connect', () => {
      this.stage = 'connected';
    });
    socket.once(security === 'tls' ? 'secureConnect' : 'connect', () => {
      if (security === 'tls') this.stage = 'secured';
      connection.connect(next(logIn));
    });
  }

  #connection(socket: Socket): SMTPConnection {
    const { host, port, security } = this.#server;
    const { name } = this.#mail;
    return new SMTPConnection({
      connection: socket,
      host,
      port,
      ...(name !== null && { name }),
      secure: security === 'tls',
      secured: security === 'tls',
      requireTLS: security === 'starttls',
      // Nobody listens between two programs of one machine, whose certificate is seldom one that others trust.
      ...(security === 'plain' && { opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
      connectionTimeout: noTime,
      greetingTimeout: noTime,
      socketTimeout: noTime,
      transactionLog: true,
      logger: this.#listener(),
    });
  }

  /** Hears what was said, in the form of a log. Nothing of it is kept. */
  #listener(): SMTPConnection.Options['logger'] {
    const hear = ({ tnx }: { readonly tnx?: unknown }): void => {
      if (tnx === 'message') this.#handedOver();
      else if (tnx === 'server') this.#heard();
      // A client says nothing before a greeting.
      else if (tnx === 'client' && this.stage !== 'handed over') this.stage = 'greeted';
    };
    return { trace: hear, debug: hear, info: hear, warn: hear, error: hear, fatal: hear };
  }

  #heard(): void {
    if (this.stage !== 'handed over') this.#timers?.answer.refresh();
  }

  #handedOver(): void {
    this.stage = 'handed over';
    if (this.#timers === null) return;
    this.#stopTimers();
    this.#timers = this.#timersOf(this.#times.taking, this.#times.taking);
  }

  #startTimers(): void {
    const { answer, unlikelyGreeting, allAnswers } = this.#times;
    this.#timers = this.#timersOf(answer, allAnswers);
    if (portAdvice(this.#server) === null) return;
    const timer = setTimeout(() => {
      if (this.stage !== 'greeted' && this.stage !== 'handed over') this.#onTimeout();
    }, unlikelyGreeting);
    timer.unref();
  }

  #timersOf(answer: number, all: number): { readonly answer: NodeJS.Timeout; readonly all: NodeJS.Timeout } {
    const timeout = (): void => this.#onTimeout();
    return { answer: setTimeout(timeout, answer), all: setTimeout(timeout, all) };
  }

  #stopTimers(): void {
    clearTimeout(this.#timers?.answer);
    clearTimeout(this.#timers?.all);
    this.#timers = null;
  }
}

class SmtpTimeout extends Error {
  readonly code = 'timeout';
}

class ConnectionClosed extends Error {
  readonly code = 'connection_closed';
}

function connected({ host, port, security }: SmtpServer): Socket {
  if (security !== 'tls') return connectPlain({ host, port });
  // RFC 6066 has no addresses as names of servers. The certificate is checked against the host all the same.
  return connectTls({ host, port, servername: isIP(host) === 0 ? host : '' });
}

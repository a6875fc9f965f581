import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { SmtpServer } from '../../../adapters/mail/smtp-server.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { certificate, certificateKey } from './certificates.ts';

/**
 * The behavior of a server at a step: it takes the mail, at once or after 200 ms, answers with a line of its own, never
 * answers, or cuts the connection.
 */
export type Step = 'take' | 'wait' | 'hang' | 'cut' | readonly [code: number, text: string];

export interface ReceiverOptions {
  readonly security?: SmtpServer['security'];
  readonly credentials?: { readonly user: string; readonly password: string };
  readonly onConnect?: Step;
  readonly onMailFrom?: Step;
  readonly onRecipient?: Step;
  readonly onMail?: Step;
}

/** A mail as its bytes arrived, and as another library reads them. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: Email;
  /** Whether it came through TLS. */
  readonly isSecure: boolean;
}

type Done = (error?: Error | null) => void;

/** An SMTP server of this machine, which takes mails or does what is asked of it. */
export class MailReceiver {
  readonly mails: ReceivedMail[] = [];
  /** The number of connections, and of mails whose bytes came whole, counted before anything is refused. */
  connections = 0;
  transfers = 0;
  options: ReceiverOptions;
  readonly #server: SMTPServer;
  readonly #sockets = new Map<number, Socket>();

  constructor(options: ReceiverOptions = {}) {
    const { security = 'plain', credentials } = options;
    this.options = options;
    this.#server = new SMTPServer({
      secure: security === 'tls',
      key: certificateKey,
      cert: certificate,
      hideSTARTTLS: security === 'plain',
      disabledCommands: security === 'plain' ? ['STARTTLS'] : [],
      authOptional: credentials === undefined,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 1,
      onConnect: (session, done) => {
        this.connections += 1;
        this.#step(this.options.onConnect, session, done);
      },
      onAuth: ({ username, password }, _session, done) => {
        if (username === credentials?.user && password === credentials?.password) done(null, { user: username });
        else done(replied(535, '5.7.8 Who are you, buyer@example.com?'));
      },
      onMailFrom: (_address, session, done) => this.#step(this.options.onMailFrom, session, done),
      onRcptTo: (_address, session, done) => this.#step(this.options.onRecipient, session, done),
      onData: (stream, session, done) => {
        void this.#receive(stream, session, done);
      },
    });
    this.#server.on('error', () => undefined);
    this.#server.server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket.remotePort ?? 0, socket);
    });
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server.server, 'listening');
  }

  /** Where a sender finds it. */
  get address(): SmtpServer {
    const { security = 'plain', credentials = null } = this.options;
    return { host: security === 'plain' ? '127.0.0.1' : 'localhost', port: this.port, security, credentials };
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** The setting that names it. */
  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #receive(stream: AsyncIterable<Buffer>, session: SMTPServerSession, done: Done): Promise<void> {
    const raw = Buffer.concat(await Array.fromAsync(stream)).toString('utf8');
    this.transfers += 1;
    const { mailFrom, rcptTo } = session.envelope;
    const mail = {
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      raw,
      parsed: await PostalMime.parse(raw),
      isSecure: session.secure,
    };
    this.#step(this.options.onMail, session, (error) => {
      if (error === undefined || error === null) this.mails.push(mail);
      done(error);
    });
  }

  #step(step: Step = 'take', session: SMTPServerSession, done: Done): void {
    if (step === 'take') done();
    else if (step === 'wait') setTimeout(done, 200);
    else if (step === 'cut') this.#cut(session);
    else if (step !== 'hang') done(replied(...step));
  }

  #cut({ remotePort }: SMTPServerSession): void {
    this.#sockets.get(remotePort)?.destroy();
  }
}

/** The settings of a service that starts later, when the receiver listens, and then sends to it. */
export function mailing(receiver: MailReceiver): Pick<Settings, 'adminPort' | 'mailFrom' | 'smtpUrl'> {
  return {
    adminPort: 0,
    mailFrom: { name: 'Sketchpad', address: 'keys@sketchpad.example' },
    get smtpUrl() {
      return receiver.address;
    },
  };
}

function replied(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

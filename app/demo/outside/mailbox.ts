import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { listenOnLoopback, type Listening } from './loopback.ts';
import { readMail, type ReadMail } from './read-mail.ts';

/** A mail that the service has sent. */
export interface ReceivedMail extends ReadMail {
  readonly to: string;
  readonly at: Date;
}

/** The mail server of the demo, which keeps mails in memory. */
export interface Mailbox extends Listening {
  /** Oldest first. */
  readonly mails: readonly ReceivedMail[];
}

/** The host of addresses that the server does not know, so that there is a mail that cannot be delivered. */
export const unknownHost = 'gone.example';

/** Starts a mail server on a free port of loopback. It speaks as much SMTP (RFC 5321) as the one sender that it has. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const server: Server = createServer((socket) => void converse(socket, mails).catch(() => socket.destroy()));
  return { ...(await listenOnLoopback(server)), mails };
}

async function converse(socket: Socket, mails: ReceivedMail[]): Promise<void> {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let to = '';
  let content: string[] | null = null;
  socket.setEncoding('latin1').on('error', () => undefined);
  say('220 outbox ESMTP');
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (content !== null && line !== '.') {
      content.push(line.replace(/^\./, ''));
      continue;
    }
    if (content !== null) {
      mails.push({ ...readMail(content), to, at: new Date() });
      content = null;
      say('250 2.0.0 Taken');
      continue;
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1);
    if (verb === 'QUIT') return void socket.end('221 2.0.0 Bye\r\n');
    if (verb === 'RCPT') to = /<(.*)>/.exec(line)?.[1] ?? '';
    if (verb === 'DATA') content = [];
    say(replyTo(verb, to));
  }
}

function replyTo(verb: string, to: string): string {
  switch (verb) {
    case 'EHLO':
    case 'MAIL':
    case 'RSET':
      return '250 OK';
    case 'RCPT':
      return to.endsWith(`@${unknownHost}`) ? '550 5.1.1 No such mailbox' : '250 2.1.5 OK';
    case 'DATA':
      return '354 Go on';
    default:
      return '502 5.5.1 Not known';
  }
}

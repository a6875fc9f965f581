import { createServer, type AddressInfo, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import type { SmtpTimes } from '../../../adapters/mail/smtp-delivery.ts';
import { SmtpMailSender } from '../../../adapters/mail/smtp-mail-sender.ts';
import type { SmtpServer } from '../../../adapters/mail/smtp-server.ts';
import type { MailResult, OutgoingMail } from '../../../core/mail/mail-sender.port.ts';
import { authority } from '../../support/mail/certificates.ts';
import { MailReceiver, type ReceiverOptions, type Step } from '../../support/mail/mail-receiver.ts';

const mail: OutgoingMail = {
  to: 'buyer@example.com',
  messageId: 'grant.evt_1@licenses.sketchpad.example',
  subject: 'Your Sketchpad license key',
  text: 'Thank you.\n\n    LK-7Q2M9\n.\nFrom here on.\n',
  html: '<p>Thank you, Zoë.</p>',
};

const from = { name: 'Sketchpad', address: 'keys@sketchpad.example' };
const name = 'licenses.sketchpad.example';

function sendTo(server: SmtpServer, change: Partial<OutgoingMail> = {}, signal?: AbortSignal): Promise<MailResult> {
  const replyTo = { name: null, address: 'help@sketchpad.example' };
  return new SmtpMailSender(server, { from, replyTo, name }).send({ ...mail, ...change }, signal);
}

describe('a sender of mail over SMTP', () => {
  const receivers: MailReceiver[] = [];

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });

  async function receiving(options: ReceiverOptions = {}): Promise<MailReceiver> {
    const receiver = new MailReceiver(options);
    receivers.push(receiver);
    await receiver.listen();
    return receiver;
  }

  it('sends a mail in both forms, which says that nobody wrote it', async () => {
    const receiver = await receiving();
    expect(await sendTo(receiver.address)).to.deep.equal({ outcome: 'sent' });
    const [received, ...others] = receiver.mails;
    expect(others).to.deep.equal([]);
    expect([received?.from, received?.to]).to.deep.equal(['keys@sketchpad.example', ['buyer@example.com']]);
    const { parsed, raw = '' } = received ?? {};
    expect(parsed).to.deep.include({
      from: from,
      to: [{ address: 'buyer@example.com', name: '' }],
      replyTo: [{ address: 'help@sketchpad.example', name: '' }],
      subject: mail.subject,
      messageId: `<${mail.messageId}>`,
      attachments: [],
    });
    expect(parsed?.text?.replaceAll('\r\n', '\n').trimEnd()).to.equal(mail.text.trimEnd());
    expect(parsed?.html?.trim()).to.equal(mail.html);
    const named = new Map(parsed?.headers.map(({ key, value }) => [key, value]));
    expect(named.get('auto-submitted')).to.equal('auto-generated');
    expect(named.get('x-auto-response-suppress')).to.equal('All');
    expect([...named.keys()]).to.not.include('list-unsubscribe');
    expect(raw).to.not.match(/x-mailer|user-agent/i);
  });

  it('names a domain as the DNS does, which a server takes that knows ASCII alone', async () => {
    const said: string[] = [];
    const server = await talking(said, /^(?:EHLO|MAIL)/);
    const { port } = server.address() as AddressInfo;
    await sendTo({ host: 'localhost', port, security: 'plain', credentials: null }, { to: 'ada@bücher.example' });
    server.close();
    expect(said.find((line) => line.startsWith('RCPT'))).to.equal('RCPT TO:<ada@xn--bcher-kva.example>\r\n');
  });

  for (const text of [
    'Zoë’s Skizzenblock 図 🎨',
    'عربي \u202Eabc',
    'Sketchpad\r\nBcc: all@example.com',
    'Sketchpad\nX-Injected: yes\n\nbody',
    '=?utf-8?Q?Sketch=0D=0ABcc:_all@example.com?=',
    'a'.repeat(300),
    '<script>"quoted", \\back',
  ]) {
    it(`keeps ${JSON.stringify(text.slice(0, 30))} in the names and the subject`, async () => {
      const receiver = await receiving();
      const sender = new SmtpMailSender(receiver.address, { from: { ...from, name: text }, replyTo: null, name });
      expect(await sender.send({ ...mail, subject: text })).to.deep.equal({ outcome: 'sent' });
      const [received] = receiver.mails;
      const oneLine = text.replaceAll('\u202E', '').replaceAll(/\s+/g, ' ').replaceAll('=?', '= ?');
      expect(received?.to).to.deep.equal(['buyer@example.com']);
      expect(received?.parsed.bcc).to.equal(undefined);
      expect(received?.parsed.headers.map(({ key }) => key)).to.not.include('x-injected');
      expect(received?.parsed.subject?.replaceAll(/\s+/g, ' ')).to.equal(oneLine);
      expect(received?.parsed.from?.name?.replaceAll(/\s+/g, ' ')).to.equal(oneLine);
      expect(received?.parsed.from?.address).to.equal(from.address);
      expect(received?.parsed.html?.trim()).to.equal(mail.html);
    });
  }

  const unknownBoxes = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'];
  const refusals: readonly (readonly [keyof ReceiverOptions, Step, MailResult])[] = [
    ...unknownBoxes.map(
      (status) =>
        [
          'onRecipient' as const,
          [550, `${status} <buyer@example.com>: no such user`] as const,
          { outcome: 'refused' as const, code: `550 ${status}` },
        ] as const,
    ),
    ['onRecipient', [553, '5.1.3 Bad address'], { outcome: 'refused', code: '553 5.1.3' }],
    ['onRecipient', [550, '5.7.1 Relaying denied for buyer@example.com'], { outcome: 'failed', code: '550 5.7.1' }],
    ['onRecipient', [550, 'No such user buyer@example.com'], { outcome: 'refused', code: '550' }],
    ['onRecipient', [550, 'Rejected for buyer@example.com (#5.7.1)'], { outcome: 'failed', code: '550 5.7.1' }],
    ['onRecipient', [550, 'No buyer@example.com here (#5.1.1)'], { outcome: 'refused', code: '550 5.1.1' }],
    ['onRecipient', [551, 'Try buyer@example.org'], { outcome: 'failed', code: '551' }],
    ['onRecipient', [554, 'Transaction failed'], { outcome: 'failed', code: '554' }],
    ['onRecipient', [450, 'Mailbox busy'], { outcome: 'failed', code: '450' }],
    ['onMailFrom', [550, 'Who is keys@sketchpad.example?'], { outcome: 'failed', code: '550' }],
    ['onMail', [550, 'Spam'], { outcome: 'failed', code: '550' }],
    ['onRecipient', [550, '5.1.100 Something else'], { outcome: 'failed', code: '550 5.1.100' }],
    ['onRecipient', [552, '5.2.2 Mailbox full'], { outcome: 'failed', code: '552 5.2.2' }],
    ['onRecipient', [450, '4.2.1 Greylisted'], { outcome: 'failed', code: '450 4.2.1' }],
    ['onRecipient', [450, '5.1.1 Both'], { outcome: 'failed', code: '450 5.1.1' }],
    ['onMailFrom', [550, '5.1.1 keys@sketchpad.example?'], { outcome: 'failed', code: '550 5.1.1' }],
    ['onMail', [550, '5.1.1 After the data'], { outcome: 'failed', code: '550 5.1.1' }],
    ['onMail', [451, '4.3.0 Try again'], { outcome: 'failed', code: '451 4.3.0' }],
    ['onConnect', [554, '5.3.2 No service'], { outcome: 'failed', code: '554' }],
  ];
  for (const [step, answer, result] of refusals) {
    it(`takes ${answer.toString()} of ${step} as ${result.outcome}, and keeps the text of the server to itself`, async () => {
      const receiver = await receiving({ [step]: answer });
      const outcome = await sendTo(receiver.address);
      expect(outcome.outcome).to.equal(result.outcome);
      expect(outcome)
        .to.have.property('code')
        .that.matches(/^\d{3}( \d\.\d{1,3}\.\d{1,3})?$/);
      if (step !== 'onConnect') expect(outcome).to.deep.equal(result);
      expect(receiver.mails).to.deep.equal([]);
    });
  }

  for (const step of ['onConnect', 'onMailFrom', 'onRecipient', 'onMail'] as const) {
    const unsent = step === 'onMail' ? 'unconfirmed' : 'failed';

    it(`ends as ${unsent} where the server is silent at ${step}`, async () => {
      const receiver = await receiving({ [step]: 'hang' });
      const sender = new SmtpMailSender(receiver.address, { from, replyTo: null, name }, soonForSilence);
      expect(await sender.send(mail)).to.deep.include({ outcome: unsent, code: 'timeout' });
      expect(receiver.mails).to.deep.equal([]);
    });

    it(`ends as ${unsent} where the server cuts the connection at ${step}`, async () => {
      const receiver = await receiving({ [step]: 'cut' });
      const { outcome, ...rest } = await sendTo(receiver.address);
      expect(outcome).to.equal(unsent);
      expect(rest)
        .to.have.property('code')
        .that.matches(/^[a-z_]+$/)
        .and.is.not.equal('timeout');
      expect(receiver.mails).to.deep.equal([]);
    });
  }

  it('counts the time of each answer from the one before, and that of the end from the end of the mail', async () => {
    const receiver = await receiving({ onConnect: 'wait', onMailFrom: 'wait', onRecipient: 'wait', onMail: 'wait' });
    // Four answers of 200 ms each: longer together than one may take, and the last longer than one before the end may.
    const times = { ...allTimes(700), taking: 60_000, allAnswers: 60_000 };
    const sender = new SmtpMailSender(receiver.address, { from, replyTo: null, name }, times);
    expect(await sender.send(mail)).to.deep.equal({ outcome: 'sent' });
    const brief = { ...allTimes(5000), allAnswers: 300 };
    const late = await new SmtpMailSender(receiver.address, { from, replyTo: null, name }, brief).send(mail);
    expect(late).to.deep.include({ outcome: 'failed', code: 'timeout' });
  });

  it('greets with its name, and with that of the machine where it has none', async () => {
    for (const own of [name, null]) {
      const said: string[] = [];
      const server = await talking(said);
      const { port } = server.address() as AddressInfo;
      const address = { host: 'localhost', port, security: 'plain', credentials: null } as const;
      await new SmtpMailSender(address, { from, replyTo: null, name: own }).send(mail);
      server.close();
      if (own === null) expect(said[0]).to.match(/^EHLO \S+\r\n/);
      else expect(said[0]).to.equal(`EHLO ${own}\r\n`);
    }
  });

  describe('to a port that speaks something else', () => {
    const servers: Server[] = [];

    afterEach(() => {
      for (const server of servers.splice(0)) server.close();
    });

    /** Sends to a server that says this first, or nothing (null). */
    async function answerOf(security: SmtpServer['security'], greeting: string | null): Promise<MailResult> {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume();
        if (greeting !== null) socket.end(greeting);
      });
      servers.push(server);
      await new Promise<void>((resolve) => {
        server.listen(0, 'localhost', resolve);
      });
      const { port } = server.address() as AddressInfo;
      const address = { host: 'localhost', port, security, credentials: null };
      const times = greeting === null ? soonForSilence : allTimes(60_000);
      return new SmtpMailSender(address, { from, replyTo: null, name }, times).send(mail);
    }

    const rows: readonly (readonly [SmtpServer['security'], string | null, RegExp])[] = [
      ['tls', '220 mail.test ESMTP\r\n', /^The server begins without TLS: write smtp:\/\//],
      ['tls', '* OK IMAP4rev1 ready\r\n', /^The server begins without TLS: write smtp:\/\//],
      ['tls', '', /^The server does not answer TLS\..* write smtp:\/\//],
      ['tls', null, /^The server does not answer TLS\..* write smtp:\/\//],
      ['starttls', null, /^The server has sent no greeting\..* write smtps:\/\//],
      ['starttls', '', /^The server has sent no greeting\..* write smtps:\/\//],
      ['plain', '\x15\x03\x01\0\x02\x02\x46', /^The server has sent no greeting\..* write smtps:\/\//],
      ['plain', '* OK IMAP4rev1 ready\r\n', /does not speak SMTP/],
      ['starttls', '+OK POP3 ready\r\n', /does not speak SMTP/],
    ];
    for (const [security, greeting, advice] of rows) {
      it(`says what to write where ${security} meets ${JSON.stringify(greeting)}`, async () => {
        const result = await answerOf(security, greeting);
        expect(result).to.have.property('outcome', 'failed');
        expect(result).to.have.property('advice').that.matches(advice);
      });
    }

    it('says nothing of the scheme to a server that refuses', async () => {
      for (const greeting of ['554 No service\r\n', '421 Too busy\r\n']) {
        expect(await answerOf('starttls', greeting)).to.not.have.property('advice');
      }
    });
  });

  it('ends at once when the signal is aborted, before, meanwhile and after the end of the mail', async () => {
    const receiver = await receiving({ onMail: 'hang' });
    expect(await sendTo(receiver.address, {}, AbortSignal.abort())).to.deep.equal({
      outcome: 'failed',
      code: 'aborted',
    });
    expect(receiver.connections).to.equal(0);
    const stopping = new AbortController();
    const sending = sendTo(receiver.address, {}, stopping.signal);
    while (receiver.transfers === 0) await new Promise(setImmediate);
    stopping.abort();
    expect(await sending).to.deep.equal({ outcome: 'unconfirmed', code: 'aborted' });
    receiver.options = { onRecipient: 'hang' };
    const [before, cutting] = [receiver.connections, new AbortController()];
    const cut = sendTo(receiver.address, {}, cutting.signal);
    while (receiver.connections === before) await new Promise(setImmediate);
    cutting.abort();
    expect(await cut).to.deep.equal({ outcome: 'failed', code: 'aborted' });
  });

  it('fails where nobody listens', async () => {
    const receiver = await receiving();
    const { address } = receiver;
    await receiver.close();
    receivers.length = 0;
    expect(await sendTo(address)).to.deep.equal({ outcome: 'failed', code: 'econnrefused' });
  });

  describe('with TLS', () => {
    const trusted = getCACertificates();

    afterEach(() => setDefaultCACertificates(trusted));

    for (const security of ['tls', 'starttls'] as const) {
      it(`sends by ${security} to a server whose certificate is right`, async () => {
        setDefaultCACertificates([...trusted, authority]);
        const receiver = await receiving({ security, credentials: { user: 'keys', password: 's3cret' } });
        expect(await sendTo(receiver.address)).to.deep.equal({ outcome: 'sent' });
        expect(receiver.mails.map(({ isSecure }) => isSecure)).to.deep.equal([true]);
      });

      it(`sends nothing by ${security} where the authority is unknown`, async () => {
        const receiver = await receiving({ security });
        expect(await sendTo(receiver.address)).to.have.property('outcome', 'failed');
        expect(receiver.transfers).to.equal(0);
      });

      it(`sends nothing by ${security} where the certificate is for another host`, async () => {
        setDefaultCACertificates([...trusted, authority]);
        const receiver = await receiving({ security });
        const server = { ...receiver.address, host: '127.0.0.1' };
        expect(await sendTo(server)).to.have.property('outcome', 'failed');
        expect(receiver.transfers).to.equal(0);
      });
    }

    it('uses STARTTLS where a server of this machine offers it, whoever made its certificate', async () => {
      const receiver = await receiving({ security: 'starttls', credentials: { user: 'keys', password: 's3cret' } });
      const server = { ...receiver.address, host: '127.0.0.1', security: 'plain' } as const;
      expect(await sendTo(server)).to.deep.equal({ outcome: 'sent' });
      expect(receiver.mails.map(({ isSecure }) => isSecure)).to.deep.equal([true]);
    });

    it('says no word of the credentials and the mail to a server without STARTTLS', async () => {
      const said: string[] = [];
      const server = await talking(said);
      const { port } = server.address() as AddressInfo;
      const credentials = { user: 'keys', password: 's3cret' };
      const result = await sendTo({ host: 'localhost', port, security: 'starttls', credentials });
      expect(result).to.have.property('outcome', 'failed');
      expect(said.join(''))
        .to.match(/^EHLO [^\r\n]*\r\nSTARTTLS\r\n/)
        .and.not.match(/AUTH|MAIL|RCPT/);
      server.close();
    });

    it('fails with the code of the server for wrong credentials', async () => {
      const receiver = await receiving({ credentials: { user: 'keys', password: 's3cret' } });
      const server = { ...receiver.address, credentials: { user: 'keys', password: 'wrong' } };
      expect(await sendTo(server)).to.deep.equal({ outcome: 'failed', code: '535 5.7.8' });
      expect(await sendTo(receiver.address)).to.deep.equal({ outcome: 'sent' });
    });
  });
});

/** A silent server is left after a second, which is enough for one that answers on a busy machine. */
const soonForSilence: SmtpTimes = { ...allTimes(1000), allAnswers: 60_000 };

/** The same time for everything. */
function allTimes(time: number): SmtpTimes {
  return { answer: time, unlikelyGreeting: time, allAnswers: time, taking: time };
}

/**
 * A server that greets, offers nothing and knows no other commands, such as STARTTLS. It keeps the lines that it was
 * sent.
 */
async function talking(said: string[], known = /^EHLO/): Promise<Server> {
  const server = createServer((socket) => {
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.write('220 mail.test ESMTP\r\n');
    socket.on('data', (text: string) => {
      said.push(text);
      socket.write(known.test(text) ? '250 mail.test\r\n' : '502 5.5.1 Not known\r\n');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', resolve);
  });
  return server;
}

import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { AddressGuard, type Resolve } from '../../../../adapters/http/webhooks/address-guard.ts';
import { WebhookSender } from '../../../../adapters/http/webhooks/webhook-sender.ts';
import type { Delivery, DeliveryOutcome } from '../../../../core/webhook/send-delivery.ts';
import { anEvent, aSubscription, noon } from '../../../support/builders.ts';
import { aSecret } from '../../../support/webhooks/builders.ts';
import { loopback } from '../../../support/webhooks/deliveries.ts';
import { answerWith, Receiver, type Answer } from '../../../support/webhooks/receiver.ts';

const message = anEvent(aSubscription({ sequence: 3 }), { id: 'evt_abc' });

/** A whole second, as a date of HTTP is one. */
const now = new Date(Math.floor(Date.now() / 1000) * 1000);

function senderTo(networks: readonly string[], resolve?: Resolve, timeout?: number): WebhookSender {
  return new WebhookSender(new AddressGuard(networks, resolve), 'latchkey/test', () => now, timeout);
}

/** Leads each name to the next of these answers, the last one from then on. */
function resolving(...answers: readonly (readonly string[])[]): Resolve {
  let calls = 0;
  return (_name, done) => {
    const addresses = answers[Math.min(calls, answers.length - 1)] ?? [];
    calls += 1;
    const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => done(null, found));
  };
}

function failing(code: string): Resolve {
  return (_name, done) => void setImmediate(() => done(Object.assign(new Error('the look-up failed'), { code }), []));
}

/** Of a delivery to public addresses only, of which none was found. */
const hidden = {
  kind: 'failed',
  answer: 'an address that is unknown or not allowed',
  status: null,
  retryAfter: null,
} as const;

describe('WebhookSender', () => {
  let receiver: Receiver;
  const senders: WebhookSender[] = [];

  beforeEach(async () => {
    receiver = await Receiver.start();
    receiver.secrets = [aSecret];
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) sender.close();
    await receiver.close();
    expect(receiver.forged).to.deep.equal([]);
  });

  function send(
    overrides: Partial<Delivery> = {},
    {
      networks = loopback,
      resolve,
      timeout,
    }: { networks?: readonly string[]; resolve?: Resolve; timeout?: number } = {},
  ): Promise<DeliveryOutcome> {
    const sender = senderTo(networks, resolve, timeout);
    senders.push(sender);
    return sender.send({ url: receiver.url, isPublicOnly: false, keys: [aSecret], message, ...overrides });
  }

  it('reaches no allowed network with a delivery to public addresses only', async () => {
    expect(await send({ isPublicOnly: true })).to.deep.equal(hidden);
    expect(receiver.received).to.deep.equal([]);
  });

  const lookUps: readonly (readonly [what: string, url: string, resolve: Resolve, answer: string])[] = [
    ['an unknown name', 'https://merchant.test/', failing('ENOTFOUND'), 'no connection (ENOTFOUND)'],
    [
      'a name that cannot be looked up now',
      'https://merchant.test/',
      failing('EAI_AGAIN'),
      'no connection (EAI_AGAIN)',
    ],
    ['a name whose server fails', 'https://merchant.test/', failing('ESERVFAIL'), 'no connection (ESERVFAIL)'],
    ['a name without an address', 'https://merchant.test/', resolving([]), 'an address that is not allowed'],
    ['a private name', 'https://merchant.test/', resolving(['10.0.0.1']), 'an address that is not allowed'],
    ['one in another family', 'https://merchant.test/', resolving(['fd00::1']), 'an address that is not allowed'],
    ['a name of both', 'https://merchant.test/', resolving(['93.184.216.34', '::1']), 'an address that is not allowed'],
    ['a private address', 'https://10.0.0.1/', resolving([]), 'an address that is not allowed'],
    ['http to a public name', 'http://merchant.test/', resolving(['93.184.216.34']), 'an address that is not allowed'],
  ];
  for (const [what, url, resolve, answer] of lookUps) {
    it(`gives one reason for ${what} to public addresses only, and the exact one otherwise`, async () => {
      expect(await send({ url, isPublicOnly: true }, { resolve })).to.deep.equal(hidden);
      expect(await send({ url }, { resolve })).to.deep.equal({ ...hidden, answer });
      expect(await send({ url }, { resolve, networks: [] })).to.deep.equal({ ...hidden, answer });
    });
  }

  it('sends the event without its id, which is a field, with a good signature', async () => {
    expect(await send()).to.deep.equal({ kind: 'delivered', answer: 'status 204', status: 204 });
    const [received] = receiver.received;
    expect([received?.id, received?.type, received?.sequence]).to.deep.equal(['evt_abc', message.type, 3]);
    expect(received?.timestamp).to.equal(message.at.toISOString());
  });

  it('sends a test message', async () => {
    await send({ message: { id: 'evt_test', type: 'webhook.test', at: noon } });
    expect(receiver.received).to.deep.equal([
      {
        id: 'evt_test',
        type: 'webhook.test',
        timestamp: noon.toISOString(),
        data: {},
        entitlementId: undefined,
        sequence: undefined,
        signatures: 1,
      },
    ]);
  });

  const statuses: readonly (readonly [status: number, outcome: DeliveryOutcome])[] = [
    [200, { kind: 'delivered', answer: 'status 200', status: 200 }],
    [202, { kind: 'delivered', answer: 'status 202', status: 202 }],
    [302, { kind: 'failed', answer: 'status 302', status: 302, retryAfter: null }],
    [304, { kind: 'failed', answer: 'status 304', status: 304, retryAfter: null }],
    [400, { kind: 'failed', answer: 'status 400', status: 400, retryAfter: null }],
    [410, { kind: 'gone', answer: 'status 410', status: 410 }],
    [500, { kind: 'failed', answer: 'status 500', status: 500, retryAfter: null }],
  ];
  for (const [status, outcome] of statuses) {
    it(`counts ${status} as ${outcome.kind}, and follows no redirect`, async () => {
      receiver.answer = answerWith(status, { location: `${receiver.url}/elsewhere` });
      expect(await send()).to.deep.equal(outcome);
      expect(receiver.received).to.have.length(1);
    });
  }

  const waits: readonly (readonly [field: string, milliseconds: number | null])[] = [
    ['120', 120_000],
    ['0', 0],
    [new Date(+now + 90_000).toUTCString(), 90_000],
    [new Date(+now - 90_000).toUTCString(), 0],
    ['soon', null],
    ['-1', null],
  ];
  for (const [field, retryAfter] of waits) {
    it(`reads Retry-After: ${field}`, async () => {
      receiver.answer = answerWith(429, { 'Retry-After': field });
      expect(await send()).to.deep.equal({ kind: 'failed', answer: 'status 429', status: 429, retryAfter });
    });
  }

  it('counts an answer after the timeout as a failure, however it begins', async () => {
    const slow: readonly Answer[] = [
      async (response) => {
        await new Promise((resolve) => setTimeout(resolve, 700));
        response.writeHead(200).end();
      },
      (response) => void response.writeHead(200).write('a part'),
    ];
    for (const answer of slow) {
      receiver.answer = answer;
      const outcome = await send({}, { timeout: 300 });
      expect(outcome).to.deep.equal({ kind: 'failed', answer: 'no answer in time', status: null, retryAfter: null });
    }
  });

  it('waits 15 seconds', async () => {
    receiver.answer = async (response) => {
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      response.writeHead(200).end();
    };
    const from = performance.now();
    const outcome = await send();
    expect(outcome).to.deep.equal({ kind: 'failed', answer: 'no answer in time', status: null, retryAfter: null });
    expect(performance.now() - from).to.be.at.least(14_900);
  });

  it('waits no longer for the addresses of a name', async () => {
    const outcome = await send({ url: 'http://merchant.test/' }, { resolve: () => undefined, timeout: 100 });
    expect(outcome).to.deep.equal({ kind: 'failed', answer: 'no answer in time', status: null, retryAfter: null });
  });

  it('reads an answer of 64 KiB, and counts a larger or endless one as a failure', async () => {
    receiver.answer = (response) => void response.writeHead(200).end(Buffer.alloc(64 * 1024));
    expect(await send()).to.deep.equal({ kind: 'delivered', answer: 'status 200', status: 200 });
    let sent = 0;
    receiver.answer = (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) sent += 1;
      };
      response.on('drain', more);
      more();
    };
    expect(await send()).to.deep.equal({
      kind: 'failed',
      answer: 'an answer over 64 KiB',
      status: null,
      retryAfter: null,
    });
    expect(sent).to.be.below(10_000);
  });

  describe('counts as a failure', () => {
    const answers: readonly (readonly [name: string, bytes: string, answer: string])[] = [
      [
        'a change of the protocol',
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n',
        'status 101',
      ],
      ['a change of the protocol that names none', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'status 101'],
      [
        'interim answers without an end',
        'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n'.repeat(1000),
        'over 100 interim answers',
      ],
      ['interim answers, then silence', 'HTTP/1.1 102 Processing\r\n\r\n', 'no answer in time'],
      ['a header section without an end', 'HTTP/1.1 200 OK\r\nA: b\r\n', 'no answer in time'],
      ['a chunk without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na', 'no answer in time'],
      [
        'trailers without an end',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\n',
        'no answer in time',
      ],
      ['what is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'no connection (HPE_INVALID_CONSTANT)'],
    ];
    for (const [name, bytes, answer] of answers) {
      it(name, async () => {
        receiver.answer = (response) => void response.socket?.write(bytes);
        const timeout = answer === 'no answer in time' ? 1000 : undefined;
        expect(await send({}, timeout === undefined ? {} : { timeout })).to.deep.equal({
          kind: 'failed',
          answer,
          status: answer === 'status 101' ? 101 : null,
          retryAfter: null,
        });
      });
    }
  });

  it('accepts an answer after interim ones', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100);
    receiver.answer = (response) => void response.socket?.write(`${hints}HTTP/1.1 204 No Content\r\n\r\n`);
    expect(await send()).to.deep.equal({ kind: 'delivered', answer: 'status 204', status: 204 });
  });

  it('counts a connection that is refused or cut off as a failure', async () => {
    receiver.answer = (response) => void response.destroy();
    expect(await send()).to.deep.equal({
      kind: 'failed',
      answer: 'no connection (ECONNRESET)',
      status: null,
      retryAfter: null,
    });
    const refused = await send({ url: 'http://127.0.0.1:1/' });
    expect(refused).to.deep.equal({
      kind: 'failed',
      answer: 'no connection (ECONNREFUSED)',
      status: null,
      retryAfter: null,
    });
  });

  it('uses a connection again', async () => {
    const sender = senderTo(loopback);
    senders.push(sender);
    const ports = new Set<unknown>();
    receiver.answer = (response) => {
      ports.add(response.socket?.remotePort);
      response.writeHead(200).end('ok');
    };
    for (const _ of [1, 2, 3]) await sender.send({ url: receiver.url, isPublicOnly: false, keys: [aSecret], message });
    expect(ports.size).to.equal(1);
  });

  describe('refuses addresses that are not public', () => {
    const forbidden = { kind: 'failed', answer: 'an address that is not allowed', status: null, retryAfter: null };
    const addresses = `127.0.0.1 127.1.2.3 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254
      100.64.0.1 192.0.2.1 198.18.0.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
      [::1] [::] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [fe80::1] [fc00::1] [fd00:ec2::254]
      [64:ff9b::7f00:1] [2002:7f00:1::] [100::1] [2001:db8::1] [3fff::1] [5f00::1] [ff02::1]
      2130706433 0x7f.1 0177.0.0.1 localhost`;
    for (const address of addresses.split(/\s+/)) {
      it(address, async () => {
        for (const networks of [[], ['10.99.0.0/16']]) {
          expect(await send({ url: `https://${address}:${receiver.port}/` }, { networks }), 'https').to.deep.equal(
            forbidden,
          );
          expect(await send({ url: `http://${address}:${receiver.port}/` }, { networks }), 'http').to.deep.equal(
            forbidden,
          );
        }
        expect(receiver.received).to.deep.equal([]);
      });
    }

    it('of a name that leads to one of them, first or last', async () => {
      for (const found of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::1', '93.184.216.34']]) {
        const resolve = resolving(found);
        expect(await send({ url: 'https://merchant.test/' }, { networks: [], resolve })).to.deep.equal(forbidden);
      }
    });

    it('of a name that leads to another address at its second look-up', async () => {
      const url = `http://merchant.test:${receiver.port}/`;
      const rebinding = resolving(['10.99.0.1'], ['127.0.0.1']);
      expect(await send({ url }, { networks: ['10.99.0.0/16'], resolve: rebinding })).to.deep.equal(forbidden);
      const secure = `https://merchant.test:${receiver.port}/`;
      const later = resolving(['93.184.216.34'], ['127.0.0.1']);
      expect(await send({ url: secure }, { networks: ['10.99.0.0/16'], resolve: later })).to.deep.equal(forbidden);
      expect(receiver.received).to.deep.equal([]);
    });

    it('even to http at a public address, and to a name without an address', async () => {
      const resolve = resolving(['93.184.216.34']);
      for (const networks of [[], loopback]) {
        expect(await send({ url: 'http://merchant.test/' }, { networks, resolve })).to.deep.equal(forbidden);
      }
      const none = await send({ url: 'http://merchant.test/' }, { resolve: resolving([]) });
      expect(none).to.deep.equal(forbidden);
    });

    it('and reaches a name in the allowed networks by the address that was checked', async () => {
      const resolve = resolving(['127.0.0.1']);
      const url = `http://merchant.test:${receiver.port}/`;
      expect(await send({ url }, { resolve })).to.deep.equal({ kind: 'delivered', answer: 'status 204', status: 204 });
      const mixed = resolving(['127.0.0.1', '93.184.216.34']);
      expect(await send({ url }, { resolve: mixed })).to.deep.equal(forbidden);
    });
  });
});

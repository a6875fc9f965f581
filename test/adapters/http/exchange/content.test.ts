import { expect } from 'chai';
import { BodyBudget } from '../../../../adapters/http/content/body-budget.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { eventually } from '../../../support/eventually.ts';
import { chunkedHead, chunksOfOneByte, flood, sizedHead } from '../../../support/flood/flood.ts';
import { RawClient, type RawResponse } from '../../../support/http/raw-client.ts';
import { bearer } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { range } from '../../../support/range.ts';

const email = '{"email":"ada@example.com"}';
const bodyLimit = 16 * 1024;

function codeOf({ status, headers }: RawResponse): readonly unknown[] {
  return [status, headers['error-code']?.[0], headers['retry-after']?.[0], headers['connection']?.[0]];
}

/** Signs up from an address. */
async function joinFrom(url: string, address?: string): Promise<readonly unknown[]> {
  const client = new RawClient(url, address);
  client.send(sizedHead('/api/waitlist', email.length) + email);
  const answer = await client.read('POST');
  client.close();
  return codeOf(answer);
}

describe('the bodies of all requests', () => {
  const start = populatedServices();
  const tooMany = [500, 'too_many_bodies', '1', 'close'];
  const joined = [200, undefined, undefined, 'keep-alive'];

  it('are refused beyond the budget of the process, which comes back with each that ends', async () => {
    const { url } = await start({ bodies: new BodyBudget(4 * bodyLimit), trustedProxies: ['loopback'] });
    const join = async (): Promise<readonly unknown[]> => joinFrom(url);
    expect(await join()).to.deep.equal(joined);
    const held = range(4).map(() => flood(url, sizedHead('/api/waitlist', bodyLimit), Buffer.from('x'), bodyLimit - 1));
    expect(await eventually(join, ([status]) => status === 500)).to.deep.equal(tooMany);
    const withoutBody = await fetch(`${url}/livez`);
    expect(withoutBody.status).to.equal(200);
    for (const socket of held) socket.destroy();
    expect(await eventually(join, ([status]) => status === 200)).to.deep.equal(joined);
  });

  it('of one address are refused beyond a quarter of it, and those of others are not', async () => {
    const { url } = await start({ bodies: new BodyBudget(8 * bodyLimit) });
    const held = range(2).map(() => flood(url, sizedHead('/api/waitlist', bodyLimit), Buffer.from('x'), bodyLimit - 1));
    expect(
      await eventually(
        () => joinFrom(url),
        ([status]) => status === 500,
      ),
    ).to.deep.equal(tooMany);
    expect(await joinFrom(url, '127.0.0.2')).to.deep.equal(joined);
    for (const socket of held) socket.destroy();
    expect(
      await eventually(
        () => joinFrom(url),
        ([status]) => status === 200,
      ),
    ).to.deep.equal(joined);
  });

  it('give back what they held, whatever becomes of them', async () => {
    const budget = new BodyBudget(4 * bodyLimit);
    const { url } = await start({ bodies: budget });
    const requests = [
      sizedHead('/api/waitlist', email.length) + email,
      sizedHead('/api/waitlist', 3) + 'no!',
      chunkedHead('/api/waitlist') + `${email.length.toString(16)}\r\n${email}\r\n0\r\n\r\n`,
      chunkedHead('/api/waitlist') + '1\r\nx\r\n'.repeat(300),
      chunkedHead('/nowhere') + '3\r\nabc\r\n',
      chunkedHead('/livez') + '3\r\nabc\r\n0\r\n\r\n',
      sizedHead('/api/app-entitlements/ent_1/cancel', 5) + 'abc',
      sizedHead('/api/app-entitlements/ent_1/cancel', 5, [bearer()]) + 'abcde',
    ];
    for (const request of requests) {
      const client = new RawClient(url);
      client.send(request);
      await client.read('POST');
      client.close();
    }
    for (const request of requests) {
      const client = new RawClient(url);
      client.send(request.slice(0, -1));
      await waitUntil(() => client.socket.bytesWritten > 0);
      client.close();
    }
    // One whose turn never comes, because nobody reads the answer before it.
    const waiting = new RawClient(url);
    waiting.socket.pause();
    waiting.send('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50) + requests[0]);
    await waitUntil(() => budget.left < 4 * bodyLimit);
    waiting.close();
    await waitUntil(() => budget.left === 4 * bodyLimit);
  });
});

describe('a body in chunks', () => {
  const start = populatedServices();
  const piece = `400\r\n${'x'.repeat(1024)}\r\n`;
  /** More than a system keeps for a connection. */
  let rest: Buffer;
  before(() => {
    rest = Buffer.alloc(64 * 1024 * 1024, piece);
  });

  for (const [what, path, headers, code] of [
    ['without a key', '/api/app-entitlements/ent_1/cancel', [], 401],
    ['of an unknown key', '/api/app-entitlements/ent_1/cancel', [bearer('svc_sk_live_of-nobody')], 401],
    ['to an unknown path', '/nowhere', [], 404],
    ['to another method', '/livez', [], 405],
    ['that is too long', '/api/waitlist', [], 413],
  ] as const) {
    it(`is not read on when it is refused ${what}`, async () => {
      const { url } = await start();
      const client = new RawClient(url);
      client.send(chunkedHead(path, headers) + piece.repeat(17));
      const answer = await client.read('POST');
      expect([answer.status, answer.headers['connection']]).to.deep.equal([code, ['close']]);
      expect(await client.closed()).to.equal(true);
      const isTaken = new Promise((resolve) => void client.socket.write(rest, (error) => resolve(!error)));
      expect(await isTaken).to.equal(false);
      client.close();
    });
  }

  it('is refused while it waits behind another request, and answered in its turn', async () => {
    const { url } = await start();
    const client = new RawClient(url);
    client.send(`GET /livez HTTP/1.1\r\nHost: a\r\n\r\n${chunkedHead('/api/waitlist')}${chunksOfOneByte(300)}`);
    expect((await client.read('GET')).status).to.equal(200);
    expect(codeOf(await client.read('POST'))).to.deep.equal([400, 'body_too_fragmented', undefined, 'close']);
    client.close();
  });

  it('is refused for its small chunks, however they are packed', async () => {
    const { url } = await start();
    const client = new RawClient(url);
    client.send(chunkedHead('/api/waitlist'));
    for (const _ of range(300)) {
      client.send(chunksOfOneByte(1));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(codeOf(await client.read('POST'))).to.deep.equal([400, 'body_too_fragmented', undefined, 'close']);
    client.close();
  });

  it('leaves nothing behind in the parser, which Node gives to a later connection', async () => {
    const { url } = await start();
    const answers: unknown[] = [];
    const before = openSockets();
    for (const request of [
      chunkedHead('/api/waitlist') + chunksOfOneByte(300),
      sizedHead('/api/waitlist', email.length) + email,
    ]) {
      const client = new RawClient(url);
      client.send(request);
      answers.push((await client.read('POST')).status);
      client.close();
      await waitUntil(() => openSockets() <= before);
    }
    expect(answers).to.deep.equal([400, 200]);
  });

  it('is taken in a few chunks whose bytes come one by one', async () => {
    const { url } = await start();
    const client = new RawClient(url);
    const body = email.padEnd(1000);
    const bytes = `${chunkedHead('/api/waitlist')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    for (const byte of bytes) {
      client.send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.read('POST')).status).to.equal(200);
    client.close();
  });
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
}

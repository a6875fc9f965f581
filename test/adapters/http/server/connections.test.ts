import { once } from 'node:events';
import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { anAppKey, later } from '../../../support/builders.ts';
import { waitUntil, watchUntil } from '../../../support/event-loop.ts';
import { expectAnswer, expectDocumentedFor } from '../../../support/http/expect-answer.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { activeLicense, bearer, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { aLatch } from '../../../support/latch.ts';
import { SeededRandom } from '../../../support/random.ts';
import type { ConformanceCase } from '../conformance/conformance-case.ts';
import { contentCases } from '../conformance/content-cases.ts';
import { framingCases } from '../conformance/framing-cases.ts';
import { publicCases } from '../conformance/public-cases.ts';
import { routingCases } from '../conformance/routing-cases.ts';

const rows = [...framingCases, ...routingCases, ...contentCases, ...publicCases];
const staying = rows.filter(
  ({ closes, bytes }) =>
    closes !== true && bytes.length < 16_000 && !bytes.includes('X-A: b\r\nX-A') && !/x-request-id/i.test(bytes),
);
const closing = framingCases.filter(({ closes, bytes }) => closes === true && /^[A-Z]+ .*HTTP\/1\.1\r\n/.test(bytes));

/** The request with a correlation id of its own. */
function named(bytes: string, id: string): string {
  return bytes.replace(/(?<=HTTP\/1\.[01]\r\n)/, `X-Request-Id: ${id}\r\n`);
}

function methodOf({ bytes }: Pick<ConformanceCase, 'bytes'>): string {
  return bytes.trimStart().split(' ', 1)[0] ?? '';
}

describe('a connection', () => {
  const start = populatedServices();
  /** Every read and change of an entitlement waits at the next gate, and reports that it has begun: a change by its key. */
  async function startWaiting(
    gates: readonly ReturnType<typeof aLatch>[],
    options: { readonly requestsPerConnection?: number } = {},
  ) {
    const begun: string[] = [];
    const wait = async (what: string): Promise<void> => {
      await gates[begun.push(what) - 1]?.released;
    };
    const service = await start({
      ...options,
      rebind: (container) => {
        const read = container.get(tokens.readEntitlement);
        container.rebind(tokens.readEntitlement).toConstantValue(async (...parameters) => {
          await wait('read');
          return read(...parameters);
        });
        const change = container.get(tokens.changeCancellation);
        container.rebind(tokens.changeCancellation).toConstantValue(async (request, call) => {
          await wait(request.idempotencyKey);
          return change(request, call);
        });
      },
    });
    return { service, begun };
  }

  it('answers 1,000 requests of all kinds, pipelined in bursts, each with its own answer', async () => {
    const service = await start();
    const random = new SeededRandom(1);
    const client = new RawClient(service.url);
    const requests = Array.from({ length: 1000 }, (_, index) => ({
      row: random.pick(staying),
      id: `request-${index}`,
    }));
    while (requests.length > 0) {
      const burst = requests.splice(0, 1 + random.below(20));
      client.send(burst.map(({ row, id }) => named(row.bytes, id)).join(''));
      for (const { row, id } of burst) {
        const response = await client.read(methodOf(row));
        expectAnswer(response, row.shape);
        expectDocumentedFor(row.bytes, response);
        expect([response.headers['x-request-id'], response.status], row.rule).to.deep.equal([[id], row.status]);
      }
    }
    expect(client.rest).to.equal('');
    client.close();
  });

  it('answers what came before a broken request first, and closes after the answer to that', async () => {
    const service = await start();
    await Promise.all(
      closing.map(async (row) => {
        const client = new RawClient(service.url);
        client.send(named(verify(), 'before-1') + named(http('GET /nowhere'), 'before-2') + row.bytes);
        const statuses = [await client.read('POST'), await client.read('GET'), await client.read(methodOf(row))];
        expect(
          statuses.map(({ status }) => status),
          row.rule,
        ).to.deep.equal([200, 404, row.status]);
        expect(await client.closed(), row.rule).to.equal(true);
        expect(client.rest, row.rule).to.equal('');
        client.close();
      }),
    );
  });

  it('begins no request before the one ahead of it is answered', async () => {
    const gates = [aLatch(), aLatch()];
    const { service, begun } = await startWaiting(gates);
    const client = new RawClient(service.url);
    const read = named(http('GET /api/app-entitlements/ent_1', [bearer()]), 'read-001');
    const ids = ['change-01', 'change-02', 'read-001'];
    client.send(
      ids
        .slice(0, 2)
        .map((key) => named(cancel([`Idempotency-Key: ${key}`]), key))
        .join('') + read,
    );
    for (const [index, gate] of gates.entries()) {
      await waitUntil(() => begun.length === index + 1);
      expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
      expect(begun).to.deep.equal(ids.slice(0, index + 1));
      gate.release();
    }
    for (const id of ids) {
      const { status, headers } = await client.read('GET');
      expect([status, headers['x-request-id']]).to.deep.equal([200, [id]]);
    }
    client.close();
  });

  it('judges a request by the clock of its turn, however long it waited behind others', async () => {
    const gate = aLatch();
    const { service } = await startWaiting([gate]);
    await service.addAppKey('svc_sk_live_that-expires-soon', { id: 'key_soon', expiresAt: later(1000) });
    const read = http('GET /api/app-entitlements/ent_1', [bearer('svc_sk_live_that-expires-soon')]);
    const client = new RawClient(service.url);
    client.send(cancel(['Idempotency-Key: change-01']) + read + http('GET /livez', ['API-Version: 2026-07-18']));
    expect((await fetch(`${service.url}/livez`)).status).to.equal(200); // by now all of it has arrived
    service.now = later(1000);
    gate.release();
    const statuses = [await client.read('POST'), await client.read('GET'), await client.read('GET')];
    expect(statuses.map(({ status }) => status)).to.deep.equal([200, 401, 200]);
    client.close();
  });

  it('carries out nothing after an answer that closes it', async () => {
    const gate = aLatch();
    const { service, begun } = await startWaiting([gate], { requestsPerConnection: 1 });
    const client = new RawClient(service.url);
    client.send(cancel(['Idempotency-Key: change-01']));
    await waitUntil(() => begun.length === 1);
    client.send(cancel(['Idempotency-Key: change-02']));
    expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
    gate.release();
    expect((await client.read('POST')).headers['connection']).to.deep.equal(['close']);
    expect(await client.closed()).to.equal(true);
    expect(begun).to.deep.equal(['change-01']);
    client.close();
  });

  it('holds one answer at a time for a client that does not read, and ends at the idle timeout', async () => {
    const service = await start({ headersTimeout: 1000, requestTimeout: 1000, keepAliveTimeout: 1000 });
    const client = new RawClient(service.url);
    await once(client.socket, 'connect');
    client.socket.pause();
    client.send(http('GET /openapi.json').repeat(100));
    await waitUntil(() => service.logged.length > 1);
    const open = openSockets();
    await waitUntil(() => openSockets() < open);
    expect(service.logged.length).to.be.below(100);
    client.close();
  });

  for (const how of ['one after another', 'pipelined'] as const) {
    it(`is closed with the last of the answers that it may carry, which says so, of requests ${how}`, async () => {
      const service = await start({ requestsPerConnection: 3 });
      const requests = ['1', '2', '3', '4'].map((id) => named(verify(), `request-${id}`));
      const client = new RawClient(service.url);
      if (how === 'pipelined') client.send(requests.join(''));
      const announced: unknown[] = [];
      for (const request of requests.slice(0, 3)) {
        if (how === 'one after another') client.send(request);
        announced.push((await client.read('POST')).headers['connection']?.[0] === 'close');
      }
      expect(announced).to.deep.equal([false, false, true]);
      expect([await client.closed(), client.rest, service.logged.length]).to.deep.equal([true, '', 3]);
      client.close();
    });
  }

  it('ends when more than 100 requests wait', async () => {
    const gate = aLatch();
    const { service, begun } = await startWaiting([gate]);
    const client = new RawClient(service.url);
    client.send(cancel(['Idempotency-Key: change-01']) + http('GET /livez').repeat(101));
    expect(await client.closed()).to.equal(true);
    gate.release();
    expect([begun, client.rest]).to.deep.equal([['change-01'], '']);
    client.close();
  });

  it('never begins a request that breaks while it waits', async () => {
    const gate = aLatch();
    const { service, begun } = await startWaiting([gate]);
    const client = new RawClient(service.url);
    client.send(cancel(['Idempotency-Key: change-01']));
    client.send(cancel(['Idempotency-Key: change-02', 'Transfer-Encoding: chunked'], 'zz\r\n'));
    await waitUntil(() => service.logged.length === 1);
    gate.release();
    expect([(await client.read('POST')).status, (await client.read('POST')).status]).to.deep.equal([200, 400]);
    expect(begun).to.deep.equal(['change-01']);
    expect(service.faults).to.deep.equal([]);
    client.close();
  });

  for (const [what, bytes, shape, operation] of [
    ['a malformed line', 'BROKEN\r\n\r\n', 'standard', undefined],
    ['an unknown method', 'FOO /api/licenses/verify HTTP/1.1\r\nHost: a\r\n\r\n', 'standard', undefined],
    ['another operation', 'GET /livez HTTP/1.1\r\nHo st: a\r\n\r\n', 'standard', 'live'],
    ['the same again', 'POST /api/licenses/verify HTTP/1.1\r\nHo st: a\r\n\r\n', 'verification', 'verifyLicense'],
  ] as const) {
    it(`answers and logs ${what}, broken behind a license check, as what it is itself`, async () => {
      const service = await start();
      const client = new RawClient(service.url);
      client.send(verify() + bytes);
      expect((await client.read('POST')).status).to.equal(200);
      expectAnswer(await client.read('GET'), shape);
      const logged = service.logged.map((line) => [line['operation'], line['status']]);
      expect(logged).to.have.deep.members([
        ['verifyLicense', 200],
        [operation, 400],
      ]);
      client.close();
    });
  }

  for (const [what, bytes] of [
    ['a broken request', 'BROKEN\r\n\r\n'],
    ['a broken request in several packets', `BROKEN\r\n\r\n${'x'.repeat(200_000)}`],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ] as const) {
    it(`does not answer ${what} before the slow request ahead of it`, async () => {
      const gate = aLatch();
      const service = await start({ ready: () => gate.released });
      const client = new RawClient(service.url);
      client.send(named(http('GET /readyz'), 'slow-one'));
      client.send(bytes);
      await waitUntil(() => service.logged.length > 0);
      gate.release();
      const first = await client.read('GET');
      const second = await client.read('GET');
      expect(first.headers['x-request-id']).to.deep.equal(['slow-one']);
      expectAnswer(second, 'standard');
      expect(await client.closed()).to.equal(true);
      expect(client.rest).to.equal('');
      expect(service.logged.map(({ status }) => status)).to.deep.equal([second.status, 200]);
      client.close();
    });
  }

  it('delivers the answer to a client that has closed its side already', async () => {
    const gate = aLatch();
    const service = await start({ ready: () => gate.released });
    const client = new RawClient(service.url);
    client.socket.end(http('GET /readyz'));
    await once(client.socket, 'finish');
    expect((await fetch(`${service.url}/livez`)).status).to.equal(200); // by now the service has read to the end
    gate.release();
    expect((await client.read('GET')).status).to.equal(200);
    expect(await client.closed()).to.equal(true);
    client.close();
  });

  it('asks for content only when it is going to read it', async () => {
    const service = await start();
    const client = new RawClient(service.url);
    const [head = '', content = ''] = verify(activeLicense, [json, 'Expect: 100-continue']).split(/(?<=\r\n\r\n)/);
    client.send(head);
    await waitUntil(() => client.rest !== '');
    expect(client.rest).to.equal('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(content);
    expect((await client.read('POST')).status).to.equal(200);
    client.send(verify(activeLicense, ['Content-Type: text/plain', 'Expect: 100-continue']).slice(0, -content.length));
    const refused = await client.read('POST');
    expect([refused.status, refused.headers['connection']]).to.deep.equal([415, ['close']]);
    client.close();
  });

  it('leaves no trace when its client goes away at any byte', async () => {
    const service = await start();
    const open = openSockets();
    const key = ['Idempotency-Key: goes-away'];
    for (const bytes of [verify(), cancel(key, 'ignored'), cancel(key), http('GET /readyz')]) {
      for (let length = 1; length <= bytes.length; length += 1) {
        const client = new RawClient(service.url);
        client.send(bytes.slice(0, length));
        await waitUntil(() => client.socket.bytesWritten >= length);
        if (length % 2 === 0) client.socket.resetAndDestroy();
        else client.close();
      }
    }
    expect((await fetch(`${service.url}/livez`, { headers: { connection: 'close' } })).status).to.equal(200);
    await waitUntil(() => openSockets() <= open);
    expect(service.faults).to.deep.equal([]);
  });

  it('is abandoned when its client goes away while its credential is looked up and its content has not come', async () => {
    const gate = aLatch();
    const asked = aLatch();
    const service = await start({
      rebind: (container) => {
        container.rebind(tokens.authenticate).toConstantValue(async () => {
          asked.release();
          await gate.released;
          return anAppKey();
        });
      },
    });
    const open = openSockets();
    const client = new RawClient(service.url);
    client.send(cancel(['Idempotency-Key: gone-early'], 'content').slice(0, -1));
    await asked.released;
    client.socket.resetAndDestroy();
    await waitUntil(() => openSockets() <= open);
    gate.release();
    await waitUntil(() => service.logged.length > 0);
    expect(service.logged.map(({ status }) => status)).to.deep.equal([null]);
  });

  it('is one of at most 50 that time out in one turn of the event loop, however many are late', async () => {
    const service = await start({ headersTimeout: 1000, requestTimeout: 1000 });
    const clients = Array.from({ length: 200 }, () => new RawClient(service.url));
    for (const client of clients) client.send('GET /livez HTTP/1.1\r\nHo');
    let [seen, most] = [0, 0];
    await watchUntil(() => {
      most = Math.max(most, service.logged.length - seen);
      seen = service.logged.length;
      return seen === clients.length;
    });
    expect(most).to.be.within(1, 50);
    for (const client of clients) {
      const response = await client.read('GET');
      expectAnswer(response, 'standard');
      expect(response.status).to.equal(408);
      client.close();
    }
  });

  it('of a slow client ends with 408, and meanwhile others are served', async () => {
    const service = await start({ headersTimeout: 2000, requestTimeout: 3000 });
    const slow = Array.from({ length: 500 }, (_, index) => dribble(service.url, index % 2 === 0 ? 10 : 150));
    const client = new RawClient(service.url);
    for (let count = 0; count < 200; count += 1) {
      client.send(verify());
      expect((await client.read('POST')).status).to.equal(200);
    }
    client.close();
    for (const response of await Promise.all(slow)) {
      expectAnswer(response);
      expect(response.status).to.equal(408);
    }
  });
});

/** Sends a request up to `whole` bytes at once and the rest a byte at a time, never all of it, and reads the answer. */
async function dribble(url: string, whole: number): ReturnType<RawClient['read']> {
  const client = new RawClient(url);
  const bytes = verify(`${activeLicense}${' '.repeat(2000)}`);
  let sent = whole;
  client.send(bytes.slice(0, whole));
  const timer = setInterval(() => client.send(bytes.slice(sent, (sent += 1))), 100);
  try {
    return await client.read('POST');
  } finally {
    clearInterval(timer);
    client.close();
  }
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
}

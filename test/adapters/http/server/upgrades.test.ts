import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { waitUntil } from '../../../support/event-loop.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { activeLicense, cancel, http, json, verify } from '../../../support/http/requests.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { aLatch } from '../../../support/latch.ts';

const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'];
const named = (id: string): string => `X-Request-Id: ${id}`;

/** Upgrade requests with and without content, and what may come behind one. */
const requests = [
  verify(activeLicense, [json, named('request-1'), ...upgrade]),
  http('GET /livez', [named('request-2'), ...upgrade]),
  cancel([named('request-3'), 'Idempotency-Key: an-upgrade', ...upgrade]),
  verify(activeLicense, [json, named('request-4')]),
  http('GET /livez', [named('request-5'), ...upgrade]),
  http('GET /nowhere', [named('request-6')]),
];
const answers = [200, 200, 200, 200, 200, 404].map((status, index) => [status, [`request-${index + 1}`]]);

describe('a declined upgrade', () => {
  const start = populatedServices();

  for (const [how, packets] of [
    ['in one packet', [requests.join('')]],
    ['one by one', requests],
    ['in packets that end anywhere', requests.join('').match(/[^]{1,37}/g) ?? []],
  ] as const) {
    it(`leaves the connection open, and loses nothing of what comes behind it ${how}`, async () => {
      const service = await start();
      const client = new RawClient(service.url);
      for (const packet of packets) {
        const sent = client.socket.bytesWritten + packet.length;
        client.send(packet);
        await waitUntil(() => client.socket.bytesWritten >= sent);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await read(client, requests.length)).to.deep.equal(answers);
      expect(client.ended).to.equal(false);
      client.close();
    });
  }

  it('waits for the answers before it, also when its client goes away meanwhile', async () => {
    const latch = aLatch();
    const asked: string[] = [];
    const service = await start({
      rebind: (container) => {
        const real = container.get(tokens.verifyLicense);
        container.rebind(tokens.verifyLicense).toConstantValue(async (...parameters) => {
          asked.push(parameters[0]);
          await latch.released;
          return real(...parameters);
        });
      },
    });
    const clients = [new RawClient(service.url), new RawClient(service.url)] as const;
    for (const client of clients) client.send(requests[3] + requests.join(''));
    await waitUntil(() => asked.length === clients.length);
    clients[1].socket.resetAndDestroy();
    latch.release();
    expect(await read(clients[0], 1 + requests.length)).to.deep.equal([answers[3], ...answers]);
    expect(service.faults).to.deep.equal([]);
    clients[0].close();
  });

  it('leaves nothing behind on its socket, however many there are', async () => {
    const service = await start();
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const client = new RawClient(service.url);
    client.send(http('GET /livez', [named('request-2'), ...upgrade]).repeat(300));
    expect(new Set((await read(client, 300)).map((answer) => JSON.stringify(answer))).size).to.equal(1);
    client.close();
    process.off('warning', note);
    expect(warnings).to.deep.equal([]);
  });

  it('counts as a request of its connection', async () => {
    const service = await start({ requestsPerConnection: 2 });
    const client = new RawClient(service.url);
    client.send(requests.join(''));
    expect(await read(client, 2)).to.deep.equal(answers.slice(0, 2));
    expect([await client.closed(), client.rest]).to.deep.equal([true, '']);
    client.close();
  });

  it('does not keep a connection on which nothing moves', async () => {
    const service = await start({ headersTimeout: 1000, requestTimeout: 1000, keepAliveTimeout: 1000 });
    const client = new RawClient(service.url);
    client.send(http('GET /livez', upgrade));
    await read(client, 1);
    expect(await client.closed()).to.equal(true);
    client.close();
  });

  it('does not wait for a client that never reads the answers before it', async () => {
    const service = await start({ headersTimeout: 1000, requestTimeout: 1000, keepAliveTimeout: 1000 });
    const client = new RawClient(service.url);
    client.socket.pause();
    client.send(http('GET /openapi.json').repeat(90) + http('GET /livez', upgrade).repeat(9));
    await waitUntil(() => service.logged.length > 1);
    const open = openSockets();
    await waitUntil(() => openSockets() < open);
    expect(service.logged.length).to.be.below(90);
    client.close();
  });
});

/** The statuses and correlation ids of the next answers. */
async function read(client: RawClient, count: number): Promise<readonly unknown[]> {
  const received: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const { status, headers } = await client.read('GET');
    received.push([status, headers['x-request-id']]);
  }
  return received;
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
}

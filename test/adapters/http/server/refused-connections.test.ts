import { once } from 'node:events';
import { expect } from 'chai';
import { waitUntil } from '../../../support/event-loop.ts';
import { eventually } from '../../../support/eventually.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { range } from '../../../support/range.ts';

const maxConnections = 2;

describe('a service with as many connections as it may have', () => {
  const start = populatedServices();

  it('closes further ones, says so once in the log, and counts them', async () => {
    const service = await start({ maxConnections, adminPort: 0, trustedProxies: ['loopback'] });
    const shown = async (): Promise<string> =>
      (await (await fetch(`${service.adminUrl}/metrics`)).text()).match(
        /^latchkey_refused_connections_total.*$/m,
      )?.[0] ?? '';
    expect(await shown()).to.equal('latchkey_refused_connections_total 0');
    const kept = range(maxConnections).map(() => new RawClient(service.url));
    for (const client of kept) {
      client.send('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect((await client.read('GET')).status).to.equal(200);
    }
    const refused = range(3).map(() => new RawClient(service.url));
    const ended = async (): Promise<number> => refused.filter((client) => client.ended).length;
    expect(await eventually(ended, (count) => count === refused.length)).to.equal(refused.length);
    const lines = service.logged.filter(
      ({ message }) => message === 'connections are closed: MAX_CONNECTIONS is reached',
    );
    expect(lines.map(({ level, connections }) => [level, connections])).to.deep.equal([['warn', maxConnections]]);
    expect(await shown()).to.equal('latchkey_refused_connections_total 3');
    for (const client of kept) client.socket.destroy();
  });
});

const quarter = 2;

describe('an address with a quarter of the connections', () => {
  const start = populatedServices();
  const live = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';

  /** Opens connections from an address, and returns those that are answered. */
  async function answered(url: string, localAddress: string, count: number): Promise<readonly RawClient[]> {
    const open: RawClient[] = [];
    for (const _ of range(count)) {
      const client = new RawClient(url, localAddress);
      client.send(live);
      const status = await client.read('GET').then(
        (answer) => answer.status,
        () => null,
      );
      if (status === 200) open.push(client);
    }
    return open;
  }

  it('gets no more, others do, and it does again once one has closed', async () => {
    const service = await start({ maxConnections: 4 * quarter, adminPort: 0 });
    const first = await answered(service.url, '127.0.0.1', quarter + 2);
    expect(first).to.have.lengthOf(quarter);
    const other = await answered(service.url, '127.0.0.2', quarter + 1);
    expect(other).to.have.lengthOf(quarter);
    const lines = service.logged.filter(({ message }) => String(message).startsWith('connections are closed'));
    expect(lines.map(({ level }) => level)).to.deep.equal(['warn']);
    expect(JSON.stringify(lines)).not.to.include('127.0.0');
    expect(await (await fetch(`${service.adminUrl}/metrics`)).text()).to.include(
      'latchkey_refused_connections_total 3\n',
    );
    first[0]?.close();
    const again = await eventually(
      () => answered(service.url, '127.0.0.1', 1),
      ({ length }) => length === 1,
    );
    expect(again).to.have.lengthOf(1);
    for (const client of [...first, ...other, ...again]) client.close();
  });

  it('gets no more for requests that ask for an upgrade, which are parsed twice', async () => {
    const service = await start({ maxConnections: 4 * quarter });
    const upgrade = live.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    const [client] = await answered(service.url, '127.0.0.1', 1);
    for (const _ of range(3 * quarter)) {
      client?.send(upgrade);
      expect((await client?.read('GET'))?.status).to.equal(200);
    }
    const second = await answered(service.url, '127.0.0.1', 1);
    expect(second).to.have.lengthOf(1);
    for (const each of [client, ...second]) each?.close();
  });

  it('gets all of them as a trusted proxy', async () => {
    const service = await start({ maxConnections: 4 * quarter, trustedProxies: ['127.0.0.3'] });
    const proxy = await answered(service.url, '127.0.0.3', 3 * quarter);
    expect(proxy).to.have.lengthOf(3 * quarter);
    for (const client of proxy) client.close();
  });
});

describe('a client that takes its answer too slowly', () => {
  const start = populatedServices();

  it('loses its connection, although bytes move', async () => {
    const service = await start({ headersTimeout: 1000, requestTimeout: 1000, keepAliveTimeout: 3_600_000 });
    const client = new RawClient(service.url);
    await once(client.socket, 'connect');
    client.socket.pause();
    client.send('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    const reading = setInterval(() => client.socket.read(1), 20);
    try {
      await waitUntil(() => service.logged.length > 1);
      const open = openSockets();
      await waitUntil(() => openSockets() < open);
      expect(service.logged.length).to.be.below(100);
    } finally {
      clearInterval(reading);
      client.close();
    }
  });
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
}

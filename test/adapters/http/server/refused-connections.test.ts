import { expect } from 'chai';
import { eventually } from '../../../support/eventually.ts';
import { RawClient } from '../../../support/http/raw-client.ts';
import { populatedServices } from '../../../support/http/service-hooks.ts';
import { range } from '../../../support/range.ts';

const maxConnections = 2;

describe('a service with as many connections as it may have', () => {
  const start = populatedServices();

  it('closes further ones, says so once in the log, and counts them', async () => {
    const service = await start({ maxConnections, adminPort: 0 });
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

import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { range } from '../../support/range.ts';
import { sqlite } from '../../support/stores/stores.ts';
import { startsWorkers } from '../../support/workers/fresh-workers.ts';
import { isRunning } from '../../support/workers/workers-process.ts';
import { beginVerify, statusOf } from './requests.ts';

const workers = 2;

describe(`a server of ${workers} workers that ends`, () => {
  const start = startsWorkers(sqlite, workers);

  it('answers on SIGTERM every request that has begun, then accepts none, and says that it stops', async () => {
    const flags = ['--shutdown-notice', '0s', '--shutdown-deadline', '1h', '--request-timeout', '1h'];
    const server = await start({ flags });
    const pids = server.workers();
    const begun = await Promise.all(range(4 * workers).map(() => beginVerify(server)));
    server.signal('SIGTERM');
    const refused = await eventually(
      () => statusOf(`${server.url}/livez`),
      (code) => code === 'ECONNREFUSED',
    );
    expect(refused).to.equal('ECONNREFUSED');
    expect(new Set(await Promise.all(begun.map((finish) => finish())))).to.deep.equal(new Set([200]));
    expect(await server.ended).to.deep.equal([0, null]);
    expect(pids.filter(isRunning)).to.deep.equal([]);
    expect(server.log().at(-1)).to.include({ message: 'stopped' });
  });

  it('says on both ports for the time of its notice that it stops, and still answers', async () => {
    const server = await start({ flags: ['--shutdown-notice', '1h'] });
    server.signal('SIGTERM');
    await server.logs('stopping');
    for (const url of [server.url, server.adminUrl]) {
      const status = await eventually(
        () => statusOf(`${url}/readyz`),
        (code) => code === 503,
      );
      expect(status).to.equal(503);
    }
    const answers = await Promise.all(range(4 * workers).map(() => statusOf(`${server.url}/livez`)));
    expect(new Set(answers)).to.deep.equal(new Set([200]));
  });
});

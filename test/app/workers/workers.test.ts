import { Agent } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { send } from '../../support/http/http-client.ts';
import { bearer, idempotencyKey } from '../../support/http/requests.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { runCommandProcess, startCommandProcess } from '../../support/processes/command-process.ts';
import { WorkersProcess } from '../../support/processes/workers-process.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { mongo, sqlite, type StoreAddress } from '../../support/stores/stores.ts';
import { range } from '../../support/range.ts';
import { countOf, guess, join, placesTaken, read, requestsOf, statusOf, verify, type Answer } from './requests.ts';

const appKey = 'svc_sk_live_of-the-test-of-workers';

const listing = {
  slug: 'one-for-all',
  name: 'One for all',
  blurb: '',
  category: 'A',
  commissionPercent: 1,
  compensationType: 'both',
  compensationLabel: 'x',
  storefrontCount: 0,
};

for (const under of [sqlite, ...(isLeftOut('mongodb') ? [] : [mongo])]) {
  for (const workers of [2, 4]) {
    describe(`a server of ${workers} workers on ${under.name}`, function () {
      this.timeout(300_000);
      /** Workers get connections in turn: each gets some of so many. */
      const connections = range(4 * workers);
      let store: StoreAddress;
      let server: WorkersProcess;

      before(async () => {
        store = await under.address();
        await fillStore(store.url, appKey, ['ent_1']);
        const limits = ['--rate-limits', 'joinWaitlist=10,getListing=100000', '--trusted-proxies', 'loopback'];
        server = await WorkersProcess.start(store.url, workers, ...limits);
      });
      after(async () => {
        await server.kill();
        await store.remove();
      });

      it('listens on one port with so many processes, and logs it once', async () => {
        expect(await server.workers()).to.have.lengthOf(workers);
        const serving = server.log().filter(({ message }) => message === 'serving');
        expect(serving.map((line) => line['workers'])).to.deep.equal([workers]);
      });

      it('shows the sum of what its workers have counted', async () => {
        await Promise.all(connections.map(() => verify(server)));
        const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
        const labels = 'operation="verifyLicense",edition="2026-07-18",status="200"';
        expect(metrics).to.contain(`latchkey_verifications_total{result="unknown"} ${connections.length}\n`);
        expect(metrics).to.contain(`latchkey_requests_total{${labels}} ${connections.length}\n`);
      });

      it('holds a rate limit for the sum of its workers', async () => {
        const answers = await Promise.all(range(30).map((number) => join(server, number)));
        expect(countOf(200, answers)).to.equal(10);
        expect(countOf(429, answers)).to.equal(20);
      });

      it('lets one address guess as often as one process does', async () => {
        const answers = await Promise.all(range(40).map((number) => guess(server, number)));
        expect(countOf(401, answers)).to.equal(20);
        expect(countOf(429, answers)).to.equal(20);
      });

      it('carries out a request with one idempotency key once', async () => {
        const headers = [bearer(appKey), idempotencyKey('one-key-for-all')];
        const url = `${server.url}/api/app-entitlements/ent_1/cancel`;
        const replies = await Promise.all(connections.map(() => send(url, { method: 'POST', headers })));
        expect(countOf(200, replies)).to.equal(connections.length);
        expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined)).to.have.lengthOf(1);
        expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
      });

      it('refuses an app key everywhere as soon as the command that revokes it has returned', async () => {
        const issued = (await runCommandProcess('key issue --product prod_1', store.url)) as {
          id: string;
          key: string;
        };
        const readEverywhere = (): Promise<readonly Answer[]> =>
          Promise.all(connections.map(() => read(server, issued.key)));
        expect(countOf(200, await readEverywhere())).to.equal(connections.length);
        await runCommandProcess(`key revoke ${issued.id}`, store.url);
        expect(countOf(401, await readEverywhere())).to.equal(connections.length);
      });

      it('shows a change of the catalog on all of them', async () => {
        const line = `${JSON.stringify(listing)}\n`;
        const { run } = startCommandProcess('listing import -', store.url, [line]);
        expect((await run).exitCode).to.equal(0);
        const show = (): Promise<readonly Answer[]> =>
          Promise.all(connections.map(() => send(`${server.url}/api/marketplace/listings/${listing.slug}`)));
        const answers = await eventually(show, (all) => countOf(200, all) === connections.length);
        expect(countOf(200, answers)).to.equal(connections.length);
      });

      it('lets nothing through uncounted while its primary does not answer', async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const show = (): Promise<number | string> =>
          statusOf(`${server.url}/api/marketplace/listings/${listing.slug}`, agent);
        expect(await show()).to.equal(200);
        server.signal('SIGSTOP');
        expect(await show().finally(() => server.signal('SIGCONT'))).to.equal(500);
        expect(await show()).to.equal(200);
        agent.destroy();
      });

      it('replaces a worker that is killed, says so, keeps its counts, and stays ready', async () => {
        const before = await server.workers();
        const counted = await requestsOf(server);
        const [killed = 0] = before;
        process.kill(killed, 'SIGKILL');
        await server.logs('a worker has taken its place');
        const after = await server.workers();
        expect(after).to.have.lengthOf(workers).and.not.to.include(killed);
        const ended = server.log().find(({ message }) => message === 'a worker has ended and is replaced');
        expect(ended).to.include({ level: 'error', worker: killed, code: null, signal: 'SIGKILL' });
        expect(await requestsOf(server)).to.be.at.least(counted);
        expect(await statusOf(`${server.url}/readyz`)).to.equal(200);
      });

      it('closes what was on its way to a worker that is killed, and answers everything else', async () => {
        const replaced = placesTaken(server);
        const [stuck = 0] = await server.workers();
        process.kill(stuck, 'SIGSTOP');
        // One connection is on its way to the worker that takes none; the others get all that follow.
        const answers = connections.map(() => statusOf(`${server.url}/livez`));
        await Promise.race(answers).finally(() => process.kill(stuck, 'SIGKILL'));
        const codes = await Promise.all(answers);
        // It may have taken one more before it stopped.
        expect(new Set(codes)).to.deep.equal(new Set([200, 'ECONNRESET']));
        await server.logs('a worker has taken its place', replaced + 1);
      });

      it('serves the same port again after all of them were killed', async () => {
        const replaced = placesTaken(server);
        for (const worker of await server.workers()) process.kill(worker, 'SIGKILL');
        const status = await eventually(
          () => statusOf(`${server.url}/readyz`),
          (code) => code === 200,
        );
        expect(status).to.equal(200);
        await server.logs('a worker has taken its place', replaced + workers);
        expect(await server.workers()).to.have.lengthOf(workers);
      });

      it('ignores a signal that is sent to a worker', async () => {
        const before = await server.workers();
        for (const worker of before) process.kill(worker, 'SIGTERM');
        const answers = await Promise.all(connections.map(() => send(`${server.url}/livez`)));
        expect(countOf(200, answers)).to.equal(connections.length);
        expect(await server.workers()).to.deep.equal(before);
      });
    });
  }
}

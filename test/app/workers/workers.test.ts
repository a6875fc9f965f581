import { Agent, get } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { send } from '../../support/http/http-client.ts';
import { bearer, idempotencyKey, json } from '../../support/http/requests.ts';
import { isLeftOut } from '../../support/run/left-out.ts';
import { runCommandProcess } from '../../support/processes/command-process.ts';
import { WorkersProcess } from '../../support/processes/workers-process.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { mongo, sqlite, type StoreAddress } from '../../support/stores/stores.ts';
import { range } from '../../support/range.ts';

const appKey = 'svc_sk_live_of-the-test-of-workers';

interface Answer {
  readonly status: number;
}

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
        const limits = ['--rate-limits', 'joinWaitlist=10', '--trusted-proxies', 'loopback'];
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
        const replaced = server.log().filter(({ message }) => message === 'a worker has taken its place').length;
        const [stuck = 0] = await server.workers();
        process.kill(stuck, 'SIGSTOP');
        // One connection is given to the worker that takes none; the others get all that follow.
        const answers = connections.map(() => statusOf(`${server.url}/livez`));
        await Promise.race(answers).finally(() => process.kill(stuck, 'SIGKILL'));
        const codes = await Promise.all(answers);
        expect(codes.filter((code) => code === 200)).to.have.lengthOf(connections.length - 1);
        expect(codes.filter((code) => code !== 200)).to.deep.equal(['ECONNRESET']);
        await server.logs('a worker has taken its place', replaced + 1);
      });

      it('ignores a signal that is sent to a worker', async () => {
        const before = await server.workers();
        for (const worker of before) process.kill(worker, 'SIGTERM');
        const answers = await Promise.all(connections.map(() => send(`${server.url}/livez`)));
        expect(countOf(200, answers)).to.equal(connections.length);
        expect(await server.workers()).to.deep.equal(before);
      });
    });

    it(`${workers} workers on ${under.name} end with their primary, whatever they have not logged yet`, async function () {
      this.timeout(300_000);
      const store = await under.address();
      const server = await WorkersProcess.start(store.url, workers);
      const pids = await server.workers();
      await Promise.all(range(4 * workers).map(() => statusOf(`${server.url}/livez`)));
      await server.kill();
      expect(
        await eventually(
          async () => pids.filter(isRunning),
          (running) => running.length === 0,
        ),
      ).to.deep.equal([]);
      await store.remove();
    });

    it(`${workers} workers on ${under.name} finish their requests on SIGTERM, and say that they stop`, async function () {
      this.timeout(300_000);
      const store = await under.address();
      await fillStore(store.url, appKey, ['ent_1']);
      const server = await WorkersProcess.start(store.url, workers, '--shutdown-notice', '3s');
      const pids = await server.workers();
      const clients = new Clients(`${server.url}/api/marketplace/listings`);
      await eventually(
        async () => clients.statuses.length,
        (length) => length > 50,
      );
      server.signal('SIGTERM');
      await server.logs('stopping');
      const ready = await Promise.all(
        [`${server.url}/readyz`, `${server.adminUrl}/readyz`].map((url) => statusOf(url)),
      );
      expect(ready).to.deep.equal([503, 503]);
      await clients.stop();
      expect(new Set(clients.statuses)).to.deep.equal(new Set([200]));
      expect(await server.ended).to.deep.equal([0, null]);
      expect(pids.filter(isRunning)).to.deep.equal([]);
      expect(server.log().at(-1)).to.include({ message: 'stopped' });
      await store.remove();
    });
  }
}

/** Clients that send one request after the other, on connections that stay open. */
class Clients {
  /** The status of each answer, or the code of an error. */
  readonly statuses: (number | string)[] = [];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(url: string) {
    this.#running = Promise.all(range(8).map(() => this.#run(url)));
  }

  /** Lets each of them end its request. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    this.#agent.destroy();
  }

  async #run(url: string): Promise<void> {
    while (!this.#isStopped) this.statuses.push(await statusOf(url, this.#agent));
  }
}

function verify({ url }: WorkersProcess): Promise<Answer> {
  const body = '{"licenseKey":"one-that-nobody-has-been-given"}';
  return send(`${url}/api/licenses/verify`, { method: 'POST', headers: [json], body });
}

function join({ url }: WorkersProcess, number: number): Promise<Answer> {
  const body = JSON.stringify({ email: `nobody-${number}@example.com` });
  return send(`${url}/api/waitlist`, { method: 'POST', headers: [json], body });
}

function read({ url }: WorkersProcess, key: string): Promise<Answer> {
  return send(`${url}/api/app-entitlements/ent_1`, { headers: [bearer(key)] });
}

function guess({ url }: WorkersProcess, number: number): Promise<Answer> {
  const headers = [bearer(`svc_sk_live_guess-${number}`), 'X-Forwarded-For: 192.0.2.1'];
  return send(`${url}/api/app-entitlements/ent_1`, { headers });
}

function countOf(wanted: number, answers: readonly Answer[]): number {
  return answers.filter(({ status }) => status === wanted).length;
}

/** The status of an answer, or the code of the error. */
async function statusOf(url: string, agent?: Agent): Promise<number | string> {
  try {
    const [response] = await once(get(url, agent === undefined ? {} : { agent }), 'response');
    await text(response);
    return response.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** The requests that a server has counted. */
async function requestsOf({ adminUrl }: WorkersProcess): Promise<number> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  const counts = [...metrics.matchAll(/^latchkey_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { expect } from 'chai';
import { TestCommandLine } from '../../support/cli/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { send } from '../../support/http/http-client.ts';
import { bearer, idempotencyKey } from '../../support/http/requests.ts';
import { range } from '../../support/range.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { openAt, sqlite } from '../../support/stores/stores.ts';
import { sharedWorkers } from '../../support/workers/fresh-workers.ts';
import { isRunning } from '../../support/workers/workers-process.ts';
import {
  askForReceipt,
  beginVerify,
  countOf,
  guess,
  join,
  licenseKey,
  read,
  receiptIn,
  statusOf,
  verify,
  type Answer,
} from './requests.ts';

const appKey = 'svc_sk_live_of-the-test-of-workers';
const operatorKey = 'svc_op_live_of-the-test-of-workers';

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

const workers = 3;
/** Workers get connections in turn: each gets some of these. */
const connections = range(4 * workers);

const limits = ['--rate-limits', 'joinWaitlist=10,getListing=100000', '--trusted-proxies', 'loopback'];
const patientAtTheEnd = ['--shutdown-notice', '0s', '--shutdown-deadline', '1h', '--request-timeout', '1h'];

describe(`a server of ${workers} workers`, () => {
  const server = sharedWorkers(sqlite, workers, {
    flags: [...limits, ...patientAtTheEnd],
    fill: (storeUrl) => fillStore(storeUrl, { appKey, operatorKey, licenseKey }, ['ent_1']),
  });

  /** Runs a command on the store of the server, in this process. */
  async function run(line: string, stdin?: string): Promise<unknown> {
    const store = await openAt(server().storeUrl);
    try {
      return await new TestCommandLine(store).json(line, stdin);
    } finally {
      await store.close();
    }
  }

  it('listens on one port with so many processes, and logs it once', async () => {
    expect(server().workers()).to.have.lengthOf(workers);
    const serving = server()
      .log()
      .filter(({ message }) => message === 'serving');
    expect(serving.map((line) => line['workers'])).to.deep.equal([workers]);
  });

  it('shows the sum of what its workers have counted', async () => {
    await Promise.all(connections.map(() => verify(server())));
    const labels = 'operation="verifyLicense",edition="2026-07-18",status="200"';
    const counts = [
      `latchkey_verifications_total{result="unknown"} ${connections.length}\n`,
      `latchkey_requests_total{${labels}} ${connections.length}\n`,
    ];
    // Of a worker that answers late, the server shows what it last knew.
    const metrics = await eventually(
      async () => (await fetch(`${server().adminUrl}/metrics`)).text(),
      (text) => counts.every((count) => text.includes(count)),
    );
    for (const count of counts) expect(metrics).to.contain(count);
  });

  it('signs receipts in each, and shows the sum and the age of the key', async () => {
    const answers = await Promise.all(connections.map(() => askForReceipt(server())));
    expect(countOf(200, answers)).to.equal(connections.length);
    expect(new Set(answers.map(({ claims }) => claims?.['iss']))).to.deep.equal(new Set([server().url]));
    expect(new Set(answers.map(({ claims }) => claims?.['jti'])).size).to.equal(connections.length);
    const count = `latchkey_receipts_total{outcome="issued"} ${connections.length}\n`;
    const metrics = await eventually(
      async () => (await fetch(`${server().adminUrl}/metrics`)).text(),
      (text) => text.includes(count),
    );
    expect(metrics)
      .to.contain(count)
      .and.to.match(/^latchkey_signing_key_age_seconds \d/m);
  });

  it('signs with a new key in each after a rotation that any process has made', async () => {
    const keys = await run('signing-key rotate');
    const [{ kid }] = keys as readonly [{ readonly kid: string }];
    const answers = await eventually(
      () => Promise.all(connections.map(() => askForReceipt(server()))),
      (all) => all.every((answer) => answer.kid === kid),
    );
    expect(new Set(answers.map((answer) => answer.kid))).to.deep.equal(new Set([kid]));
  });

  it('issues offline receipts of the same issuer on its admin port', async () => {
    const path = `${server().adminUrl}/admin/entitlements/ent_1/receipts`;
    const { status, body } = await send(path, { method: 'POST', headers: [bearer(operatorKey)] });
    expect([status, receiptIn(body).claims?.['iss']]).to.deep.equal([200, server().url]);
  });

  it('holds a rate limit for the sum of its workers', async () => {
    const answers = await Promise.all(range(30).map((number) => join(server(), number)));
    expect(countOf(200, answers)).to.be.within(7, 10);
    expect(countOf(200, answers) + countOf(429, answers)).to.equal(30);
  });

  it('lets one address guess as often as one process does', async () => {
    const answers = await Promise.all(range(40).map((number) => guess(server(), number)));
    expect(countOf(401, answers)).to.equal(20);
    expect(countOf(429, answers)).to.equal(20);
  });

  it('carries out a request with one idempotency key once', async () => {
    const headers = [bearer(appKey), idempotencyKey('one-key-for-all')];
    const url = `${server().url}/api/app-entitlements/ent_1/cancel`;
    const replies = await Promise.all(connections.map(() => send(url, { method: 'POST', headers })));
    expect(countOf(200, replies)).to.equal(connections.length);
    expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined)).to.have.lengthOf(1);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
  });

  it('refuses an app key everywhere as soon as the command that revokes it has returned', async () => {
    const issued = (await run('key issue --product prod_1')) as { readonly id: string; readonly key: string };
    const readEverywhere = (): Promise<readonly Answer[]> =>
      Promise.all(connections.map(() => read(server(), issued.key)));
    expect(countOf(200, await readEverywhere())).to.equal(connections.length);
    await run(`key revoke ${issued.id}`);
    expect(countOf(401, await readEverywhere())).to.equal(connections.length);
  });

  it('shows a change of the catalog on all of them', async () => {
    const line = `${JSON.stringify(listing)}\n`;
    await run('listing import -', line);
    const show = (): Promise<readonly Answer[]> =>
      Promise.all(connections.map(() => send(`${server().url}/api/marketplace/listings/${listing.slug}`)));
    const answers = await eventually(show, (all) => countOf(200, all) === connections.length);
    expect(countOf(200, answers)).to.equal(connections.length);
  });

  it('answers on SIGTERM every request that has begun, then accepts none, and says that it stops', async () => {
    const pids = server().workers();
    const begun = await Promise.all(connections.map(() => beginVerify(server())));
    server().signal('SIGTERM');
    const refused = await eventually(
      () => statusOf(`${server().url}/livez`),
      (code) => code === 'ECONNREFUSED',
    );
    expect(refused).to.equal('ECONNREFUSED');
    expect(new Set(await Promise.all(begun.map((finish) => finish())))).to.deep.equal(new Set([200]));
    expect(await server().ended).to.deep.equal([0, null]);
    expect(pids.filter(isRunning)).to.deep.equal([]);
    expect(server().log().at(-1)).to.include({ message: 'stopped' });
  });
});

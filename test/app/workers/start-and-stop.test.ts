import { expect } from 'chai';
import { digest } from '../../../adapters/crypto/node-secrets.ts';
import { currentSchemaVersion } from '../../../adapters/sqlite/engine/migrate.ts';
import { oldestSchema } from '../../../adapters/sqlite/engine/migrations/migrations.ts';
import { fakeStripe, type FakeStripe } from '../../../testing/index.ts';
import { aCall, anOperatorKey } from '../../support/builders.ts';
import { eventually } from '../../support/eventually.ts';
import { operatorKeys } from '../../support/http/fixtures.ts';
import { MailReceiver } from '../../support/mail/mail-receiver.ts';
import { storedBytes } from '../../support/mail/stored-bytes.ts';
import { range } from '../../support/range.ts';
import { writeOldestStore } from '../../support/stores/empty-sqlite.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { openAt, sqlite, type StoreAddress } from '../../support/stores/stores.ts';
import { ConsoleClient } from '../../support/web/console-client.ts';
import { sendForm } from '../../support/web/page-client.ts';
import { killStarting, WorkersProcess } from '../../support/workers/workers-process.ts';
import { statusOf } from './requests.ts';

const workers = 2;
const appKey = 'svc_sk_live_of-the-merchant-with-workers';

describe(`a server of ${workers} workers on a store with an older schema`, () => {
  let shop: FakeStripe;
  let receiver: MailReceiver;
  let store: StoreAddress;
  let server: WorkersProcess;
  let killed: readonly number[];

  before(async () => {
    store = await sqlite.address();
    writeOldestStore(store.url.slice('sqlite:'.length));
    shop = await fakeStripe();
    shop.addPrice({ id: 'price_once', interval: null });
    receiver = new MailReceiver();
    await receiver.listen();
    const stripe = {
      STRIPE_API_BASE: shop.url,
      STRIPE_API_KEY: shop.apiKey,
      STRIPE_WEBHOOK_SECRET: shop.webhookSecret,
    };
    const mail = { SMTP_URL: receiver.url, MAIL_FROM: 'keys@shop.example', PUBLIC_URL: 'https://keys.shop.example' };
    server = await WorkersProcess.start(store.url, workers, {
      flags: ['--trusted-proxies', 'loopback', '--shutdown-notice', '1h'],
      env: { ...stripe, ...mail },
      whileStarting: async (primary) => {
        killed = await killStarting(primary, 1);
      },
    });
    await fillStore(store.url, appKey, []);
    const opened = await openAt(store.url);
    const sold = { productId: 'prod_1', tierId: 'pro', tierName: 'Pro', deviceLimit: null, updates: null };
    await opened.priceMap.put({ price: 'price_once', ...sold }, aCall());
    await opened.allOperatorKeys.add(anOperatorKey({ digest: digest(operatorKeys.full) }), aCall());
    await opened.close();
    shop.addEndpoint({ url: `${server.url}/hooks/stripe` });
  });
  after(async () => {
    await server.kill();
    await receiver.close();
    await shop.stop();
    await store.remove();
  });

  const ask = async (email: string, client: string): Promise<number> =>
    (await sendForm(`${server.url}/license/lost`, { email }, { 'X-Forwarded-For': client })).status;

  /** Finds the purchase by its address on the console, and asks for the keys once more than an address may get in an hour. */
  async function findAtDesk(): Promise<void> {
    const client = new ConsoleClient({ adminUrl: server.adminUrl, merchantUrl: null });
    await client.signIn();
    const found = await client.submit('/console/find', { what: 'Ada@example.com' });
    expect(found.text).to.include('1 purchase of this address').and.not.match(/ada@/i);
    const [, path = ''] = /href="([^"]+\/mail-keys)"/.exec(found.text) ?? [];
    const [, id = ''] = /name="id" value="([0-9a-f]{16})"/.exec((await client.get(path)).text) ?? [];
    expect((await client.submit(path, { id })).status).to.equal(429);
  }

  it('upgrades the store, and logs it once', () => {
    const upgrades = server.log().filter(({ message }) => message === 'the schema of the store was upgraded');
    expect(upgrades.map(({ level, from, to }) => [level, from, to])).to.deep.equal([
      ['warn', oldestSchema, currentSchemaVersion],
    ]);
  });

  it('survives a worker that is killed before it listens, and replaces it', async () => {
    await server.listened(workers);
    const unstarted = server.log().filter(({ message }) => message === 'a worker could not start');
    expect(unstarted.map(({ worker }) => worker)).to.deep.equal(killed);
    expect(unstarted[0]).to.include({ level: 'error', code: null, signal: 'SIGKILL' });
    expect(await statusOf(`${server.url}/livez`)).to.equal(200);
  });

  it('mails the keys of /license/lost once for each request that it takes, and counts addresses and clients for all workers and the console together', async () => {
    await shop.purchase({ price: 'price_once', email: 'ada@example.com' });
    const ofAddress: number[] = [];
    for (const client of range(6)) ofAddress.push(await ask('ada@example.com', `192.0.2.${client}`));
    expect(ofAddress).to.deep.equal([303, 303, 303, 429, 429, 429]);
    const ofClient: number[] = [];
    for (const buyer of range(12)) ofClient.push(await ask(`nobody-${buyer}@example.com`, '198.51.100.1'));
    expect(ofClient).to.deep.equal([...range(10).map(() => 303), 429, 429]);
    const lost = await eventually(
      async () => receiver.mails.filter(({ parsed }) => parsed.messageId?.startsWith('<lost.')),
      (mails) => mails.length >= 3,
    );
    expect(lost.map(({ to }) => to)).to.deep.equal([['ada@example.com'], ['ada@example.com'], ['ada@example.com']]);
    const grants = receiver.mails.filter(({ parsed }) => parsed.messageId?.startsWith('<grant.'));
    expect(grants).to.have.length.within(0, 1);
    await findAtDesk();
    const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
    expect(metrics).to.match(/^latchkey_mails_total\{kind="lost",outcome="sent"\} 3$/m);
    expect(metrics)
      .to.include('latchkey_address_looks_total{outcome="found"} 1\n')
      .and.not.match(/@example/);
    const log = await eventually(
      async () => JSON.stringify(server.log()),
      (lines) => lines.includes('found by address'),
    );
    expect(log)
      .to.include('found by address')
      .and.not.match(/@example/);
    const stored = await storedBytes(store.url);
    expect(stored).to.include('entitlement.granted');
    expect(/[\w-]*@example\.com|\bLK(?:-[0-9A-Z]{5}){6}\b/i.exec(stored)?.[0]).to.equal(undefined);
  });

  it('says on both ports for the time of its notice that it stops, and still answers', async () => {
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

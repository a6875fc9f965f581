import { expect } from 'chai';
import { valueOf } from '../support/cli/run-command.ts';
import { send, type Reply } from '../support/http/http-client.ts';
import { bearer } from '../support/http/requests.ts';
import { startServerProcess, type ServerProcess } from '../support/processes/server-process.ts';
import { range } from '../support/range.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { openAt, sqlite, type StoreAddress } from '../support/stores/stores.ts';
import { appKeysIn, entitlementsIn } from '../support/stores/whole-lists.ts';
import { violations } from '../support/workload/history.ts';
import { HttpTraffic } from '../support/workload/http-traffic.ts';

const appKey = 'svc_sk_live_of-the-test-of-many-processes';
const commandsOfEach = 2;

describe('two servers and four commands at once on one SQLite file', () => {
  let store: StoreAddress;
  let servers: readonly ServerProcess[] = [];

  before(async () => {
    store = await sqlite.address();
    await fillStore(store.url, appKey, ['ent_1', 'ent_2', 'ent_shared']);
    servers = await Promise.all([startServerProcess(store.url), startServerProcess(store.url)]);
  });

  after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await store.remove();
  });

  /** Runs the commands of one administrator in sequence. */
  async function administer(line: (number: number) => string): Promise<void> {
    for (const number of range(commandsOfEach)) await valueOf(line(number), store.url);
  }

  const readEverywhere = (key: string): Promise<readonly Reply[]> =>
    Promise.all(servers.map(({ url }) => send(`${url}/api/app-entitlements/ent_1`, { headers: [bearer(key)] })));

  it('lose no change, and answer every request', async () => {
    const traffic = new HttpTraffic(appKey, ['ent_1', 'ent_2'], () => servers.map(({ url }) => url));
    const before = await traffic.read();
    const clients = traffic.run();
    await Promise.all([
      administer(
        (number) => `entitlement grant --id ent_new_${number} --product prod_1 --tier t --tier-name T --interval month`,
      ),
      administer(() => 'key issue --product prod_1'),
      administer((number) => `entitlement ${number % 2 === 0 ? 'suspend' : 'reinstate'} ent_shared`),
      administer(() => 'license rotate ent_shared'),
    ]);
    traffic.stop();
    await clients;
    const after = await traffic.read();
    expect(violations({ before, attempts: traffic.attempts, after })).to.deep.equal([]);
    expect(traffic.attempts.filter(({ outcome }) => outcome.kind === 'unknown')).to.deep.equal([]);
    const stored = await openAt(store.url);
    const entitlements = await entitlementsIn(stored);
    const appKeys = await appKeysIn(stored);
    await stored.close();
    expect(entitlements.map(({ id }) => id)).to.include.members(
      range(commandsOfEach).map((number) => `ent_new_${number}`),
    );
    expect(entitlements.find(({ id }) => id === 'ent_shared')).to.include({ version: 1 + 2 * commandsOfEach });
    expect(appKeys).to.have.lengthOf(1 + commandsOfEach);
  });

  it('refuse an app key everywhere as soon as the command that revokes it has returned', async () => {
    const issued = (await valueOf('key issue --product prod_1', store.url)) as { id: string; key: string };
    expect((await readEverywhere(issued.key)).map(({ status }) => status)).to.deep.equal([200, 200]);
    await valueOf(`key revoke ${issued.id}`, store.url);
    expect((await readEverywhere(issued.key)).map(({ status }) => status)).to.deep.equal([401, 401]);
  });
});

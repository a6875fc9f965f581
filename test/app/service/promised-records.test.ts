import Database from 'better-sqlite3';
import { expect } from 'chai';
import { serve } from '../../../app/server/serve.ts';
import { loggerTo } from '../../../app/service/logger.ts';
import { resolveSettings } from '../../../app/settings/resolve.ts';
import { valueOf } from '../../support/cli/run-command.ts';
import { send, type Reply } from '../../support/http/http-client.ts';
import { bearer, idempotencyKey } from '../../support/http/requests.ts';
import { outputs } from '../../support/run/output-search.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { sqlite, type StoreAddress } from '../../support/stores/stores.ts';

const appKey = 'svc_sk_live_of-the-test-of-promised-records';
const hour = 3_600_000;
const pruned = { events: 0, sessions: 0, links: 0, trials: 0 };

describe('idempotency records that a server promised to keep for 720 h', () => {
  let store: StoreAddress;

  beforeEach(async () => {
    store = await sqlite.address();
    await fillStore(store.url, appKey, ['ent_1']);
  });
  afterEach(() => store.remove());

  it('are replayed after `store prune`, and by a server with the default setting', async () => {
    const first = await whileServing({ idempotencyTtl: '720h' }, cancel);
    expect([first.status, first.headers['idempotent-replayed']]).to.deep.equal([200, undefined]);
    age(500 * hour);
    expect(await valueOf('store prune', store.url)).to.deep.equal({ ...pruned, removed: 0 });
    const second = await whileServing({}, cancel);
    expect([second.status, second.headers['idempotent-replayed']]).to.deep.equal([200, 'true']);
    age(221 * hour);
    expect(await valueOf('store prune', store.url)).to.deep.equal({ ...pruned, removed: 1 });
  });

  /** Does something with a server in this process, which has these settings beside its store. */
  async function whileServing(flags: object, work: (url: string) => Promise<Reply>): Promise<Reply> {
    const { settings } = resolveSettings({ flags: { ...flags, store: store.url, port: '0' }, file: null }, {});
    const stop = new AbortController();
    const log = loggerTo({ write: (line) => outputs.log('the log of a server in this process', line) });
    const serving = Promise.withResolvers<string>();
    const ended = serve(settings, { clock: () => new Date(), log, stopping: stop.signal }, serving.resolve);
    ended.catch(serving.reject);
    try {
      return await work(await serving.promise);
    } finally {
      stop.abort();
      await ended;
    }
  }

  /** Makes the records older, as if they had been made earlier. */
  function age(milliseconds: number): void {
    const connection = new Database(store.url.slice('sqlite:'.length));
    connection.prepare('UPDATE idempotency_records SET at = at - ?').run(milliseconds);
    connection.close();
  }
});

function cancel(url: string): Promise<Reply> {
  const headers = [bearer(appKey), idempotencyKey('key-00000001')];
  return send(`${url}/api/app-entitlements/ent_1/cancel`, { method: 'POST', headers });
}

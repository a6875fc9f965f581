import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { nodePlatform } from '../../app/service/platform.ts';
import { openStore } from '../../app/stores/open-store.ts';
import { administrationOf } from '../../core/administration/administration.ts';
import { defaultTtl, retentionFor } from '../../core/entitlement/idempotency/retention.ts';
import { commandSettings } from '../support/administration.ts';
import { aCall, granted } from '../support/builders.ts';
import { TestCommandLine } from '../support/cli/command-line.ts';
import { runCommand, valueOf } from '../support/cli/run-command.ts';
import { startCommandProcess } from '../support/processes/command-process.ts';
import { startServerProcess } from '../support/processes/server-process.ts';
import { heapAfterCollections, heapBound, traceGc } from '../support/processes/traced-heap.ts';
import { range } from '../support/range.ts';
import { rounds } from '../support/run/long-runs.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { commitsIn } from '../support/stores/sqlite-file.ts';
import { openAt, sqlite, type StoreAddress } from '../support/stores/stores.ts';
import { entitlementsIn } from '../support/stores/whole-lists.ts';
import { HttpTraffic } from '../support/workload/http-traffic.ts';

const batch = rounds(2500, 20_000);
const appKey = 'svc_sk_live_of-the-test-of-operations';

describe('an operator of a SQLite store', () => {
  let store: StoreAddress;
  const path = (): string => store.url.slice('sqlite:'.length);

  beforeEach(async () => {
    store = await sqlite.address();
    await fillStore(store.url, appKey, ['ent_a', 'ent_b']);
  });
  afterEach(() => store.remove());

  it('runs a batch of many lines in one process and in bounded memory', async () => {
    const lines = range(batch).map((number) => JSON.stringify({ id: number % 2 === 0 ? 'ent_a' : `no_${number}` }));
    const { exitCode, stdout, stderr } = await startCommandProcess(
      'entitlement suspend -',
      store.url,
      lines.map((line) => `${line.padEnd(8000)}\n`),
      traceGc,
    ).run;
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(heapAfterCollections(stdout)).to.be.below(heapBound);
    expect([exitCode, answers.length]).to.deep.equal([1, batch]);
    expect(JSON.parse(answers.at(-2) ?? '')).to.include({ id: 'ent_a', status: 'suspended', version: 2 });
    expect(JSON.parse(answers.at(-1) ?? '')).to.include({ line: batch, id: `no_${batch - 1}` });
    expect(stderr).to.match(new RegExp(`${batch / 2} of ${batch} lines were refused\\.\n$`));
  });

  it('runs the lines of a batch in shared commits', async () => {
    const ids = range(256).map((number) => `ent_${number}`);
    await fillMore(ids);
    const opened = await openStore(store.url, { create: false }, retentionFor(defaultTtl), aCall());
    const administration = {
      ...administrationOf(opened.ports, nodePlatform),
      ...commandSettings,
      close: async () => {},
    };
    await administration.addProduct('prod_2', 'Another product', aCall());
    const before = commitsIn(path());
    const lines = ids.map((id) => JSON.stringify({ id })).join('\n');
    const run = await new TestCommandLine().run(['entitlement', 'suspend', '-'], lines, {
      openStore: async () => administration,
    });
    const commits = commitsIn(path()) - before;
    await opened.close();
    expect(run.exitCode).to.equal(0);
    expect(commits).to.be.within(4, 64);
  });

  it('backs up, checks and prunes while a server answers, and the backup is one state of the store', async () => {
    const ids = range(20).map((number) => `ent_${number}`);
    await fillMore(ids);
    const backup = join(dirname(path()), 'copy.db');
    const server = await startServerProcess(store.url);
    const traffic = new HttpTraffic(appKey, ids, () => [server.url]);
    const clients = traffic.run();
    const done = await valueOf(`store backup ${backup}`, store.url);
    const checked = await valueOf('store check', store.url);
    const pruned = await valueOf('store prune', store.url);
    const again = await runCommand(`store backup ${backup}`, store.url);
    traffic.stop();
    await clients;
    await server.kill();
    expect(traffic.attempts.filter(({ outcome }) => outcome.kind === 'unknown')).to.deep.equal([]);
    expect(done).to.include({ file: backup });
    expect([checked, pruned]).to.deep.include.members([{ removed: 0, events: 0, sessions: 0, links: 0, trials: 0 }]);
    expect(checked).to.include({ ok: true });
    expect([again.exitCode, again.stdout]).to.deep.equal([1, '']);
    expect(again.stderr).to.match(/There is a file with the name of the backup already/);
    expect(await valueOf('store check', `sqlite:${backup}`)).to.include({ ok: true });
    for (const id of ids) {
      const copied = changesOf(backup, id);
      expect(copied.records).to.equal(copied.revision);
      expect(copied.revision).to.be.at.most(changesOf(path(), id).revision);
    }
  });

  async function fillMore(ids: readonly string[]): Promise<void> {
    const opened = await openAt(`sqlite:${path()}`);
    const [like] = await entitlementsIn(opened);
    if (like !== undefined) await opened.allEntitlements.add(granted(ids.map((id) => ({ ...like, id }))), aCall());
    await opened.close();
  }
});

/** Counts the writes of an entitlement after it was added, and their idempotency records: every write has one. */
function changesOf(path: string, id: string): { readonly revision: number; readonly records: number } {
  const connection = new Database(path, { readonly: true });
  try {
    const revision = connection.prepare('SELECT revision - 1 FROM entitlements WHERE id = ?').pluck().get(id);
    const records = connection.prepare('SELECT count(*) FROM idempotency_records WHERE entitlement_id = ?').pluck();
    return { revision: Number(revision), records: Number(records.get(id)) };
  } finally {
    connection.close();
  }
}

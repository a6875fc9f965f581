import { expect } from 'chai';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { dataOf } from '../../../support/http/admin-client.ts';
import { adminWrites, erasedEmail, operationsOfWrites, type AdminWrite } from '../../../support/http/admin-writes.ts';
import { send, type Reply } from '../../../support/http/http-client.ts';
import { bearer, json } from '../../../support/http/requests.ts';
import {
  fillAdminStore,
  startAdminServer,
  type AdminServerProcess,
} from '../../../support/processes/admin-server-process.ts';
import { range } from '../../../support/range.ts';
import { openAt, sqlite, type StoreAddress } from '../../../support/stores/stores.ts';

const operatorKey = 'svc_op_live_of-the-test-of-two-processes';
const seeded = range(40).map((index) => `ent_seeded_${String(index).padStart(2, '0')}`);

interface Page {
  readonly data: readonly { readonly id: string; readonly version: number }[];
  readonly meta: { readonly next: string | null };
}

describe('the administration over two processes on one SQLite file', () => {
  let store: StoreAddress;
  let servers: readonly AdminServerProcess[] = [];

  beforeEach(async () => {
    store = await sqlite.address();
    await fillAdminStore(store.url, operatorKey, seeded);
    const opened = await openAt(store.url);
    await opened.waitlist.join(aSignUp({ email: erasedEmail }), aCall());
    await opened.close();
    servers = await Promise.all([startAdminServer(store.url), startAdminServer(store.url)]);
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await store.remove();
  });

  function request(server: number, method: string, path: string, body?: object): Promise<Reply> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = [bearer(operatorKey), ...(body === undefined ? [] : [json])];
    return send(`${servers[server % servers.length]?.adminUrl}${path}`, { method, headers, ...content });
  }

  const twenty = ({ method, path, body }: AdminWrite): Promise<readonly Reply[]> =>
    Promise.all(range(20).map((index) => request(index, method, path, body)));

  it('carries every write out once that is sent twenty times at once', async () => {
    for (const write of adminWrites) {
      const replies = await twenty(write);
      const name = `${write.method} ${write.path}`;
      expect(
        replies.filter(({ status }) => status !== 200 && status !== 201),
        name,
      ).to.deep.equal([]);
      const { shownOnce } = write;
      const answers = replies.map((reply) => withoutMember(dataOf(reply), shownOnce));
      expect(
        answers.map(({ rest }) => rest),
        name,
      ).to.deep.equal(answers.map(() => answers[0]?.rest));
      const shown = answers.filter(({ member }) => member !== undefined && member !== null && member !== 0);
      expect(shown, name).to.have.length(shownOnce === undefined ? 0 : 1);
    }
    const history = dataOf(await request(0, 'GET', '/admin/entitlements/ent_1/history'));
    expect((history as { operation: string }[]).map(({ operation }) => operation).toReversed()).to.deep.equal(
      operationsOfWrites,
    );
  });

  it('lists exactly once what existed throughout, while another process adds and changes', async () => {
    const walked = new AbortController();
    const changing = (async () => {
      for (let round = 0; !walked.signal.aborted; round += 1) {
        const id = seeded[(round * 7) % seeded.length] ?? '';
        const tier = { tierId: `tier_${round}`, tierName: 'Tier' };
        const grant = { productId: 'prod_1', ...tier, billingInterval: 'month' };
        // Before, among and after those that exist.
        const added = [`ent_a_${round}`, `ent_seeded_${String(round % 40).padStart(2, '0')}_b`, `ent_z_${round}`];
        await request(1, 'POST', `/admin/entitlements/${id}/change-tier`, tier);
        await request(1, 'PUT', `/admin/entitlements/${added[round % 3]}`, grant);
      }
    })();
    try {
      for (const _ of range(5)) {
        const ids = await walk();
        expect(ids.filter((id) => seeded.includes(id)).toSorted()).to.deep.equal(seeded);
        expect(new Set(ids).size).to.equal(ids.length);
      }
    } finally {
      walked.abort();
      await changing;
    }
    expect((await walk()).length).to.be.above(seeded.length);
  });

  /** The ids of the list, read in pages of three. */
  async function walk(): Promise<readonly string[]> {
    const ids: string[] = [];
    let after = '';
    for (;;) {
      const reply = await request(0, 'GET', `/admin/entitlements?limit=3${after}`);
      const { data, meta } = reply.body as Page;
      ids.push(...data.map(({ id }) => id));
      if (meta.next === null) return ids;
      after = `&after=${encodeURIComponent(meta.next)}`;
    }
  }
});

/** The members of an answer apart from one, and that one. */
function withoutMember(data: unknown, name: string | undefined): { readonly rest: object; readonly member: unknown } {
  const members = Object.entries(data as object);
  return {
    rest: Object.fromEntries(members.filter(([key]) => key !== name)),
    member: members.find(([key]) => key === name)?.[1],
  };
}

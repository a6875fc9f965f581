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

describe('the administration over two processes on one SQLite file', () => {
  let store: StoreAddress;
  let servers: readonly AdminServerProcess[] = [];

  before(async () => {
    store = await sqlite.address();
    await fillAdminStore(store.url, operatorKey, []);
    const opened = await openAt(store.url);
    await opened.waitlist.join(aSignUp({ email: erasedEmail }), aCall());
    await opened.close();
    servers = await Promise.all([startAdminServer(store.url), startAdminServer(store.url)]);
  });

  after(async () => {
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
});

/** The members of an answer apart from one, and that one. */
function withoutMember(data: unknown, name: string | undefined): { readonly rest: object; readonly member: unknown } {
  const members = Object.entries(data as object);
  return {
    rest: Object.fromEntries(members.filter(([key]) => key !== name)),
    member: members.find(([key]) => key === name)?.[1],
  };
}

import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { startLossyProxy, type LossyProxy } from '../../../docs/billing/cut-answers.ts';
import { aCall, aSignUp } from '../../../support/builders.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { adminWrites, erasedEmail, operationsOfWrites } from '../../../support/http/admin-writes.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { memory } from '../../../support/stores/stores.ts';

describe('a write of the administration whose answer a proxy loses', () => {
  const admin = freshAdmin(memory);
  let proxy: LossyProxy;

  beforeEach(async () => {
    await admin()
      .service.container.get(tokens.waitlist)
      .join(aSignUp({ email: erasedEmail }), aCall());
    proxy = await startLossyProxy(admin().service.adminUrl ?? '');
  });
  afterEach(() => proxy.close());

  it('has one effect when it is repeated, and shows no key that was lost', async () => {
    for (const { method, path, body, shownOnce } of adminWrites) {
      const name = `${method} ${path}`;
      const headers = {
        authorization: `Bearer ${operatorKeys.full}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const repeat = (): Promise<Response> =>
        fetch(`${proxy.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      proxy.lose = 1;
      const before = admin().changes.length;
      expect(await repeat().catch(() => 'lost'), name).to.equal('lost');
      expect(admin().changes.length, name).to.equal(before + 1);
      const repeated = await repeat();
      const { data } = (await repeated.json()) as { readonly data: Readonly<Record<string, unknown>> };
      expect(repeated.status, name).to.equal(200);
      if (shownOnce !== undefined) expect(data[shownOnce], name).to.be.oneOf([null, 0]);
      expect(admin().changes.length, name).to.equal(before + 1);
    }
    const history = dataOf(await admin().get('/admin/entitlements/ent_1/history'));
    expect((history as { operation: string }[]).map(({ operation }) => operation).toReversed()).to.deep.equal(
      operationsOfWrites,
    );
    const appKeys = dataOf(await admin().get('/admin/products/prod_2/app-keys')) as { readonly id: string }[];
    expect(appKeys.map(({ id }) => id)).to.deep.equal(['key_a', 'key_b']);
    const operators = dataOf(await admin().get('/admin/operators')) as { readonly id: string }[];
    expect(operators.map(({ id }) => id)).to.have.members(['opk_1', 'opk_a', 'opk_b']);
  });
});

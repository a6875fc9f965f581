import { expect } from 'chai';
import { tokens } from '../../../../app/service/tokens.ts';
import { aCall } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { operatorKeys } from '../../../support/http/fixtures.ts';
import { at, grant } from '../../../support/http/granted-entitlement.ts';
import { range } from '../../../support/range.ts';
import { memory } from '../../../support/stores/stores.ts';

const pro = '/admin/products/prod_1/tiers/pro';
const terms = { deviceLimit: 3, features: { sso: true, projects: 20, theme: '' } };

describe('the tiers of the administration', () => {
  const admin = freshAdmin(memory);

  beforeEach(() => admin().put('/admin/products/prod_1', { name: 'Sketchpad' }));

  it('are new with 201, known with 200, and counted when they are deleted', async () => {
    const statuses = [];
    for (const body of [terms, terms, {}]) statuses.push((await admin().put(pro, body)).status);
    const deleted = [await admin().send('DELETE', pro), await admin().send('DELETE', pro)].map(dataOf);
    expect([deleted, (await admin().put(pro, terms)).status]).to.deep.equal([[{ deleted: 1 }, { deleted: 0 }], 201]);
    expect(statuses).to.deep.equal([201, 200, 200]);
  });

  it('refuse what they cannot have, and change nothing', async () => {
    const fifty = Object.fromEntries(range(50).map((n) => [`f${n}`, true]));
    const large = Object.fromEntries(range(30).map((n) => [`f${n}`, 'x'.repeat(70)]));
    for (const body of [
      { features: { ...fifty, more: true } },
      { features: large },
      { features: { A: true } },
      { features: { '1a': true } },
      { features: { 'a-b': true } },
      { features: { ['a'.repeat(41)]: true } },
      { features: { '': true } },
      { features: { sso: null } },
      { features: { sso: 1.5 } },
      { features: { sso: 2 ** 53 } },
      { features: { sso: [true] } },
      { features: { sso: {} } },
      { features: { sso: 'x'.repeat(101) } },
      { features: { sso: 'two\nlines' } },
      { features: { sso: 'two\u2028lines' } },
      { features: [] },
      { features: 'sso' },
      { deviceLimit: 0 },
      { deviceLimit: 10_001 },
      { deviceLimit: 'unlimited' },
      { feature: { sso: true } },
    ]) {
      const refused = outcomeOf(await admin().put(pro, body));
      expect(refused.slice(0, 2), JSON.stringify(body)).to.deep.equal([400, 'invalid_body']);
      expect(refused[2]).to.include(Object.keys(body)[0]);
    }
    expect(outcomeOf(await admin().put('/admin/products/prod_1/tiers/a%20b', {}))[1]).to.equal('invalid_parameter');
    expect((await admin().put(pro, { features: fifty })).status).to.equal(201);
    const { container } = admin().service;
    expect(await container.get(tokens.events).lastPosition('prod_1', aCall())).to.equal(1);
    expect(admin().changes).to.have.length(2);
  });

  it('are in what each command answers that has changed an entitlement of one', async () => {
    await admin().put(pro, terms);
    for (const id of ['ent_1', 'ent_2', 'ent_3']) await admin().put(`/admin/entitlements/${id}`, grant);
    await admin().post('/admin/entitlements/ent_3/revoke');
    const answered: unknown[] = [];
    for (const [path, body] of [
      ['ent_1/renew', { currentPeriodEnd: at(90) }],
      ['ent_1/change-tier', { tierId: 'pro', tierName: 'Pro 2' }],
      ['ent_1/past-due', undefined],
      ['ent_1/suspend', undefined],
      ['ent_1/reinstate', undefined],
      ['ent_1/cancel', undefined],
      ['ent_1/resume', undefined],
      ['ent_1/allow', { features: { beta: 1 } }],
      ['ent_1/license/revoke', undefined],
      ['ent_3/license/move', { to: 'ent_2' }],
      ['ent_2/revoke', undefined],
    ] as const) {
      const reply = await admin().post(`/admin/entitlements/${path}`, body);
      const data = dataOf(reply) as { readonly entitlement?: object; readonly to?: object };
      const shownIn = (data.entitlement ?? data.to ?? data) as Readonly<Record<string, unknown>>;
      answered.push([
        path,
        reply.status,
        shownIn['deviceLimit'],
        Object.keys(shownIn['features'] ?? {}).includes('sso'),
      ]);
    }
    expect(answered).to.deep.equal(answered.map((each) => [(each as readonly unknown[])[0], 200, 3, true]));
  });

  it('need the scope of the catalog to be changed', async () => {
    await admin().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    for (const [method, status] of [
      ['PUT', 403],
      ['DELETE', 403],
      ['GET', 404],
    ] as const)
      expect((await admin().send(method, pro, { key: operatorKeys.reader, body: {} })).status).to.equal(status);
  });
});

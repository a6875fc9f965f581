import { expect } from 'chai';
import { day, noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin, outcomeOf } from '../../../support/http/admin-client.ts';
import { at, grant, licenseKey, path } from '../../../support/http/granted-entitlement.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { stores } from '../../../support/stores/stores.ts';

/** A change, what it changes in the snapshot, and the name of its log line. */
interface Change {
  readonly operation: string;
  readonly body?: object;
  readonly before?: string;
  readonly shows: object;
  readonly command?: string;
}

const changes: readonly Change[] = [
  { operation: 'renew', body: { currentPeriodEnd: '2026-09-18T14:00:00+02:00' }, shows: { currentPeriodEnd: at(62) } },
  {
    operation: 'change-tier',
    body: { tierId: 'team', tierName: 'Team', billingInterval: 'year', currentPeriodEnd: at(365), grace: '3d' },
    shows: { tierId: 'team', tierName: 'Team', billingInterval: 'year', currentPeriodEnd: at(365) },
  },
  { operation: 'past-due', shows: { status: 'past_due', active: true } },
  { operation: 'suspend', shows: { status: 'suspended', active: false } },
  { operation: 'reinstate', before: 'suspend', shows: { status: 'active', active: true } },
  { operation: 'revoke', shows: { status: 'revoked', active: false, endedAt: at(0) } },
  { operation: 'cancel', shows: { cancelAtPeriodEnd: true, cancelAt: at(31), canceledAt: at(0) } },
  { operation: 'resume', before: 'cancel', shows: { cancelAtPeriodEnd: false, cancelAt: null } },
  { operation: 'license/revoke', shows: { status: 'active', active: true }, command: 'license revoke' },
];

for (const store of stores) {
  describe(`changing an entitlement over HTTP on ${store.name}`, () => {
    const admin = freshAdmin(store);

    beforeEach(async () => {
      await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
      await admin().put(path, { ...grant, licenseKey });
    });

    for (const { operation, body, before, shows, command = `entitlement ${operation}` } of changes) {
      it(`has one effect with ${operation}, twice in turn and twenty times at once`, async () => {
        if (before !== undefined) await admin().post(`${path}/${before}`);
        admin().service.logged.length = 0;
        const send = (): Promise<Reply> => admin().post(`${path}/${operation}`, body);
        const first = await Promise.all(Array.from({ length: 20 }, send));
        const version = before === undefined ? 2 : 3;
        const replies = [...first, await send(), await send()];
        for (const { status, body: content } of replies) expect([status, content]).to.deep.equal([200, first[0]?.body]);
        expect(dataOf(first[0] ?? expect.fail())).to.include({ id: 'ent_1', version, ...shows });
        const by = { by: 'operator:opk_1', correlationId: requestId };
        expect(admin().changes).to.deep.equal([
          { command, entitlementId: 'ent_1', versionBefore: version - 1, version, ...by },
        ]);
        const history = dataOf(await admin().get(`${path}/history`)) as readonly unknown[];
        expect(history).to.have.length(version);
      });
    }

    it('replaces a license key, with a given one safely to repeat', async () => {
      const rotate = (body?: object): Promise<Reply> => admin().post(`${path}/license/rotate`, body);
      const generated = dataOf(await rotate()) as { readonly licenseKey: string };
      expect((await admin().service.verify({ licenseKey })).body).to.deep.equal({ valid: false });
      expect((await admin().service.verify(generated)).body).to.include({ valid: true });
      const own = { licenseKey: 'another-license-key-of-my-own' };
      admin().service.logged.length = 0;
      const replies = await Promise.all(Array.from({ length: 20 }, () => rotate(own)));
      expect(replies.map((reply) => [reply.status, dataOf(reply)])).to.deep.equal(replies.map(() => [200, own]));
      expect(admin().changes).to.have.length(1);
      expect((await admin().service.verify(own)).body).to.include({ valid: true });
    });

    it('is refused in the states that its command refuses', async () => {
      const end = { currentPeriodEnd: at(62) };
      const put = (id: string, more: object = {}): Promise<Reply> =>
        admin().put(`/admin/entitlements/${id}`, { ...grant, ...more });
      for (const id of ['revoked', 'canceling', 'suspended']) await put(id);
      await put('bought', { billingInterval: 'one_time' });
      await put('ended', { currentPeriodStart: at(-60), currentPeriodEnd: at(-30) });
      await admin().post('/admin/entitlements/revoked/revoke');
      await admin().post('/admin/entitlements/canceling/cancel');
      await admin().post('/admin/entitlements/suspended/suspend');
      const tier = { tierId: 'team', tierName: 'Team' };
      const refusals: readonly (readonly [path: string, body: object | undefined, status: number, code: string])[] = [
        ...['past-due', 'suspend', 'reinstate', 'revoke', 'cancel', 'resume', 'license/rotate', 'license/revoke'].map(
          (each) => [`none/${each}`, undefined, 404, 'entitlement_not_found'] as const,
        ),
        ['none/renew', end, 404, 'entitlement_not_found'],
        ['none/change-tier', tier, 404, 'entitlement_not_found'],
        ['ent_1/renew', { currentPeriodEnd: at(30) }, 409, 'period_end_too_early'],
        ['revoked/renew', end, 409, 'entitlement_revoked'],
        ['canceling/renew', end, 409, 'cancellation_scheduled'],
        ['bought/renew', end, 409, 'not_a_subscription'],
        ['bought/cancel', undefined, 409, 'not_a_subscription'],
        ['bought/change-tier', { ...tier, grace: '1d' }, 409, 'not_a_subscription'],
        ['ended/change-tier', tier, 409, 'entitlement_ended'],
        ['ended/suspend', undefined, 409, 'entitlement_ended'],
        ['ended/past-due', undefined, 409, 'entitlement_ended'],
        ['ended/cancel', undefined, 409, 'entitlement_ended'],
        ['suspended/past-due', undefined, 409, 'entitlement_not_current'],
        ['bought/license/rotate', { licenseKey }, 409, 'license_key_exists'],
        ['bought/license/rotate', { licenseKey: 'short' }, 400, 'invalid_license_key'],
        ['ent_1/renew', {}, 400, 'invalid_body'],
        ['ent_1/renew', { ...end, currentPeriodEnds: at(90) }, 400, 'invalid_body'],
        ['ent_1/renew', { ...end, grace: 'long' }, 400, 'invalid_body'],
        ['ent_1/change-tier', { tierId: 'team' }, 400, 'invalid_body'],
        ['ent_1/change-tier', { ...tier, billingInterval: 'one_time' }, 400, 'invalid_body'],
        ['ent_1/license/rotate', { key: licenseKey }, 400, 'invalid_body'],
      ];
      for (const [target, body, status, code] of refusals) {
        const reply = await admin().post(`/admin/entitlements/${target}`, body);
        expect(outcomeOf(reply).slice(0, 2), `${target} ${JSON.stringify(body)}`).to.deep.equal([status, code]);
      }
      admin().service.now = new Date(noon.getTime() + 40 * day);
      const ended = await admin().post('/admin/entitlements/canceling/renew', end);
      expect(outcomeOf(ended).slice(0, 2)).to.deep.equal([409, 'entitlement_canceled']);
    });
  });
}

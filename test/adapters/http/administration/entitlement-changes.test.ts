import { expect } from 'chai';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { at, grant, licenseKey, path } from '../../../support/http/granted-entitlement.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

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
    operation: 'renew',
    body: { currentPeriodEnd: at(62), keepStart: true },
    shows: { currentPeriodStart: at(0), currentPeriodEnd: at(62) },
  },
  {
    operation: 'change-tier',
    body: { tierId: 'team', tierName: 'Team', billingInterval: 'year', currentPeriodEnd: at(365), grace: '3d' },
    shows: { tierId: 'team', tierName: 'Team', billingInterval: 'year', currentPeriodEnd: at(365) },
  },
  {
    operation: 'change-tier',
    body: { tierId: 'team', tierName: 'Team', billingInterval: 'month', billingIntervalCount: 6 },
    shows: { tierId: 'team', billingInterval: 'month', billingIntervalCount: 6, currentPeriodEnd: at(31) },
  },
  { operation: 'past-due', shows: { status: 'past_due', active: true } },
  { operation: 'suspend', shows: { status: 'suspended', active: false } },
  { operation: 'reinstate', before: 'suspend', shows: { status: 'active', active: true } },
  { operation: 'revoke', shows: { status: 'revoked', active: false, endedAt: at(0) } },
  { operation: 'cancel', shows: { cancelAtPeriodEnd: true, cancelAt: at(31), canceledAt: at(0) } },
  { operation: 'resume', before: 'cancel', shows: { cancelAtPeriodEnd: false, cancelAt: null } },
  { operation: 'license/revoke', shows: { status: 'active', active: true }, command: 'license revoke' },
];

describe('changing an entitlement over HTTP', () => {
  const admin = freshAdmin(memory);

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    await admin().put(path, { ...grant, licenseKey });
  });

  for (const { operation, body, before, shows, command = `entitlement ${operation}` } of changes) {
    it(`is done once with ${operation}, however often it is repeated`, async () => {
      if (before !== undefined) await admin().post(`${path}/${before}`);
      admin().service.logged.length = 0;
      const send = (): Promise<Reply> => admin().post(`${path}/${operation}`, body);
      const first = await send();
      const version = before === undefined ? 2 : 3;
      expect([first.status, (await send()).body]).to.deep.equal([200, first.body]);
      expect(dataOf(first)).to.include({ id: 'ent_1', version, ...shows });
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
    const replies = [await rotate(own), await rotate(own)];
    expect(replies.map((reply) => [reply.status, dataOf(reply)])).to.deep.equal(replies.map(() => [200, own]));
    expect(admin().changes).to.have.length(1);
    expect((await admin().service.verify(own)).body).to.include({ valid: true });
  });
});

import { expect } from 'chai';
import { noon } from '../../../support/builders.ts';
import { dataOf, freshAdmin } from '../../../support/http/admin-client.ts';
import { at, by, grant, licenseKey, purchase, snapshot } from '../../../support/http/granted-entitlement.ts';
import { requestId, type Reply } from '../../../support/http/http-client.ts';
import { memory } from '../../../support/stores/stores.ts';

interface Granted {
  readonly entitlement: object;
  readonly licenseKey: string | null;
}

describe('granting an entitlement over HTTP', () => {
  const admin = freshAdmin(memory);
  const put = (more: object = {}, id = 'ent_1'): Promise<Reply> =>
    admin().put(`/admin/entitlements/${id}`, { ...grant, ...more });

  beforeEach(async () => {
    await admin().put('/admin/products/prod_1', { name: 'Sketchpad' });
    admin().service.logged.length = 0;
  });

  it('shows its license key once, and a repeat changes nothing', async () => {
    const granted = await put({ reference: 'sub_1', grace: '2d' });
    const { entitlement, licenseKey: key } = dataOf(granted) as Granted;
    expect([granted.status, entitlement]).to.deep.equal([201, snapshot]);
    expect((await admin().service.verify({ licenseKey: key })).body).to.include({ valid: true });
    admin().service.now = new Date(noon.getTime() + 1000);
    const repeats = [await put({ grace: '48h', currentPeriodEnd: at(31) }), await put({ status: 'active' })];
    for (const { status, body } of repeats) {
      const data = { entitlement: snapshot, licenseKey: null };
      expect([status, body]).to.deep.equal([200, { success: true, data, correlationId: requestId }]);
    }
    const logged = { command: 'entitlement grant', entitlementId: 'ent_1', versionBefore: 0, version: 1, ...by };
    expect(admin().changes).to.deep.equal([logged]);
  });

  it('takes a license key, instants with an offset, and a purchase', async () => {
    const data = dataOf(await put({ licenseKey, currentPeriodEnd: '2026-08-01T02:00:00+02:00' })) as Granted;
    expect(data.licenseKey).to.equal(licenseKey);
    expect(data.entitlement).to.include({ currentPeriodEnd: '2026-08-01T00:00:00.000Z' });
    const bought = dataOf(await admin().put('/admin/entitlements/ent_2', purchase)) as Granted;
    expect(bought.entitlement).to.include({ kind: 'one_time', currentPeriodEnd: null });
  });
});

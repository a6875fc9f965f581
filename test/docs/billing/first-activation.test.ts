import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { LatchkeyAdmin } from '../../../client/admin/index.ts';
import { fileOf } from '../../../docs/generate/repository.ts';
import { startLatchkey, type Latchkey } from '../../../testing/index.ts';
import { inCheckout } from '../../support/documents/in-checkout.ts';
import { eventually } from '../../support/eventually.ts';
import { DocumentReceiver, languages } from '../webhooks/document-receiver.ts';

describe('the term of examples/first-activation that starts at the first activation', () => {
  let latchkey: Latchkey;
  let receiver: DocumentReceiver;
  let admin: LatchkeyAdmin;
  let webhookId: string;

  before(async () => {
    latchkey = await startLatchkey();
    admin = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    const access = await readFile(fileOf('examples/first-activation/access.mjs'), 'utf8');
    receiver = await DocumentReceiver.extract(languages.node, inCheckout(access));
    const { id, secret } = await admin.webhooks.add({ url: receiver.url, types: ['device.activated'] });
    webhookId = id;
    const scopes = ['admin:read', 'admin:entitlements'] as const;
    const { key } = await admin.operatorKeys.issue({ name: 'Terms', scopes });
    await receiver.start(secret ?? '', { ADMIN_URL: latchkey.adminUrl, OPERATOR_KEY: key ?? '' });
  });
  after(async () => {
    await latchkey.stop();
    await receiver.remove();
  });

  const purchase = { productId: 'sketchpad', billingInterval: 'one_time', deviceLimit: 2 } as const;
  const licenses = () => latchkey.client('sketchpad').licenses;

  /** The number of events that the receiver has accepted. */
  async function arrived(): Promise<number> {
    const { deliveries } = await admin.webhooks.get(webhookId);
    return deliveries.flatMap(({ attempts }) => attempts).filter(({ status }) => status === 204).length;
  }

  /** The end of a purchase, once it has one. */
  async function endOf(id: string): Promise<number> {
    const { accessEndsAt } = await eventually(
      () => admin.entitlements.get(id),
      (shown) => shown.accessEndsAt !== undefined,
    );
    return Date.parse(accessEndsAt ?? '');
  }

  it('is a year from then, and no later device moves it', async () => {
    const { licenseKey, entitlement } = await latchkey.grant({ ...purchase, tierId: 'year' });
    const other = await latchkey.grant({ ...purchase, tierId: 'good' });
    const earliest = Date.now() + 365 * 86_400_000;
    await licenses().activate(other.licenseKey, { deviceId: 'machine-1' });
    await licenses().activate(licenseKey, { deviceId: 'machine-1' });
    const end = await endOf(entitlement.id);
    expect(end).to.be.within(earliest, Date.now() + 365 * 86_400_000);
    await licenses().deactivate(licenseKey, { deviceId: 'machine-1' });
    await licenses().activate(licenseKey, { deviceId: 'machine-2' });
    await licenses().activate(licenseKey, { deviceId: 'machine-3' });
    await eventually(arrived, (events) => events === 4);
    expect(await endOf(entitlement.id)).to.equal(end);
    expect(await admin.entitlements.get(other.entitlement.id)).not.to.have.property('accessEndsAt');
  });
});

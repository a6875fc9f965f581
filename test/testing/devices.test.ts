import { expect } from 'chai';
import { LatchkeyAdmin } from '../../client/admin/index.ts';
import { ConflictError, RateLimitError } from '../../client/index.ts';
import { startLatchkey, type Latchkey } from '../../testing/index.ts';
import { thrownBy } from '../support/thrown.ts';

const start = new Date('2026-01-31T00:00:00Z');

const codeOf = async (attempt: Promise<unknown>): Promise<unknown> => {
  const error = await thrownBy(attempt);
  expect(error).to.satisfy((each: unknown) => each instanceof ConflictError || each instanceof RateLimitError);
  return (error as ConflictError).code;
};

describe('devices in startLatchkey', () => {
  let latchkey: Latchkey;
  let licenseKey: string;
  let entitlementId: string;

  beforeEach(async () => {
    latchkey = await startLatchkey({ now: start });
    const granted = await latchkey.grant({ productId: 'sketchpad', billingInterval: 'one_time', deviceLimit: 1 });
    licenseKey = granted.licenseKey;
    entitlementId = granted.entitlement.id;
  });
  afterEach(() => latchkey.stop());

  const licenses = () => latchkey.client('sketchpad').licenses;
  const release = (deviceId: string) => licenses().deactivate(licenseKey, { deviceId });
  const activate = (deviceId: string) => licenses().activate(licenseKey, { deviceId });

  it('make room once they are idle, by its clock', async () => {
    await activate('machine-1');
    await latchkey.clock.advance('89d');
    expect(await codeOf(activate('machine-2'))).to.equal('device_limit');
    await latchkey.clock.advance('1d');
    expect(await activate('machine-2')).to.include({ devicesUsed: 1, deviceLimit: 1 });
    expect(await codeOf(activate('machine-1'))).to.equal('device_limit');
    const events = (await latchkey.events('sketchpad')).filter(({ type }) => type.startsWith('device.'));
    expect(events.map(({ type, data }) => [type, 'reason' in data ? data.reason : undefined])).to.deep.equal([
      ['device.activated', undefined],
      ['device.released', 'idle'],
      ['device.activated', undefined],
    ]);
  });

  it('do not become idle while they are seen', async () => {
    await activate('machine-1');
    await latchkey.clock.advance('60d');
    await activate('machine-1');
    await latchkey.clock.advance('60d');
    expect(await codeOf(activate('machine-2'))).to.equal('device_limit');
  });

  it('are released by apps as often as the allowance says, which refills evenly', async () => {
    for (const deviceId of ['machine-1', 'machine-2', 'machine-3', 'machine-4']) {
      await activate(deviceId);
      await release(deviceId);
    }
    await activate('machine-5');
    expect(await codeOf(release('machine-5'))).to.equal('too_many_releases');
    await latchkey.clock.advance('7d');
    expect(await codeOf(release('machine-5'))).to.equal('too_many_releases');
    await latchkey.clock.advance('12h');
    expect(await release('machine-5')).to.include({ devicesUsed: 0 });
  });

  it('keep their seat while an offline receipt of theirs holds, however long nobody sees them', async () => {
    const { receipts } = new LatchkeyAdmin({ baseUrl: latchkey.adminUrl, operatorKey: latchkey.operatorKey });
    await receipts.issue(entitlementId, { expires: '120d', deviceId: 'machine-1' });
    const { device } = (await licenses().devices(licenseKey)).devices[0] ?? expect.fail();
    await latchkey.clock.advance('119d');
    expect(await codeOf(activate('machine-2'))).to.equal('device_limit');
    expect(await codeOf(licenses().activate(licenseKey, { deviceId: 'machine-2', replace: device }))).to.equal(
      'device_offline',
    );
    expect(await codeOf(licenses().deactivate(licenseKey, { device }))).to.equal('device_offline');
    await latchkey.clock.advance('1d');
    expect(await activate('machine-2')).to.include({ devicesUsed: 1 });
  });
});

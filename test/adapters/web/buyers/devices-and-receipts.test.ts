import { expect } from 'chai';
import { nodePlatform } from '../../../../app/service/platform.ts';
import { deviceOf } from '../../../../core/device/device.ts';
import { aCall, aSubscription, day, hour, later } from '../../../support/builders.ts';
import { json } from '../../../support/http/requests.ts';
import { freshService } from '../../../support/http/service-hooks.ts';
import type { TestService } from '../../../support/http/test-service.ts';
import { claimsOf } from '../../../support/receipts/read-receipt.ts';
import { memory } from '../../../support/stores/stores.ts';
import { administrationIn, foldsIn, grantWithKey, sellSketchpad, textIn } from '../../../support/web/buyers.ts';
import { sendForm, type ReceivedPage } from '../../../support/web/page-client.ts';

type Fields = Readonly<Record<string, string>>;

/** The id of a device of the built subscription, as lists show it. */
function shownId(deviceId: string): string {
  return deviceOf('ent_1', deviceId, nodePlatform.digest);
}

async function activate(service: TestService, licenseKey: string, deviceId: string, deviceName: string): Promise<void> {
  const body = JSON.stringify({ licenseKey, deviceId, deviceName });
  const { status } = await service.send('/api/licenses/activate', { method: 'POST', headers: [json], body });
  expect(status).to.equal(200);
}

/** The devices that a page has a button for. */
function devicesWithButton(page: string): readonly string[] {
  return [...page.matchAll(/name="device" value="(dev_[\w-]{22})"/g)].map(([, device = '']) => device);
}

function outcomeOf({ status, headers }: ReceivedPage): readonly [number, string | undefined] {
  return [status, headers['error-code']];
}

/** The receipt that a page shows. */
function receiptIn({ text }: ReceivedPage): string {
  return /role="textbox"[^>]*>\s*([\w.-]+)\s*<\/code/.exec(text)?.[1] ?? '';
}

async function folds(answer: Promise<ReceivedPage>): Promise<readonly string[]> {
  return foldsIn((await answer).text);
}

describe('the devices on /license', () => {
  const service = freshService(memory, { deviceReleases: 1 });
  beforeEach(() => sellSketchpad(service()));

  const post = (path: string, fields: Fields): Promise<ReceivedPage> => sendForm(`${service().url}/${path}`, fields);
  const release = (licenseKey: string, device: string): Promise<ReceivedPage> =>
    post('license/release', { licenseKey, device });

  it('are listed with when they were seen, and released', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 3 }));
    await activate(service(), licenseKey, 'device-0001', 'Studio <iMac>');
    service().now = later(day);
    await activate(service(), licenseKey, 'device-0002', 'MacBook of Ada');
    service().now = later(2 * day);
    const { text } = await post('license', { licenseKey });
    expect(textIn(text)).to.include('2 of 3 in use');
    expect(textIn(text)).to.include('Studio &lt;iMac&gt; Since 18 July 2026, seen 2 days ago Release');
    expect(textIn(text)).to.include('MacBook of Ada Since 19 July 2026, seen yesterday Release');
    const released = await release(licenseKey, shownId('device-0001'));
    expect(released.status).to.equal(200);
    expect(released.text).to.match(/<div class="note ok"\s+role="status"\s*>/);
    expect(textIn(released.text)).to.include('Released').and.include('1 of 3 in use').and.not.include('iMac');
    const again = await release(licenseKey, shownId('device-0001'));
    expect([again.status, textIn(again.text).includes('1 of 3 in use')]).to.deep.equal([200, true]);
  });

  it('are not shown for a license that counts none', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription());
    expect((await post('license', { licenseKey })).text).to.not.include('>Devices<');
  });

  it('share the limit of releases with apps, and say when there is room again', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 1 }));
    await activate(service(), licenseKey, 'device-0001', 'One');
    const body = JSON.stringify({ licenseKey, deviceId: 'device-0001' });
    await service().send('/api/licenses/deactivate', { method: 'POST', headers: [json], body });
    await activate(service(), licenseKey, 'device-0002', 'Two');
    const refused = await release(licenseKey, shownId('device-0002'));
    expect(outcomeOf(refused)).to.deep.equal([429, 'too_many_releases']);
    expect(Number(refused.headers['retry-after'])).to.be.above(day / 1000);
    expect(refused.text).to.match(/class="note bad"\s+role="alert"/);
    expect(textIn(refused.text)).to.include('Not released').and.include('1 of 1 in use');
  });

  it('stay where the form names none, or one with an offline receipt', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 1 }));
    for (const device of ['', 'dev_0', 'device-0001']) {
      expect(outcomeOf(await release(licenseKey, device))).to.deep.equal([400, 'invalid_body']);
    }
    await post('license/receipt', { licenseKey, deviceId: 'device-0001' });
    const refused = await release(licenseKey, shownId('device-0001'));
    expect(outcomeOf(refused)).to.deep.equal([409, 'device_offline']);
    expect(textIn(refused.text)).to.include('1 of 1 in use').and.include('so only the seller can release it');
  });

  it('have no button where it would always be refused, and lead to the seller', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 2 }));
    await post('license/receipt', { licenseKey, deviceId: 'device-0001' });
    await activate(service(), licenseKey, 'device-0002', 'iMac');
    const { text } = await post('license', { licenseKey });
    expect(textIn(text)).to.include('Works offline until 1 August 2026. Only the seller can release it. Ask Sketchpad');
    expect(devicesWithButton(text)).to.deep.equal([shownId('device-0002')]);
    service().now = later(30 * day);
    expect(devicesWithButton((await post('license', { licenseKey })).text)).to.have.length(2);
  });

  it('are folded without access, and open after one was released or was not', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 3 }));
    for (const device of ['device-0001', 'device-0002']) await activate(service(), licenseKey, device, device);
    await administrationIn(service()).runEntitlementCommand('ent_1', { kind: 'suspend' }, aCall());
    const nothing = 'none of them opens the program now';
    expect(await folds(post('license', { licenseKey }))).to.deep.equal([`closed: 2 devices ${nothing}`]);
    expect(await folds(release(licenseKey, ''))).to.deep.equal([`open: 2 devices ${nothing}`]);
    const one = ['open: 1 device it does not open the program now'];
    expect(await folds(release(licenseKey, shownId('device-0001')))).to.deep.equal(one);
    service().now = later(1000);
    await administrationIn(service()).runEntitlementCommand('ent_1', { kind: 'revoke' }, aCall());
    expect(await folds(post('license', { licenseKey }))).to.deep.equal([one[0]?.replace('open', 'closed')]);
  });

  it('are not said to open nothing while one works offline', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 1 }));
    await post('license/receipt', { licenseKey, deviceId: 'device-0001' });
    await administrationIn(service()).runEntitlementCommand('ent_1', { kind: 'suspend' }, aCall());
    const { text } = await post('license', { licenseKey });
    expect(foldsIn(text)).to.deep.equal(['closed: 1 device']);
    expect(textIn(text)).to.include('Works offline until');
  });
});

describe('receipts from /license', () => {
  const service = freshService(memory, { receiptTtl: 10 * day });
  beforeEach(() => sellSketchpad(service()));

  const ask = (fields: Fields): Promise<ReceivedPage> => sendForm(`${service().url}/license/receipt`, fields);

  it('are offline receipts that hold as long as those by the API, to copy or to download', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription());
    const { text: license } = await sendForm(`${service().url}/license`, { licenseKey });
    expect(textIn(license)).to.include('It works for 10 days.').and.not.include('Device id');
    const page = await ask({ licenseKey });
    expect(page.status).to.equal(200);
    expect(textIn(page.text)).to.include('It works until 28 July 2026.');
    const { mode, exp, device } = claimsOf(receiptIn(page));
    expect({ mode, exp, device }).to.deep.equal({
      mode: 'offline',
      exp: later(10 * day).getTime() / 1000,
      device: undefined,
    });
    const file = await ask({ licenseKey, as: 'file' });
    expect(file.headers).to.include({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="prod_1-receipt.txt"',
      'cache-control': 'no-store',
    });
    expect(claimsOf(file.text)).to.include({ mode: 'offline', aud: 'prod_1' });
    const changes = service().logged.filter(({ command }) => command === 'license receipt');
    expect(changes.map(({ by, entitlementId }) => [by, entitlementId])).to.deep.equal([
      ['buyer', 'ent_1'],
      ['buyer', 'ent_1'],
    ]);
  });

  it('take a seat of a license with a limit, as the seller’s do', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription({ deviceLimit: 1 }));
    for (const deviceId of ['', 'short', 'with a space']) {
      const wrong = await ask({ licenseKey, deviceId });
      expect(outcomeOf(wrong)).to.deep.equal([400, 'invalid_body']);
      expect(wrong.text).to.include('id="device-id-error"').and.include(`value="${deviceId}"`);
      expect(foldsIn(wrong.text)[0]).to.match(/^open: Use it on/);
    }
    const page = await ask({ licenseKey, deviceId: ' device-0001 ' });
    expect(claimsOf(receiptIn(page))).to.include({ mode: 'offline', device: shownId('device-0001') });
    expect(page.text).to.include('name="deviceId" value="device-0001"');
    const full = await ask({ licenseKey, deviceId: 'device-0002' });
    expect(outcomeOf(full)).to.deep.equal([409, 'device_limit']);
    expect(textIn(full.text)).to.include('All 1 places are in use.').and.include('1 of 1 in use');
    expect(foldsIn(full.text)[0]).to.match(/^open: Use it on/);
    expect((await ask({ licenseKey, deviceId: 'device-0001' })).status).to.equal(200);
  });

  it('are refused for a license that gives no access now', async () => {
    const licenseKey = await grantWithKey(service(), aSubscription());
    await administrationIn(service()).runEntitlementCommand(
      'ent_1',
      { kind: 'suspend' },
      aCall({ now: service().now }),
    );
    const refused = await ask({ licenseKey });
    expect(outcomeOf(refused)).to.deep.equal([409, 'no_access']);
    expect(textIn(refused.text)).to.include('The license gives no access now.').and.include('on hold');
  });

  it('do not hold beyond the end of access', async () => {
    const licenseKey = await grantWithKey(
      service(),
      aSubscription({ cancellation: { at: later(hour), requestedAt: later(-1) } }),
    );
    expect(claimsOf(receiptIn(await ask({ licenseKey })))['exp']).to.equal(later(hour).getTime() / 1000);
  });
});

for (const [settings, time] of [
  [{ buyerReceiptTtl: 36 * hour }, '36 hours'],
  [{ buyerReceiptTtl: 400 * day }, '400 days'],
  [{ receiptTtl: 30 * day, receiptMaxAge: day }, '1 day'],
  [{ buyerReceiptTtl: 'off' }, null],
  [{ receipts: 'off' }, null],
] as const) {
  describe(`receipts from /license with ${JSON.stringify(settings)}`, () => {
    const service = freshService(memory, settings);

    it(time === null ? 'are not to be had' : `hold for ${time}`, async () => {
      const licenseKey = await grantWithKey(service(), aSubscription());
      const { text } = await sendForm(`${service().url}/license`, { licenseKey });
      const receipt = await sendForm(`${service().url}/license/receipt`, { licenseKey });
      expect(receipt.status).to.equal(time === null ? 404 : 200);
      expect(textIn(text).includes('a machine without a network')).to.equal(time !== null);
      if (time !== null) expect(textIn(text)).to.include(`It works for ${time}.`);
    });
  });
}

describe('/license where apps release no device', () => {
  const service = freshService(memory, { deviceReleases: 0 });

  it('has a button for a license without a limit alone', async () => {
    for (const [deviceLimit, button] of [
      [1, false],
      [null, true],
    ] as const) {
      const id = `ent_${deviceLimit}`;
      const licenseKey = await grantWithKey(service(), aSubscription({ id, deviceLimit }));
      await activate(service(), licenseKey, 'device-0001', 'iMac');
      const { text } = await sendForm(`${service().url}/license`, { licenseKey });
      expect(textIn(text).includes('Only the seller can release it.')).to.equal(!button);
      expect(devicesWithButton(text)).to.have.length(button ? 1 : 0);
    }
  });
});

for (const settings of [{ buyerPages: 'off' }, { pages: 'off' }] as const) {
  describe(`/license with ${JSON.stringify(settings)}`, () => {
    const service = freshService(memory, settings);

    it('does not exist', async () => {
      for (const path of ['license', 'license/receipt', 'license/release']) {
        const { status } = await sendForm(`${service().url}/${path}`, { licenseKey: 'a-license-key-of-a-buyer' });
        expect(status).to.equal(404);
      }
    });
  });
}

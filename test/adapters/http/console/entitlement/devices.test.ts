import { expect } from 'chai';
import { digest } from '../../../../../adapters/crypto/node-secrets.ts';
import { tokens } from '../../../../../app/service/tokens.ts';
import { deviceOf, type Device } from '../../../../../core/device/device.ts';
import { licenseDigest } from '../../../../../core/license/license-key.ts';
import { aCall, aLicense, aSubscription, day, later, noon } from '../../../../support/builders.ts';
import { operatorKeys } from '../../../../support/http/fixtures.ts';
import { json } from '../../../../support/http/requests.ts';
import { range } from '../../../../support/range.ts';
import { memory } from '../../../../support/stores/stores.ts';
import { freshConsole, outcomeOf, type ConsoleClient } from '../../../../support/web/console-client.ts';
import { fieldIn } from '../../../../support/web/console-pages.ts';

const path = '/console/entitlements/ent_1';
const licenseKey = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });

function deviceNamed(name: string): string {
  return deviceOf('ent_1', `machine-${name}`, digest);
}

async function activate({ service }: ConsoleClient, name: string, deviceName?: string): Promise<void> {
  const body = JSON.stringify({ licenseKey, deviceId: `machine-${name}`, deviceName });
  const { status } = await service.send('/api/licenses/activate', { method: 'POST', headers: [json], body });
  expect(status).to.equal(200);
}

async function devicesOf({ service }: ConsoleClient): Promise<readonly Device[]> {
  return service.container.get(tokens.devices).page('ent_1', { after: null, limit: 200 }, aCall());
}

async function versionOn(client: ConsoleClient, page: string): Promise<string> {
  return fieldIn((await client.get(page)).text, 'version');
}

describe('the devices of an entitlement on the console', () => {
  const client = freshConsole(memory);

  it('are counted and listed, and released one by one and all at once, each time after a question', async () => {
    await client().service.grant(aSubscription({ license, deviceLimit: 3, sequence: 1 }));
    await client().signIn();
    await activate(client(), '1', 'The laptop <b>of</b> Ada');
    client().service.now = later(1);
    await activate(client(), '2');
    const { text } = await client().get(path);
    expect(text)
      .to.match(/<h2 id="devices">2 of 3 devices<\/h2>/)
      .and.include('The laptop &lt;b&gt;of&lt;/b&gt; Ada')
      .and.include('No name')
      .and.include(`href="${path}/devices/clear"`);
    expect(text.indexOf(deviceNamed('1'))).to.be.lessThan(text.indexOf(deviceNamed('2')));

    const one = `${path}/devices/${deviceNamed('1')}/release`;
    expect(text).to.include(`href="${one}"`);
    const named = `aria-labelledby="release-${deviceNamed('1')} ${deviceNamed('1')}"`;
    expect(text)
      .to.include(named)
      .and.match(new RegExp(`id="${deviceNamed('1')}"\\s*><bdi>The laptop`));
    const asked = await client().get(one);
    expect(asked.text).to.include('<h1>Release this device?</h1>').and.include('The laptop &lt;b&gt;of');
    expect(await devicesOf(client())).to.have.length(2);
    const version = fieldIn(asked.text, 'version');
    for (const again of ['first', 'again']) {
      const released = await client().submit(one, { version });
      expect(outcomeOf(released), again).to.deep.equal([303, `${path}?done=released`]);
    }
    expect((await devicesOf(client())).map(({ id }) => id)).to.deep.equal([deviceNamed('2')]);
    expect((await client().get(`${path}?done=released`)).text)
      .to.include('<strong>The device was released.</strong>')
      .and.include('1 of 3 devices');

    await activate(client(), '3');
    const all = `${path}/devices/clear`;
    expect((await client().get(all)).text)
      .to.include('<h1>Release all devices?</h1>')
      .and.include('2 of 3 devices');
    const seen = await versionOn(client(), all);
    for (const again of ['first', 'again']) {
      const cleared = await client().submit(all, { version: seen });
      expect(outcomeOf(cleared), again).to.deep.equal([303, `${path}?done=cleared`]);
    }
    expect(await devicesOf(client())).to.deep.equal([]);
    expect((await client().get(`${path}?done=cleared`)).text)
      .to.include('All devices were released.')
      .and.include('0 of 3 devices')
      .and.include('No device has a seat.');
    const lines = client().service.logged.filter(({ command }) => String(command).startsWith('device '));
    expect(lines.map(({ command, by, released }) => [command, by, released])).to.deep.equal([
      ['device release', 'operator:opk_1', 1],
      ['device clear', 'operator:opk_1', 2],
    ]);
  });

  it('are not mentioned without a limit and devices, and counted without a limit', async () => {
    await client().service.grant(aSubscription({ license }));
    await client().signIn();
    const { text } = await client().get(path);
    expect(text).not.to.include('id="devices"');
    expect(text).to.include('Any number of devices');
    await activate(client(), '1');
    expect((await client().get(path)).text).to.include('<h2 id="devices">1 device</h2>');
  });

  it('are released as they were shown: one that was activated anew meanwhile keeps its seat', async () => {
    await client().service.grant(aSubscription({ license, deviceLimit: 3 }));
    await client().signIn();
    await activate(client(), '1');
    const one = `${path}/devices/${deviceNamed('1')}/release`;
    const version = await versionOn(client(), one);
    const all = await versionOn(client(), `${path}/devices/clear`);
    await client().submit(one, { version });
    client().service.now = later(1000);
    await activate(client(), '1');
    expect(outcomeOf(await client().submit(one, { version }))).to.deep.equal([409, 'changed_meanwhile']);
    await activate(client(), '2');
    const stale = await client().submit(`${path}/devices/clear`, { version: all });
    expect(outcomeOf(stale)).to.deep.equal([409, 'changed_meanwhile']);
    expect(stale.text).to.include('1 of 3 devices').and.include('2 of 3 devices');
    expect(await devicesOf(client())).to.have.length(2);
  });

  it('are shown without buttons to an operator who may only read', async () => {
    await client().service.grant(aSubscription({ license, deviceLimit: 3 }));
    await activate(client(), '1', 'Ada');
    await client().service.addOperatorKey(operatorKeys.reader, { id: 'opk_2', scopes: ['admin:read'] });
    await client().signIn(operatorKeys.reader);
    const { text } = await client().get(path);
    expect(text).to.include('1 of 3 devices').and.include('Ada').and.not.include('/devices/');
    for (const page of ['clear', `${deviceNamed('1')}/release`]) {
      const refused = await client().submit(`${path}/devices/${page}`, { version: '{}' });
      expect(outcomeOf(refused)).to.deep.equal([403, 'insufficient_scope']);
    }
    expect(await devicesOf(client())).to.have.length(1);
  });

  it('are released after the entitlement has ended, too, and with an offline receipt, which the page names', async () => {
    await client().service.grant(aSubscription({ license, deviceLimit: 3, hold: { kind: 'revoked', at: noon } }));
    const [entitlement] = await client().service.stored();
    if (entitlement === undefined) throw new Error('nothing is stored');
    const device = {
      id: deviceNamed('1'),
      name: null,
      activatedAt: noon,
      seenAt: noon,
      offlineUntil: later(day),
    };
    const next = { ...entitlement, devicesUsed: 1, revision: entitlement.revision + 1 };
    await client()
      .service.container.get(tokens.devices)
      .replace(entitlement, next, { gone: [], put: [device], events: [] }, aCall());
    await client().signIn();
    expect((await client().get(path)).text).to.include('Offline receipt until');
    const one = `${path}/devices/${device.id}/release`;
    const asked = await client().get(one);
    expect(asked.text).to.include('which cannot be recalled');
    const released = await client().submit(one, { version: fieldIn(asked.text, 'version') });
    expect(outcomeOf(released)).to.deep.equal([303, `${path}?done=released`]);
    expect(await devicesOf(client())).to.deep.equal([]);
  });

  it('are shown up to a hundred, with the command that shows all', async () => {
    await client().service.grant(aSubscription({ license }));
    const [entitlement] = await client().service.stored();
    if (entitlement === undefined) throw new Error('nothing is stored');
    const put = range(101).map((n): Device => ({
      id: deviceNamed(String(n)),
      name: `Machine ${n}`,
      activatedAt: later(n),
      seenAt: later(n),
      offlineUntil: null,
    }));
    const next = { ...entitlement, devicesUsed: put.length, revision: entitlement.revision + 1 };
    await client()
      .service.container.get(tokens.devices)
      .replace(entitlement, next, { gone: [], put, events: [] }, aCall());
    await client().signIn();
    const { text } = await client().get(path);
    expect(text).to.include('101 devices').and.include('Machine 99').and.not.include('Machine 100');
    expect(text).to.include('device list ent_1');
  });

  it('are asked about also when they have no seat, which changes nothing, and only of an entitlement that there is', async () => {
    await client().service.grant(aSubscription({ license, deviceLimit: 3 }));
    await client().signIn();
    const one = `${path}/devices/${deviceNamed('9')}/release`;
    expect((await client().get(one)).text).to.include('Has no seat');
    expect((await client().get('/console/entitlements/ent_9/devices/clear')).status).to.equal(404);
    expect((await client().get(`/console/entitlements/ent_9/devices/${deviceNamed('9')}/release`)).status).to.equal(
      404,
    );
  });
});

import { expect } from 'chai';
import { digest } from '../../../../../adapters/crypto/node-secrets.ts';
import {
  activationExample,
  deactivationExample,
  licenseDevicesExample,
} from '../../../../../adapters/http/operations/docs/device-examples.ts';
import { exampleId } from '../../../../../adapters/http/operations/docs/examples.ts';
import { deviceOf } from '../../../../../core/device/device.ts';
import { licenseDigest } from '../../../../../core/license/license-key.ts';
import { aLicense, aSubscription, day, later } from '../../../../support/builders.ts';
import { eventually } from '../../../../support/eventually.ts';
import type { Reply } from '../../../../support/http/http-client.ts';
import { corsHeaders, refused, succeeded } from '../../../../support/http/replies.ts';
import { bearer, json } from '../../../../support/http/requests.ts';
import { freshService } from '../../../../support/http/service-hooks.ts';
import type { TestService } from '../../../../support/http/test-service.ts';
import { claimsOf } from '../../../../support/receipts/read-receipt.ts';
import { memory } from '../../../../support/stores/stores.ts';

const licenseKey = 'a-license-key-of-a-buyer';
const license = aLicense({ digest: licenseDigest(licenseKey, digest) });
const deviceId = '4f9c2f6a1d5e47d0';
const device = deviceOf('ent_1', deviceId, digest);

const withExampleId = { ...corsHeaders, 'x-request-id': exampleId };

type Verb = 'activate' | 'deactivate' | 'devices';

function post(service: TestService, verb: Verb, members: object = {}, correlationId?: string): Promise<Reply> {
  return service.send(`/api/licenses/${verb}`, {
    method: 'POST',
    headers: correlationId === undefined ? [json] : [json, `X-Request-Id: ${correlationId}`],
    body: JSON.stringify({ licenseKey, ...members }),
  });
}

function dataOf({ status, body }: Reply): Readonly<Record<string, unknown>> {
  expect(status).to.equal(200);
  return (body as { readonly data: Readonly<Record<string, unknown>> }).data;
}

async function codesOf(replies: readonly Promise<Reply>[]): Promise<readonly unknown[]> {
  return (await Promise.all(replies)).map(({ status, headers }) => headers['error-code'] ?? status);
}

async function namesOf(service: TestService): Promise<readonly unknown[]> {
  const { devices } = dataOf(await post(service, 'devices')) as { readonly devices: readonly { name: unknown }[] };
  return devices.map(({ name }) => name);
}

describe('the devices of a license', () => {
  const service = freshService(memory, { publicUrl: 'https://latchkey.example' });

  it('take and give up seats as the examples of the document show, one request after the other', async () => {
    await service().grant(aSubscription({ license, deviceLimit: 3 }));
    const taken = await post(service(), 'activate', { deviceId, deviceName: 'Ada’s laptop' }, exampleId);
    const { receipt, ...seat } = dataOf(taken);
    const { receipt: exampleReceipt, ...exampleSeat } = activationExample.data;
    expect(taken).to.deep.equal(succeeded({ ...activationExample, data: { ...seat, receipt } }, withExampleId));
    expect(seat).to.deep.equal(exampleSeat);
    const signed = receipt as typeof exampleReceipt;
    expect({ ...signed, receipt: exampleReceipt.receipt }).to.deep.equal(exampleReceipt);
    expect(claimsOf(signed.receipt)).to.include({ device, mode: 'online' });
    expect((await post(service(), 'devices', {}, exampleId)).body).to.deep.equal(licenseDevicesExample);
    const released = await post(service(), 'deactivate', { deviceId }, exampleId);
    expect(released).to.deep.equal(succeeded(deactivationExample, withExampleId));
    expect((await post(service(), 'deactivate', { device }, exampleId)).body).to.deep.equal(deactivationExample);
  });

  it('are shown with the entitlement and in the feed, and leave its version and its cancellation alone', async () => {
    await service().grant(aSubscription({ license }));
    const before = await service().read('ent_1');
    expect(dataOf(before)).not.to.have.any.keys('deviceLimit', 'devicesUsed');
    const canceled = await service().changeForText('ent_1/cancel', 'key-00000001', exampleId);
    await post(service(), 'activate', { deviceId });
    const after = await service().read('ent_1');
    expect(dataOf(after)).to.include({ deviceLimit: null, devicesUsed: 1, version: 2 });
    expect(after.headers['etag']).not.to.equal(before.headers['etag']);
    const replay = await service().changeForText('ent_1/cancel', 'key-00000001', exampleId);
    expect(replay.text).to.equal(canceled.text);
    const { data } = await eventually(
      async () =>
        (await service().send('/api/app-events', { headers: [bearer()] })).body as {
          readonly data: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
        },
      (page) => page.data.length === 2,
    );
    expect(data[1]?.type).to.equal('device.activated');
    expect(data[1]?.data).to.deep.include({ device, by: 'license', previous: {} });
  });
});

describe('a license for two devices', () => {
  const service = freshService(memory);
  const activate = (name: string, members: object = {}): Promise<Reply> =>
    post(service(), 'activate', { deviceId: `machine-${name}`, ...members });

  beforeEach(() => service().grant(aSubscription({ license, deviceLimit: 2, ...lasting })));

  it('refuses a third one until one is released or named in replace, for another product and without access', async () => {
    const first = dataOf(await activate('1'))['device'];
    await activate('2');
    expect(await codesOf([activate('3'), activate('3', { replace: device })])).to.deep.equal([
      'device_limit',
      'device_limit',
    ]);
    expect(dataOf(await activate('3', { replace: first }))).to.include({ devicesUsed: 2 });
    expect(await codesOf([activate('3', { replace: first }), activate('1')])).to.deep.equal([200, 'device_limit']);
    expect(await codesOf([activate('3', { productId: 'prod_2' })])).to.deep.equal(['license_not_found']);
    service().now = later(901 * day);
    expect(await codesOf([activate('3')])).to.deep.equal(['no_access']);
  });

  it('takes any text for a name, and shows what can be shown of it', async () => {
    for (const deviceName of ['', '  ', '\u0000', null]) {
      expect(dataOf(await activate('1', { deviceName }))).to.include({ devicesUsed: 1 });
    }
    expect(await namesOf(service())).to.deep.equal([null]);
    await activate('1', { deviceName: 'mbp.local\n' });
    await activate('1', { deviceName: '\u0000' });
    expect(await namesOf(service())).to.deep.equal(['mbp.local']);
  });

  it('reads null as a member that was left out', async () => {
    const nothing = { productId: null, deviceName: null, replace: null };
    expect(dataOf(await activate('1', nothing))).to.include({ devicesUsed: 1 });
    const { devices } = dataOf(await post(service(), 'devices', { productId: null }));
    expect(devices).to.have.length(1);
    const released = await post(service(), 'deactivate', { ...nothing, deviceId: 'machine-1', device: null });
    expect(dataOf(released)).to.include({ devicesUsed: 0 });
  });

  it('lets apps release eight devices in thirty days, and says when they may again', async () => {
    for (const name of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      await activate(name);
      dataOf(await post(service(), 'deactivate', { deviceId: `machine-${name}` }));
    }
    await activate('9');
    const refusal = await post(service(), 'deactivate', { deviceId: 'machine-9' });
    expect([refusal.status, refusal.headers['error-code'], refusal.headers['retry-after']]).to.deep.equal([
      429,
      'too_many_releases',
      String((30 * day) / 8 / 1000),
    ]);
  });

  it('neither logs nor stores what the app calls its device, and logs no name', async () => {
    const id = 'the-name-that-the-app-has-for-it';
    const name = 'The laptop of Ada';
    await post(service(), 'activate', { deviceId: id, deviceName: name });
    await post(service(), 'deactivate', { deviceId: 'short' });
    await post(service(), 'devices');
    const lines = JSON.stringify(service().logged);
    expect(lines).to.include('activateDevice').and.not.to.include(id).and.not.to.include(name);
    expect(JSON.stringify(await service().stored())).not.to.include(id);
  });

  const wrong: readonly (readonly [verb: Verb, members: object, message: string])[] = [
    ['activate', {}, 'deviceId must be 8 to 128 printable ASCII characters without spaces.'],
    ...['1234567', 'a'.repeat(129), 'has a space', 'größe-12', 12_345_678, null].map(
      (given) =>
        [
          'activate',
          { deviceId: given },
          'deviceId must be 8 to 128 printable ASCII characters without spaces.',
        ] as const,
    ),
    ...[7, true, ['a name'], {}].map(
      (given) => ['activate', { deviceId, deviceName: given }, 'deviceName must be a text.'] as const,
    ),
    ...['dev_short', `dev_${'a'.repeat(23)}`, deviceId, 7].map(
      (given) =>
        [
          'activate',
          { deviceId, replace: given },
          'replace must be "dev_" and 22 characters, as the list of devices shows it.',
        ] as const,
    ),
    ['deactivate', {}, 'The request body must have either deviceId or device.'],
    ['deactivate', { deviceId: null, device: null }, 'The request body must have either deviceId or device.'],
    ['deactivate', { deviceId, device }, 'The request body must have either deviceId or device.'],
    ['deactivate', { device: deviceId }, 'device must be "dev_" and 22 characters, as the list of devices shows it.'],
  ];

  for (const [verb, members, message] of wrong) {
    it(`refuses to ${verb} with ${JSON.stringify(members)}, and changes nothing`, async () => {
      const before = await service().stored();
      const expected = refused(400, 'invalid_body', message, corsHeaders);
      expect(await post(service(), verb, members)).to.deep.equal(expected);
      expect(await service().stored()).to.deep.equal(before);
    });
  }

  it('refuses what cannot be a license key before it looks at the device', async () => {
    for (const verb of ['activate', 'deactivate', 'devices'] as const)
      expect(await codesOf([post(service(), verb, { licenseKey: 'short' })])).to.deep.equal(['malformed_license_key']);
  });
});

describe('a seat without a receipt', () => {
  const service = freshService(memory, { receipts: 'off' });

  it('is taken all the same', async () => {
    await service().grant(aSubscription({ license }));
    expect(dataOf(await post(service(), 'activate', { deviceId }))).to.deep.include({ receipt: null, devicesUsed: 1 });
  });
});

const lasting = { currentPeriodEnd: later(900 * day), graceUntil: later(900 * day) };

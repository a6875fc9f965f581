import type { Answer, Exchange, GateCase, Members, Step } from '../../testing/gates/cases.ts';
import { check } from './gate-stories.ts';
import { invalid, noEntitlements, unavailable, valid, verifies } from './gate-table.ts';
import { digestOf } from './signer.ts';
import {
  active,
  at,
  claims,
  day,
  device,
  deviceName,
  endOf,
  entitlement,
  hour,
  issuedAt,
  json,
  licenseKey,
  productId,
  receiptOf,
  refusal,
  saysUnknown,
  saysValid,
  seat,
  storedOf,
  stranger,
  trial,
} from './world.ts';

// Gates that take a seat for their device.

const asked = { licenseKey, productId, deviceId: device.id, deviceName: device.name };
const activates = (answer: Answer, more: Members = {}): Exchange => ({
  path: '/api/licenses/activate',
  body: { ...asked, ...more },
  answer,
});
const deactivates = (answer: Answer): Exchange => ({
  path: '/api/licenses/deactivate',
  body: { licenseKey, productId, deviceId: device.id },
  answer,
});

const own = receiptOf(0, { device: deviceName });
const older = receiptOf(3600, { device: deviceName });
const others = receiptOf(0, { device: `dev_${digestOf('ent_1\nmachine-2').slice(0, 22)}` });

function withDevice(name: string, stored: GateCase['stored'], ...steps: readonly Step[]): GateCase {
  return { name: `device/${name}`, device, stored, steps };
}

export function deviceCases(): readonly GateCase[] {
  return [...seats(), ...refusals(), ...hostile(), ...releases()];
}

function seats(): readonly GateCase[] {
  const dead = [activates('closed')];
  const features = { projects: 20, sso: true };
  const allowed = { ...entitlement, deviceLimit: 3, features };
  const rich = receiptOf(0, { device: deviceName, entitlement: allowed });
  const offline = receiptOf(0, { mode: 'offline', exp: issuedAt + 365 * 86_400 });
  const ending = receiptOf(0, { device: deviceName, entitlement: { ...entitlement, updatesUntil: at(300 * day) } });
  const unnamed = { id: 'machine-1' };
  return [
    withDevice(
      'a-seat-and-its-receipt',
      null,
      check(at(), [activates(seat(own))], valid('online', endOf(own)), storedOf(own, at())),
      check(at(day), [activates(seat(own))], valid('online', endOf(own), entitlement, at(day)), storedOf(own, at(day))),
      check(at(day), dead, valid('receipt', endOf(own), entitlement, at(day)), storedOf(own, at(day)), {
        restart: true,
      }),
    ),
    withDevice(
      'the-newer-receipt-stays',
      storedOf(older),
      check(at(), [activates(seat(own))], valid('online', endOf(own)), storedOf(own, at())),
    ),
    withDevice(
      'no-receipt-to-be-had',
      storedOf(older),
      check(at(), [activates(seat(null))], valid('online', endOf(older)), storedOf(older, at())),
    ),
    withDevice(
      'no-receipt-and-none-before',
      null,
      check(at(), [activates(seat(null))], valid('online', null), storedOf(null, at())),
    ),
    withDevice(
      'a-receipt-of-another-device-is-not-stored',
      storedOf(older),
      check(at(), [activates(seat(others))], valid('online', endOf(older)), storedOf(older, at())),
    ),
    withDevice(
      'a-forged-receipt-is-not-stored',
      storedOf(older),
      check(
        at(),
        [activates(seat(stranger.receipt(claims(), active.header())))],
        valid('online', endOf(older)),
        storedOf(older, at()),
      ),
    ),
    withDevice(
      'a-storage-that-was-copied',
      storedOf(others),
      check(at(), dead, unavailable('wrong_device'), 'unchanged'),
    ),
    withDevice(
      'an-online-receipt-without-device',
      storedOf(receiptOf(0)),
      check(at(), dead, unavailable('wrong_device'), 'unchanged'),
    ),
    withDevice(
      'an-offline-receipt-without-device',
      storedOf(offline),
      check(at(), dead, valid('receipt', endOf(offline)), storedOf(offline, at())),
    ),
    withDevice(
      'an-offline-receipt-stays',
      storedOf(offline),
      check(at(), [activates(seat(own))], valid('online', endOf(offline)), storedOf(offline, at())),
    ),
    withDevice(
      'an-offline-receipt-stays-and-the-new-one-shows-the-ends',
      storedOf(offline),
      check(
        at(),
        [activates(seat(ending))],
        valid('online', endOf(offline), { ...entitlement, updatesUntil: at(300 * day) }),
        storedOf(offline, at()),
      ),
    ),
    withDevice(
      'features-and-limit-of-the-seat',
      storedOf(older),
      check(
        at(),
        [activates(seat(rich, { deviceLimit: 3, features }))],
        valid('online', endOf(rich), allowed),
        storedOf(rich, at()),
      ),
      check(
        at(),
        [activates(seat(rich, { deviceLimit: 5 }))],
        valid('online', endOf(rich), { ...entitlement, deviceLimit: 5 }),
        storedOf(rich, at()),
      ),
      check(at(), dead, valid('receipt', endOf(rich), allowed), storedOf(rich, at())),
    ),
    withDevice(
      'replace',
      null,
      check(
        at(),
        [activates(seat(own), { replace: 'dev_0123456789abcdefghijkl' })],
        valid('online', endOf(own)),
        storedOf(own, at()),
        { replace: 'dev_0123456789abcdefghijkl' },
      ),
    ),
    {
      name: 'device/without-a-name',
      device: unnamed,
      stored: null,
      steps: [
        check(
          at(),
          [{ path: '/api/licenses/activate', body: { licenseKey, productId, deviceId: device.id }, answer: seat(own) }],
          valid('online', endOf(own)),
          storedOf(own, at()),
        ),
      ],
    },
    withDevice('accept-is-for-this-device', null, {
      call: 'accept',
      now: at(),
      receipt: receiptOf(0, { mode: 'offline', device: `dev_${'a'.repeat(22)}` }),
      exchanges: [],
      result: { verdict: 'invalid', reason: 'wrong_device', entitlement: null },
      stored: null,
    }),
  ];
}

function refusals(): readonly GateCase[] {
  const refusing = ['device_limit', 'device_offline', 'too_many_releases'].map((code) =>
    withDevice(
      `refused/${code}`,
      storedOf(own),
      check(
        at(),
        [activates(refusal(code === 'too_many_releases' ? 429 : 409, code))],
        invalid('online', code),
        storedOf(null),
      ),
      check(at(), [activates('closed')], unavailable('none'), 'unchanged'),
    ),
  );
  const says = (name: string, answer: Answer, reason: string, after: Step['stored']): GateCase =>
    withDevice(`refused/${name}`, storedOf(own), check(at(), [activates(answer)], invalid('online', reason), after));
  const explained = (name: string, answer: Answer, result: Members, stored: Step['stored']): GateCase =>
    withDevice(
      `no-access/${name}`,
      storedOf(own),
      check(at(), [activates(refusal(409, 'no_access')), verifies(answer)], result, stored),
    );
  const goesOn = valid('receipt', endOf(own));
  return [
    ...refusing,
    says('unknown', refusal(404, 'license_not_found'), 'unknown', storedOf(null)),
    says('malformed', refusal(400, 'malformed_license_key'), 'malformed', 'unchanged'),
    explained(
      'and-why',
      json(200, { valid: false, entitlement: trial }),
      invalid('online', 'no_access', trial),
      storedOf(null),
    ),
    explained('and-revoked-meanwhile', saysUnknown, invalid('online', 'unknown'), storedOf(null)),
    explained('and-valid-meanwhile', saysValid, goesOn, storedOf(own, at())),
    explained('and-no-explanation', 'closed', goesOn, storedOf(own, at())),
    withDevice(
      'refused/a-receipt-of-another-license-stays',
      storedOf(receiptOf(0, { key: digestOf('another key') })),
      check(at(), [activates(refusal(409, 'device_limit'))], invalid('online', 'device_limit'), 'unchanged'),
    ),
    withDevice(
      'refused/a-receipt-of-another-device-goes',
      storedOf(others),
      check(at(), [activates(refusal(409, 'device_limit'))], invalid('online', 'device_limit'), storedOf(null)),
    ),
  ];
}

/** Answers without a valid seat: a member is missing, or of another kind. */
const noSeats: Readonly<Record<string, Members>> = {
  'no-device': { device: undefined },
  'a-number-as-device': { device: 7 },
  'no-limit': { deviceLimit: undefined },
  'a-text-as-limit': { deviceLimit: '2' },
  'half-a-device-as-limit': { deviceLimit: 0.5 },
  'no-receipt-and-no-null': { receipt: undefined },
  'a-text-as-receipt': { receipt: own },
  'a-number-as-receipt': { receipt: { receipt: 7 } },
  'a-list-as-features': { features: ['sso'] },
  'null-as-features': { features: null },
  'an-object-as-feature': { features: { sso: {} } },
  'null-as-feature': { features: { sso: null } },
};

/** The answer of a seat, with other members. */
function handed(changed: Members): ReturnType<typeof json> {
  const { data } = seat(own).body as { readonly data: Members };
  return json(200, { success: true, data: { ...data, ...changed } });
}

/** Answers that are no verdict, so that the receipt decides. */
function hostile(): readonly GateCase[] {
  const answers: Readonly<Record<string, Answer>> = {
    'status-404-not-found': refusal(404, 'not_found'),
    'status-404-of-a-proxy': { status: 404, body: 'Not found' },
    'status-400-invalid-body': refusal(400, 'invalid_body'),
    'status-409-without-code': json(409, { success: false }),
    'status-409-of-a-later-release': refusal(409, 'something_new'),
    'status-429-rate-limited': refusal(429, 'rate_limited'),
    'status-500': refusal(500, 'store_unavailable'),
    'a-code-in-capitals': refusal(404, 'LICENSE_NOT_FOUND'),
    silence: 'silent',
    'endless-body': 'endless',
    'endless-header': 'endless-header',
    redirect: { status: 307, headers: { Location: '/moved' }, body: '' },
    portal: { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<title>Welcome</title>' },
    'a-verification': saysValid,
    'success-without-data': json(200, { success: true }),
    'success-with-empty-data': json(200, { success: true, data: {} }),
    'success-with-a-list': json(200, { success: true, data: [] }),
    'success-with-null-as-entitlement': json(200, {
      success: true,
      data: { entitlement: null, receipt: null, deviceLimit: null },
    }),
    'success-with-a-text-as-entitlement': json(200, {
      success: true,
      data: { entitlement: 'ent_1', receipt: null, deviceLimit: null },
    }),
    ...Object.fromEntries(
      Object.entries(noEntitlements).map(([name, each]) => [`success-with-${name}`, handed({ entitlement: each })]),
    ),
    ...Object.fromEntries(Object.entries(noSeats).map(([name, each]) => [`success-with-${name}`, handed(each)])),
    'success-and-too-long': { status: 200, body: `${JSON.stringify(handed({}).body)}{{spaces}}` },
    'success-as-text': json(200, { success: 'true', data: { entitlement, receipt: null, deviceLimit: null } }),
    'success-in-capitals': json(200, { Success: true, Data: { Entitlement: entitlement } }),
    huge: { status: 200, body: '{{huge}}' },
    nested: { status: 200, body: '{{nested}}' },
  };
  return Object.entries(answers).flatMap(([name, answer]) => [
    withDevice(
      `no-verdict/${name}`,
      storedOf(own),
      check(at(), [activates(answer)], valid('receipt', endOf(own)), storedOf(own, at())),
    ),
    withDevice(`no-verdict/${name}/without-receipt`, null, check(at(), [activates(answer)], unavailable('none'), null)),
  ]);
}

const release = (answer: Answer, result: Members, stored: Step['stored']): Step => ({
  call: 'release',
  now: at(hour),
  licenseKey,
  exchanges: [deactivates(answer)],
  result,
  stored,
});

const failed = (code: string | null): Members => ({ released: false, code });

function releases(): readonly GateCase[] {
  const released = json(200, { success: true, data: { device: deviceName, deviceLimit: 3, devicesUsed: 0 } });
  const foreign = storedOf(receiptOf(0, { key: digestOf('another key') }));
  return [
    withDevice(
      'release/done',
      storedOf(own),
      release(released, { released: true }, storedOf(null)),
      check(at(hour), [activates('closed')], unavailable('none', at(hour)), 'unchanged'),
    ),
    withDevice('release/of-another-license', foreign, release(released, { released: true }, 'unchanged')),
    ...['too_many_releases', 'device_offline', 'license_not_found', 'rate_limited'].map((code) =>
      withDevice(
        `release/${code}`,
        storedOf(own),
        release(refusal(code === 'license_not_found' ? 404 : 409, code), failed(code), 'unchanged'),
      ),
    ),
    withDevice('release/closed-connection', storedOf(own), release('closed', failed(null), 'unchanged')),
    withDevice(
      'release/status-500-of-a-proxy',
      storedOf(own),
      release({ status: 500, body: '' }, failed(null), 'unchanged'),
    ),
    withDevice(
      'release/portal',
      storedOf(own),
      release({ status: 200, body: '<title>Welcome</title>' }, failed(null), 'unchanged'),
    ),
  ];
}

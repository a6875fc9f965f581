import type { Answer, Exchange, GateCase, Members, ReceiptCase, Step } from '../../testing/gates/cases.ts';
import { accepted, check, refused } from './gate-stories.ts';
import { invalid, unavailable, valid } from './gate-table.ts';
import { digestOf, type Signer } from './signer.ts';
import {
  active,
  at,
  claims,
  day,
  device,
  deviceName,
  endOf,
  hour,
  issuedAt,
  json,
  licenseKey,
  productId,
  receiptOf,
  refusal,
  seat,
  storedOf,
  stranger,
  validFor,
} from './world.ts';

// Gates that try a product out on their device, until there is a license key.

const id = `trial_${digestOf(`${productId}\n${device.id}`).slice(0, 22)}`;
const features = { projects: 5, export: false };

/** The receipt of a trial that began so many seconds before noon. */
function trialOf(age: number, overrides: Members = {}, signer: Signer = active): string {
  const exp = issuedAt - age + validFor;
  const entitlement = {
    id,
    productId,
    status: 'trialing',
    tierId: 'pro',
    tierName: 'pro',
    billingInterval: 'one_time',
    accessEndsAt: new Date(exp * 1000).toISOString(),
    features,
  };
  const name = `dev_${digestOf(`${id}\n${device.id}`).slice(0, 22)}`;
  const own = { sub: id, mode: 'trial', key: undefined, device: name, iat: issuedAt - age, exp, entitlement };
  return signer.receipt(claims({ ...own, ...overrides }), signer.header({ typ: 'trial-receipt+jwt' }));
}

function entitlementIn(receipt: string): Members {
  const payload = Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { readonly entitlement: Members }).entitlement;
}

const activates = (answer: Answer): readonly Exchange[] => [
  {
    path: '/api/licenses/activate',
    body: { licenseKey, productId, deviceId: device.id, deviceName: device.name },
    answer,
  },
];

const starts = (answer: Answer): Exchange => ({
  path: '/api/licenses/trial',
  body: { productId, deviceId: device.id },
  answer,
});

function started(receipt: string): Answer {
  const issued = { receipt, issuedAt: at(), refreshAfter: at(7 * day), expiresAt: endOf(receipt) };
  const data = { trial: id, tierId: 'pro', startedAt: at(), endsAt: endOf(receipt), features, receipt: issued };
  return json(200, { success: true, data });
}

const running = (source: 'online' | 'receipt', receipt: string, daysLeft: number, now = at()): Members => ({
  ...valid(source, endOf(receipt), entitlementIn(receipt), now),
  trial: { endsAt: endOf(receipt), daysLeft },
});

function over(reason: string, receipt: string, now = at()): Members {
  const { features: _, ...shown } = entitlementIn(receipt);
  return invalid('receipt', reason, shown, now);
}

const noKey = { licenseKey: null };
const dead = [starts('closed')];
const young = trialOf(0);
const old = trialOf(86_400 * 3);
const license = receiptOf(0, { device: deviceName });

function withTrial(name: string, stored: GateCase['stored'], ...steps: readonly Step[]): GateCase {
  return { name: `trial/${name}`, device, trial: true, needs: ['trial'], stored, steps };
}

export function trialCases(): readonly GateCase[] {
  return [...overTime(), ...ends(), ...withoutVerdict(), ...withKeys()];
}

function overTime(): readonly GateCase[] {
  const later = at(1.5 * day);
  return [
    withTrial(
      'from-its-start-to-its-end',
      null,
      check(at(), [starts(started(young))], running('online', young, 14), storedOf(young, at()), noKey),
      check(later, [starts(started(young))], running('online', young, 13, later), storedOf(young, later), noKey),
      check(at(2 * day), dead, running('receipt', young, 12, at(2 * day)), storedOf(young, at(2 * day)), {
        ...noKey,
        restart: true,
      }),
      check(at(14 * day - 1), dead, running('receipt', young, 1, at(14 * day - 1)), storedOf(young, at(14 * day - 1)), {
        ...noKey,
      }),
      check(at(14 * day), dead, over('trial_ended', young, at(14 * day)), storedOf(young, at(14 * day)), noKey),
      check(at(12 * day), dead, over('clock_set_back', young, at(12 * day)), storedOf(young, at(14 * day)), noKey),
    ),
    withTrial(
      'the-latest-instant-counts-the-days',
      storedOf(young, at(2 * day)),
      check(at(1.5 * day), dead, running('receipt', young, 12, at(1.5 * day)), storedOf(young, at(2 * day)), noKey),
    ),
    withTrial(
      'the-first-start-without-a-network',
      null,
      check(at(), dead, unavailable('none'), 'unchanged', noKey),
      check(
        at(hour),
        [starts(started(young))],
        running('online', young, 14, at(hour)),
        storedOf(young, at(hour)),
        noKey,
      ),
    ),
    withTrial(
      'the-clock-a-day-back',
      storedOf(young, at(day)),
      check(at(-1), dead, over('clock_set_back', young, at(-1)), storedOf(young, at(day)), noKey),
    ),
    withTrial(
      'extended',
      storedOf(old),
      check(at(), [starts(started(young))], running('online', young, 14), storedOf(young, at()), noKey),
    ),
  ];
}

function ends(): readonly GateCase[] {
  const others = trialOf(0, { device: `dev_${'a'.repeat(22)}` });
  const refusals = [
    [409, 'trial_ended'],
    [404, 'trial_not_offered'],
  ] as const;
  return refusals.flatMap(([status, code]) => {
    const exchanges = [starts(refusal(status, code))];
    const said = invalid('online', code);
    return [
      withTrial(`${code}/running`, storedOf(old), check(at(), exchanges, said, storedOf(null), noKey)),
      withTrial(
        `${code}/over`,
        storedOf(old),
        check(at(12 * day), exchanges, invalid('online', code, null, at(12 * day)), storedOf(null), noKey),
      ),
      withTrial(`${code}/of-another-device`, storedOf(others), check(at(), exchanges, said, storedOf(null), noKey)),
      withTrial(`${code}/nothing-stored`, null, check(at(), exchanges, said, 'unchanged', noKey)),
      withTrial(`${code}/a-license-stored`, storedOf(license), check(at(), exchanges, said, 'unchanged', noKey)),
    ];
  });
}

function withoutVerdict(): readonly GateCase[] {
  const forged = trialOf(0, {}, stranger);
  const answers: Readonly<Record<string, Answer>> = {
    'closed-connection': 'closed',
    'status-404-not-found': refusal(404, 'not_found'),
    'status-404-of-a-proxy': { status: 404, body: 'Not found' },
    'status-429-rate-limited': refusal(429, 'rate_limited'),
    'status-500': refusal(500, 'clock_not_trusted'),
    'another-code-of-409': refusal(409, 'device_limit'),
    portal: { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<title>Welcome</title>' },
    'success-with-empty-data': json(200, { success: true, data: {} }),
    'success-without-receipt': json(200, { success: true, data: { trial: id, endsAt: at(14 * day), receipt: null } }),
    'a-forged-receipt': started(forged),
    'the-receipt-of-a-license': started(license),
    'a-receipt-of-another-device': started(trialOf(0, { device: `dev_${'a'.repeat(22)}` })),
  };
  const stored: Readonly<Record<string, readonly [text: string, reason: string]>> = {
    'of-another-device': [trialOf(0, { device: `dev_${'a'.repeat(22)}` }), 'wrong_device'],
    'of-another-product': [trialOf(0, { aud: 'prod_2' }), 'wrong_product'],
    forged: [forged, 'unknown_signing_key'],
    'of-a-license': [license, 'none'],
    'another-text': ['a receipt', 'none'],
  };
  return [
    ...Object.entries(answers).flatMap(([name, answer]) => [
      withTrial(
        `no-verdict/${name}/running`,
        storedOf(old),
        check(at(), [starts(answer)], running('receipt', old, 11), storedOf(old, at()), noKey),
      ),
      withTrial(
        `no-verdict/${name}/nothing-stored`,
        null,
        check(at(), [starts(answer)], unavailable('none'), 'unchanged', noKey),
      ),
    ]),
    ...Object.entries(stored).map(([name, [text, reason]]) =>
      withTrial(
        `no-verdict/stored/${name}`,
        storedOf(text),
        check(at(), dead, unavailable(reason), 'unchanged', noKey),
      ),
    ),
  ];
}

/** A license takes the place of the trial. */
function withKeys(): readonly GateCase[] {
  const bought = valid('online', endOf(license));
  return [
    withTrial(
      'a-license-takes-its-place',
      storedOf(old),
      check(at(), activates(seat(license)), bought, storedOf(license, at())),
      check(at(), activates('closed'), valid('receipt', endOf(license)), storedOf(license, at())),
      check(at(), dead, unavailable('none'), 'unchanged', noKey),
    ),
    ...[refusal(404, 'license_not_found'), refusal(400, 'malformed_license_key'), refusal(409, 'device_limit')].map(
      (answer, index) => {
        const reason = ['unknown', 'malformed', 'device_limit'][index] ?? '';
        return withTrial(
          `a-key-that-is-${reason}-leaves-it`,
          storedOf(old),
          check(at(), activates(answer), invalid('online', reason), 'unchanged'),
          check(at(), dead, running('receipt', old, 11), storedOf(old, at()), noKey),
        );
      },
    ),
    {
      name: 'trial/a-gate-without-trials-leaves-it',
      needs: ['trial'],
      device,
      stored: storedOf(old),
      steps: [
        check(at(), activates('closed'), unavailable('none'), 'unchanged'),
        check(at(), activates(refusal(404, 'license_not_found')), invalid('online', 'unknown'), 'unchanged'),
      ],
    },
    withTrial(
      'no-trial-behind-a-key',
      storedOf(old),
      check(at(), activates('closed'), unavailable('none'), 'unchanged'),
    ),
  ];
}

/** Receipts of trials, which are none of licenses. */
export function trialReceiptCases(): readonly ReceiptCase[] {
  const own = { now: at(), deviceId: device.id };
  const trial = { ...own, trial: true, needs: ['trial'] } as const;
  const entitlement = entitlementIn(old);
  return [
    { name: 'trial/for-a-license', receipt: old, ...own, result: refused('malformed') },
    { name: 'trial/valid', receipt: old, ...trial, result: accepted(old, entitlement) },
    { name: 'trial/of-a-license', receipt: license, ...trial, result: refused('malformed') },
    { name: 'trial/another-device', receipt: old, ...trial, deviceId: 'machine-2', result: refused('wrong_device') },
    { name: 'trial/over', receipt: old, ...trial, now: at(11 * day), result: refused('expired', entitlement) },
    { name: 'trial/forged', receipt: trialOf(0, {}, stranger), ...trial, result: refused('unknown_signing_key') },
  ];
}
